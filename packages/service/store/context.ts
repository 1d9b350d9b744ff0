/** What an operation on the database is given, beside its arguments. */
import type { Kysely } from 'kysely'
import type { Change } from './change.ts'
import type { Tables } from './tables.ts'

export type Queries = Kysely<Tables>

export type DatabaseKind = 'sqlite' | 'postgres'

/** What an operation knows beside its arguments. */
export interface Context {
  readonly kind: DatabaseKind
  /** The secret of the installation; see `Store.secret`. */
  readonly secret: Uint8Array
  /** When the operation was asked for. */
  readonly now: Date
  /** What a write changes: it adds them (`appendChange`). */
  readonly changes: Change[]
}
