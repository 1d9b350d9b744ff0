/** The worker's side of its thread (analysis-thread.ts): tasks come one at a time, each is answered. */
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { AnalyseResult, AnalyseTask } from './analyse-task.ts'

/** What a thread says once it can take tasks. */
export const STARTED = 'started'

/** Answers every task that comes by `answer`, as long as the thread lives. */
export function answerTasks(answer: (task: AnalyseTask) => AnalyseResult): void {
  if (parentPort === null) throw new TypeError('This module runs on a worker thread')
  // The first message brings the port on which tasks come and answers go.
  parentPort.once('message', (port: MessagePort) => {
    port.on('message', (task: AnalyseTask) => port.postMessage(answer(task)))
    port.postMessage(STARTED)
  })
}
