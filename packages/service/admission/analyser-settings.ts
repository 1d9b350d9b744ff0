/** The settings of an analyser, for messages that it analyses here and for those apart. */
import type { AnalysisParts } from './analyse-task.ts'
import type { DeadlyMessages } from './deadly-messages.ts'

export interface AnalyserSettings extends AnalysisParts {
  /** How many messages may wait in each of the queues. */
  readonly queueDepth: number
  readonly queueTimeoutMs: number
  /** CPU time for one message, in milliseconds; then it is judged by what has been read. */
  readonly cpuMsMax: number
  /** Time in milliseconds after which a thread that has not answered is ended. */
  readonly workerKillMs: number
  /** Messages over which a thread has ended; a reload keeps them. */
  readonly deadly: Pick<DeadlyMessages, 'has' | 'add'>
  /** Another module for the thread, for tests. */
  readonly threadModule?: URL
  /** Another length from which messages go to the thread, for tests. */
  readonly threadBytesMin?: number
}
