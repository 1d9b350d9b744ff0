/**
 * What is done with one message, on a serving thread (analyser.ts) or on the thread for large ones
 * (large-messages.ts): from its bytes to its Analysis.
 *
 * Weights are in shared memory, so that threads need no copies. Errors are TamisErrors, so that the caller
 * can tell them from the end of a thread.
 */

import { TamisError } from '../../errors/errors.ts'
import { type AnalyseOptions, analyse } from '../../mail/analyse.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import { type Deltas, withDeltas } from '../../mail/learning/deltas.ts'
import type { Models } from '../../mail/models/models.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import type { Shared } from '../threads/shared.ts'
import type { AdmissionMemory } from './admission-memory.ts'
import { bodyOctets, type MessageBody } from './message-body.ts'

const MICROSECONDS_PER_MS = 1_000

/** All that a thread needs for one message. */
export interface AnalyseTask {
  readonly body: MessageBody
  readonly facts: Facts
  readonly options: AnalyseOptions
  /** CPU time in milliseconds, after which the message is judged by what has been read; no limit if absent. */
  readonly cpuMsMax?: number
  /** What was learned from corrections, in shared memory. */
  readonly deltas?: Deltas
}

/** What is the same for all messages. */
export interface AnalysisParts {
  readonly models: Models
  /** What is known of senders and hosts, in shared memory. */
  readonly knowledge?: Knowledge
}

/** A function that gives the Analysis of one message. @throws TamisError what it is refused for; INTERNAL when the analysis failed. */
export function analyseTaskWith({
  models,
  knowledge,
}: AnalysisParts): (task: AnalyseTask) => Analysis {
  return (task) => {
    const { body, facts, options, cpuMsMax = Number.POSITIVE_INFINITY, deltas } = task
    try {
      const learned = deltas === undefined ? models : withDeltas(models, deltas)
      return analyse(bodyOctets(body), facts, learned, {
        ...options,
        ...(knowledge && { knowledge }),
        outOfTime: cpuClock(cpuMsMax),
        now: () => performance.now(),
      })
    } catch (cause) {
      if (cause instanceof TamisError) throw cause
      throw new TamisError('INTERNAL', 'A message could not be analysed', { cause })
    }
  }
}

/**
 * Returns a function that is true once this thread has used `cpuMsMax` from now on; time in which others
 * had the processor does not count. It is called hundreds of times for a message, so it looks at the
 * wall clock first, which is cheap: no thread has used more CPU time than that.
 */
function cpuClock(cpuMsMax: number): () => boolean {
  const startMs = performance.now()
  const startCpuMs = threadCpuMs()
  return () => performance.now() - startMs > cpuMsMax && threadCpuMs() - startCpuMs > cpuMsMax
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / MICROSECONDS_PER_MS
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

/** The settings of an analyser. */
export interface AnalyserSettings extends AnalysisParts {
  readonly memory: AdmissionMemory
  readonly shared: Shared
  /** How many messages may wait in the process. */
  readonly queueDepth: number
  readonly queueTimeoutMs: number
  /** CPU time for one message, in milliseconds; then it is judged by what has been read. */
  readonly cpuMsMax: number
  /** Time in milliseconds after which the thread for large messages is ended if it has not answered. */
  readonly workerKillMs: number
  /** Another module for that thread, for tests. */
  readonly threadModule?: URL
  /** Another length over which messages go to it, for tests. */
  readonly smallBytesMax?: number
}
