/**
 * What the store needs of a database: the seam between the operations (operations.ts), which are
 * the same for both, and the two drivers (sqlite.ts, postgres.ts).
 *
 * An operation goes over the seam by its name and plain data, and not as a function, because
 * SQLite runs it on another thread. The types of both are checked where the store is called (store.ts).
 */
import type { Change, Context, DatabaseKind } from './context.ts'
import type { OperationName } from './operations.ts'
import type { StorePlace } from './store-place.ts'

/**
 * `overwrite`: the rows that are left are written anew, over the deleted ones. `empty log`: what was written before goes
 * from the log too.
 */
export type ScrubStep = 'overwrite' | 'empty log'

/** What a write gives. */
export interface Written {
  readonly value: unknown
  readonly changes: readonly Change[]
}

export interface Database {
  readonly kind: DatabaseKind
  readonly place: StorePlace
  read(context: Context, name: OperationName, args: readonly unknown[]): Promise<unknown>
  /**
   * Runs an operation whole or not at all, and resolves after its COMMIT. Writes run one after another, over
   * all processes, so that what they number is numbered in the order of commits.
   */
  write(context: Context, name: OperationName, args: readonly unknown[]): Promise<Written>
  /** Takes a step of overwriting what deleted rows left in the files; false when that cannot be done now. See `Store.scrub`. */
  scrub(step: ScrubStep): Promise<boolean>
  /** What of the files is malformed, in the database's own words; undefined for nothing, and where that cannot be told. */
  check(): Promise<string | undefined>
  /** Calls `wake` when another process may have committed something, as far as it says so. */
  onCommit(wake: () => void): () => void
  close(): Promise<void>
}
