/** The thread's side of calls (thread.ts). */
import { parentPort } from 'node:worker_threads'
import { type Call, Calls, type CallTable } from './calls.ts'

/** Answers calls of `functions` as long as the thread lives; while one call waits, the next can begin. */
export function answerCalls(functions: CallTable): void {
  if (parentPort === null) throw new TypeError('This module runs on a thread')
  const port = parentPort
  const calls = new Calls((message) => port.postMessage(message), functions)
  port.on('message', (call: Call) => calls.receive(call))
}
