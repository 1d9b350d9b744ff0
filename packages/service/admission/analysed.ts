/** On whose behalf a message is analysed, and what comes of it, here (analysis-in-turns.ts) or on the thread (analysis-on-thread.ts). */
import { TamisError } from '../../errors/errors.ts'
import type { DeltasLease } from '../../mail/learning/delta-buffers.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import type { AnalyseResult } from './analyse-task.ts'
import type { Outlet } from './queue.ts'

/** On whose behalf a message is analysed. */
export interface Turn {
  /** Gives what models of this version have learned from the tenant's corrections, in shared memory; asked when the analysis begins. */
  readonly leaseDeltas?: ((version: string) => DeltasLease | undefined) | undefined
  /** Where the answer goes: closed when nobody waits for it any more. */
  readonly outlet?: Outlet
}

export interface Analysed {
  readonly analysis: Analysis
  /** Time in the queue, in milliseconds. */
  readonly queueMs: number
  /** Time from the end of the wait to the Analysis, in milliseconds; for a large message with the way to the thread and back. */
  readonly analysisMs: number
  /** Why the thread ended over this message, so that the header alone was judged; undefined when it did not. */
  readonly threadEnd: Error | undefined
}

/** @throws TamisError what the message was refused for; INTERNAL when the analysis failed. */
export function analysisOf(result: AnalyseResult): Analysis {
  switch (result.kind) {
    case 'analysis':
      return result.analysis
    case 'refusal':
      throw new TamisError(result.code, result.message, { details: { ...result.details } })
    case 'failure':
      throw new TamisError('INTERNAL', 'A message could not be analysed', { cause: result.error })
  }
}
