/** The worker's side of an analysis thread (analysis-thread.ts): it answers one task at a time. */
import { parentPort } from 'node:worker_threads'
import type { AnalyseResult, AnalyseTask } from './analyse-task.ts'

/** The message that a thread posts once it can take tasks. */
export const STARTED = 'started'

/** Answers every task with `answer`, as long as the thread lives. */
export function answerTasks(answer: (task: AnalyseTask) => AnalyseResult): void {
  if (parentPort === null) throw new TypeError('This module runs on a thread')
  const port = parentPort
  port.on('message', (task: AnalyseTask) => port.postMessage(answer(task)))
  port.postMessage(STARTED)
}
