/** The thread's side of calls (thread.ts). */
import { parentPort } from 'node:worker_threads'
import { type SentError, sentError } from './sent-error.ts'

/** The functions of a thread; their arguments and results cross threads by structured clone. */
// biome-ignore lint/suspicious/noExplicitAny: `Thread.call` checks the arguments of each function.
export type CallTable = Readonly<Record<string, (...args: any[]) => unknown>>

export interface Call {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError }

/** Answers calls of `functions` as long as the thread lives; while one call waits, the next can begin. */
export function answerCalls(functions: CallTable): void {
  if (parentPort === null) throw new TypeError('This module runs on a thread')
  const port = parentPort
  port.on('message', async ({ id, name, args }: Call) => {
    try {
      port.postMessage({ id, value: await functions[name]!(...args) } satisfies Answer)
    } catch (error) {
      port.postMessage({ id, error: sentError(error) } satisfies Answer)
    }
  })
}
