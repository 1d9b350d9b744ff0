/**
 * What the processes of a service ask and tell each other of learned models: the first learns, the others
 * (followed-models.ts) take from it what it serves.
 */
import type { UnnamedEvent } from '../../mail/learning/learn-event.ts'
import type { Promotions } from '../../mail/learning/online-learning.ts'
import { topic } from '../siblings/siblings.ts'
import type { SentError } from '../threads/sent-error.ts'

/** Deltas as the first process serves them. */
export interface ServedDeltas {
  /** The version of the shipped weights to which they are added. */
  readonly base: string
  /** A name of them that no others have. */
  readonly name: string
  /** As `encodeDeltas` makes them; undefined for none. */
  readonly bytes: Uint8Array | undefined
}

/** The first process tells that it serves others of a tenant; of all tenants, where none is named. */
export const MODELS_SERVED = topic<[tenant: string | undefined]>('models served')

/** Asks the first process for the tenants of which it serves deltas. */
export const TENANTS_SERVED = topic<[], readonly string[]>('tenants of models served')

/** Asks it for the deltas of a tenant; undefined where they are those that the asking process `has`, and until it has read the log. */
export const DELTAS_SERVED = topic<
  [tenant: string, has: string],
  Promise<ServedDeltas | undefined>
>('deltas served')

/** Asks it whether a correction recorded now teaches the models that the tenant's users share. */
export const WOULD_LEARN = topic<[tenant: string, event: UnnamedEvent], Promise<boolean>>(
  'would learn',
)

/** Asks it for the promotions and refusals of a tenant's log. */
export const PROGRESS = topic<[tenant: string], Promotions>('learning progress')

/** It trains and saves, in milliseconds: longer than a caller waits. */
const CHANGE_MS_MAX = 60_000

export type VersionChange = 'promote' | 'rollback'

/** Asks it for another version, which is given; undefined means only the shipped weights. */
export const CHANGE_VERSION = topic<
  [tenant: string, change: VersionChange],
  Promise<{ readonly version: number | undefined } | { readonly error: SentError }>
>('change model version', CHANGE_MS_MAX)
