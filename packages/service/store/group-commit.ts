/**
 * Several writes in one transaction: a COMMIT costs an fsync, and those who wait can share it.
 *
 * Each write has a savepoint of its own, so that one that fails takes back its own rows
 * alone. Nobody is told of success before the COMMIT they share; if that fails, all fail.
 */
import type { ControlledTransaction } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import type { Tx } from './changes.ts'
import type { Queries, Tables } from './tables.ts'
import * as writes from './writes.ts'

export type WriteName = keyof typeof writes

const WRITES = { ...writes } as unknown as Readonly<
  Record<WriteName, (tx: Tx, ...args: readonly unknown[]) => Promise<unknown>>
>

/** The most writes that share a COMMIT. At a quarter of a millisecond each, the last waits 8 ms for it. */
const GROUP_SIZE_MAX = 32

/** The most writes that wait. The queue of a stalled database is no longer than a busy one needs in a second. */
const WAITING_MAX = 1_000

const SAVEPOINT = 'operation'

type Begin = () => Promise<ControlledTransaction<Tables>>

/** Settles one write. */
type Settle = () => void

interface Waiting {
  /** Runs it; rejects when not even its savepoint could be restored: all is lost then. */
  readonly run: (transaction: ControlledTransaction<Tables>) => Promise<Settle>
  readonly reject: (error: unknown) => void
}

export class GroupCommit {
  readonly #begin: Begin
  readonly #counter: Int32Array
  readonly #waiting: Waiting[] = []
  #draining = false
  /** Whether the writes since the last COMMIT have appended changes. */
  #hasChanged = false

  /**
   * @param begin starts a transaction, with what locks it needs.
   * @param counter is raised after a COMMIT with changes, before anything of it is acknowledged (changes.ts).
   */
  constructor(begin: Begin, counter: Int32Array) {
    this.#begin = begin
    this.#counter = counter
  }

  /** Does one of the writes. Resolves to what it gives, after the COMMIT. */
  write(
    secret: Uint8Array,
    now: Date,
    name: WriteName,
    args: readonly unknown[],
  ): Promise<unknown> {
    const changed = () => {
      this.#hasChanged = true
    }
    return this.#run((db) => WRITES[name]({ db, secret, now, changed }, ...args))
  }

  #run<T>(write: (db: Queries) => Promise<T>): Promise<T> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(
        new TamisError('STORE_UNAVAILABLE', `${WAITING_MAX} writes are waiting for the store`),
      )
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async (transaction: ControlledTransaction<Tables>): Promise<Settle> => {
      const inSavepoint = await transaction.savepoint(SAVEPOINT).execute()
      try {
        const value = await write(inSavepoint)
        await inSavepoint.releaseSavepoint(SAVEPOINT).execute()
        return () => resolve(value)
      } catch (error) {
        try {
          await inSavepoint.rollbackToSavepoint(SAVEPOINT).execute()
          await inSavepoint.releaseSavepoint(SAVEPOINT).execute()
        } catch {
          throw error
        }
        return () => reject(error)
      }
    }
    this.#waiting.push({ run, reject })
    this.#startDraining()
    return promise
  }

  /** Waits a moment: writes that arrive together should be committed together. */
  #startDraining(): void {
    if (this.#draining) return
    this.#draining = true
    setImmediate(() => void this.#drain())
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      let group: readonly Waiting[] = this.#waiting
      try {
        const transaction = await this.#begin()
        group = this.#waiting.splice(0, GROUP_SIZE_MAX)
        for (const settle of await this.#commit(transaction, group)) settle()
      } catch (error) {
        // If no transaction can begin, further attempts would only keep the others waiting.
        for (const { reject } of group === this.#waiting ? this.#waiting.splice(0) : group) {
          reject(error)
        }
      }
    }
    this.#draining = false
  }

  async #commit(
    transaction: ControlledTransaction<Tables>,
    group: readonly Waiting[],
  ): Promise<Settle[]> {
    try {
      const settles: Settle[] = []
      for (const { run } of group) settles.push(await run(transaction))
      await transaction.commit().execute()
      if (this.#hasChanged) Atomics.add(this.#counter, 0, 1)
      this.#hasChanged = false
      return settles
    } catch (error) {
      // A broken connection has rolled back already; why it broke is what matters.
      await transaction
        .rollback()
        .execute()
        .catch(() => {})
      throw error
    }
  }
}
