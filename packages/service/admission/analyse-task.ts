/**
 * What is done with one message, on this thread or on that for large ones: from its bytes to its Analysis.
 *
 * Weights are in shared memory, so that threads need no copies. Errors are returned and not thrown, so
 * that the caller can tell them from the end of a thread.
 */

import { type ErrorCode, TamisError } from '../../errors/errors.ts'
import { type AnalyseOptions, analyse } from '../../mail/analyse.ts'
import { type EmbeddingTables, staticEmbedding } from '../../mail/embedding/static-embedding.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import { type Deltas, withDeltas } from '../../mail/learning/deltas.ts'
import type { Models } from '../../mail/models/models.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { bodyOctets } from './body-octets.ts'
import type { MessageBody } from './message-body.ts'

const MICROSECONDS_PER_MS = 1_000

/** All that a thread needs for one message. */
export interface AnalyseTask {
  readonly body: MessageBody
  readonly facts: Facts
  readonly options: AnalyseOptions
  /** CPU time in milliseconds, after which the message is judged by what has been read. */
  readonly cpuMsMax: number
  /** What was learned from the tenant's corrections, in shared memory. */
  readonly deltas?: Deltas
}

/** What is the same for all messages. */
export interface AnalysisParts {
  readonly models: Models
  /** What is known of senders and hosts, in shared memory. */
  readonly knowledge?: Knowledge
  /** Absent when another thread embeds. */
  readonly embedding?: EmbeddingTables | undefined
}

/** The outcome; plain data, because an error loses its class between threads. */
export type AnalyseResult =
  | { readonly kind: 'analysis'; readonly analysis: Analysis }
  | {
      readonly kind: 'refusal'
      readonly code: ErrorCode
      readonly message: string
      readonly details: Readonly<Record<string, string | number>>
    }
  | { readonly kind: 'failure'; readonly error: Error }

/** A function that gives the Analysis of one message, or why there is none. */
export function analyseTaskWith({
  models,
  knowledge,
  embedding,
}: AnalysisParts): (task: AnalyseTask) => AnalyseResult {
  const embedder = embedding === undefined ? 'elsewhere' : staticEmbedding(embedding)
  return (task) => {
    const { body, facts, options, cpuMsMax, deltas } = task
    try {
      const learned = deltas === undefined ? models : withDeltas(models, deltas)
      const analysis = analyse(bodyOctets(body), facts, learned, {
        ...options,
        ...(knowledge && { knowledge }),
        embedder,
        outOfTime: cpuClock(cpuMsMax),
        now: () => performance.now(),
      })
      return { kind: 'analysis', analysis }
    } catch (error) {
      if (!(error instanceof TamisError)) return { kind: 'failure', error: error as Error }
      const { code, message, details } = error
      return { kind: 'refusal', code, message, details }
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
