/** The thread for large messages, of which the process has one: it analyses one after the other (large-messages.ts). */
import { answerCalls } from '../threads/calls.ts'
import { type AnalyseTask, type AnalysisParts, analyseTaskWith } from './analyse-task.ts'

export type LargeMessageCalls = typeof CALLS

/** A task with all that it needs: the threads that have tasks may have other models. */
export interface LargeTask extends AnalyseTask {
  readonly parts: AnalysisParts
  /** One number, which becomes 1 when the task begins. */
  readonly begun: Int32Array
}

const CALLS = {
  analyse({ parts, begun, ...task }: LargeTask) {
    Atomics.store(begun, 0, 1)
    Atomics.notify(begun, 0)
    return analyseTaskWith(parts)(task)
  },
}

answerCalls(CALLS)
