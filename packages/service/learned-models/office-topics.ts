/** What server processes ask the office of what is learned (learning.ts), and what it tells them. */
import type { UnnamedEvent } from '../../mail/learning/learn-event.ts'
import type { Promotions } from '../../mail/learning/online-learning.ts'
import { topic } from '../siblings/siblings.ts'
import type { SentError } from '../threads/sent-error.ts'

/** What is served. */
export interface ServedDeltas {
  /** The version of the shipped weights to which they are added. */
  readonly base: string
  /** A name of them that no others have. */
  readonly name: string
  /** As `encodeDeltas` makes them; undefined for none. */
  readonly bytes: Uint8Array | undefined
}

/** The office tells that it serves others. */
export const MODELS_SERVED = topic<[]>('models served')

/**
 * Time for what the learning thread of the office has to do, in milliseconds. It leaves the processor to all others: on a
 * busy machine it gets a tenth of one, and what takes it 0.1 s alone takes seconds. Callers do not wait for as long.
 */
const LEARNING_THREAD_MS_MAX = 60_000

/** The office asks a server process to serve at once what it serves now. */
export const MODELS_REBUILT = topic<[], Promise<void>>('models rebuilt', LEARNING_THREAD_MS_MAX)

/** Asks for the deltas; 'as before' where they are those that the asking process `has`, and until the log is read. */
export const DELTAS_SERVED = topic<[has: string], Promise<ServedDeltas | 'as before'>>(
  'deltas served',
  LEARNING_THREAD_MS_MAX,
)

/** Asks whether a correction recorded now corrects the models that all users share. */
export const WOULD_LEARN = topic<[event: UnnamedEvent], Promise<boolean>>('would learn')

/** Asks for the promotions and refusals of the log until now. */
export const PROGRESS = topic<[], Promotions>('learning progress')

export type VersionChange = 'promote' | 'rollback'

/** Asks for another version, which is given; undefined means only the shipped weights. */
export const CHANGE_VERSION = topic<
  [change: VersionChange],
  Promise<{ readonly version: number | undefined } | { readonly error: SentError }>
>('change model version', LEARNING_THREAD_MS_MAX)
