/** What server processes ask the office of what is learned (learning.ts), and what it tells them. */
import type { UnnamedEvent } from '../../mail/learning/learn-event.ts'
import type { Promotions } from '../../mail/learning/online-learning.ts'
import { topic } from '../siblings/siblings.ts'
import type { SentError } from '../threads/sent-error.ts'

/** What a tenant is served. */
export interface ServedDeltas {
  /** The version of the shipped weights to which they are added. */
  readonly base: string
  /** A name of them that no others have. */
  readonly name: string
  /** As `encodeDeltas` makes them; undefined for none. */
  readonly bytes: Uint8Array | undefined
}

/** The office tells that it serves others of a tenant; of all tenants, where none is named. */
export const MODELS_SERVED = topic<[tenant: string | undefined]>('models served')

/**
 * Time for what the learning thread of the office has to do, in milliseconds. It leaves the processor to all others: on a
 * busy machine it gets a tenth of one, and what takes it 0.1 s alone takes seconds. Callers do not wait for as long.
 */
const LEARNING_THREAD_MS_MAX = 60_000

/** The office asks a server process to serve at once what it serves now of a tenant. */
export const MODELS_REBUILT = topic<[tenant: string], Promise<void>>(
  'models rebuilt',
  LEARNING_THREAD_MS_MAX,
)

/** Asks for the deltas of a tenant; 'as before' where they are those that the asking process `has`, and until the log is read. */
export const DELTAS_SERVED = topic<
  [tenant: string, has: string],
  Promise<ServedDeltas | 'as before'>
>('deltas served', LEARNING_THREAD_MS_MAX)

/** Asks whether a correction recorded now corrects the models that the tenant's users share. */
export const WOULD_LEARN = topic<[tenant: string, event: UnnamedEvent], Promise<boolean>>(
  'would learn',
)

export type TenantProgress = Promotions & { readonly tenant: string }

/** Asks for the promotions and refusals of every log that is followed, until now. */
export const PROGRESS = topic<[], readonly TenantProgress[]>('learning progress')

export type VersionChange = 'promote' | 'rollback'

/** Asks for another version, which is given; undefined means only the shipped weights. */
export const CHANGE_VERSION = topic<
  [tenant: string, change: VersionChange],
  Promise<{ readonly version: number | undefined } | { readonly error: SentError }>
>('change model version', LEARNING_THREAD_MS_MAX)
