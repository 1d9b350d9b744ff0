/** The thread of thread.test.ts. */
import { setTimeout } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { TamisError } from '../../../errors/errors.ts'
import { answerCalls } from '../../threads/calls.ts'

export type Calls = typeof CALLS

const CALLS = {
  add: (a: number, b: number) => a + b,
  given: () => workerData as unknown,
  later: async (text: string, ms: number) => {
    await setTimeout(ms)
    return text
  },
  refuse: () => {
    throw new TamisError('QUEUE_FULL', 'No room', {
      details: { queueDepth: 3 },
      cause: new Error('the disk'),
    })
  },
  overrun: () => [].at(new Array(-1).length),
  die: () => {
    process.exit(1)
  },
  /** Ends the thread by an error that nobody awaits. */
  fall: () => {
    setImmediate(() => {
      throw new Error('fallen')
    })
    return new Promise<void>(() => {})
  },
}

answerCalls(CALLS)
