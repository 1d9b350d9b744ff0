/**
 * Several writes in one transaction: a COMMIT costs an fsync, and those who wait can share it.
 *
 * Each operation has a savepoint of its own, so that one that fails takes back its own writes
 * alone. Nobody is told of success before the COMMIT they share; if that fails, all fail.
 */
import type { ControlledTransaction } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import type { Queries } from './context.ts'
import type { Tables } from './tables.ts'

/** The most operations that share a COMMIT. At a quarter of a millisecond each, the last waits 8 ms for it. */
const GROUP_SIZE_MAX = 32

/** The most operations that wait. The queue of a stalled database is no longer than a busy one needs in a second. */
const WAITING_MAX = 1_000

const SAVEPOINT = 'operation'

type Begin = () => Promise<ControlledTransaction<Tables>>

interface Operation {
  readonly run: (db: Queries) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown }

export class GroupCommit {
  readonly #begin: Begin
  readonly #waiting: Operation[] = []
  #draining = false

  /** @param begin starts a transaction, with what locks it needs. */
  constructor(begin: Begin) {
    this.#begin = begin
  }

  /** Resolves to what `run` gives, after the COMMIT. */
  write<T>(run: (db: Queries) => Promise<T>): Promise<T> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(
        new TamisError('STORE_UNAVAILABLE', `${WAITING_MAX} writes are waiting for the store`),
      )
    }
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: unknown) => void, reject })
      this.#startDraining()
    })
  }

  /** Waits a moment: operations that arrive together should be committed together. */
  #startDraining(): void {
    if (this.#draining) return
    this.#draining = true
    setImmediate(() => void this.#drain())
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      try {
        const transaction = await this.#begin()
        await this.#commitTogether(transaction, this.#waiting.splice(0, GROUP_SIZE_MAX))
      } catch (error) {
        // If no transaction can begin, further attempts would only keep the waiting operations waiting.
        for (const { reject } of this.#waiting.splice(0)) reject(error)
      }
    }
    this.#draining = false
  }

  /** Settles all of `group`; throws nothing. */
  async #commitTogether(
    transaction: ControlledTransaction<Tables>,
    group: readonly Operation[],
  ): Promise<void> {
    try {
      const outcomes = await this.#runInTransaction(transaction, group)
      for (const [i, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[i]!
        if (outcome.ok) resolve(outcome.value)
        else reject(outcome.error)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async #runInTransaction(
    transaction: ControlledTransaction<Tables>,
    group: readonly Operation[],
  ): Promise<Outcome[]> {
    try {
      const outcomes: Outcome[] = []
      for (const { run } of group) outcomes.push(await runInSavepoint(transaction, run))
      await transaction.commit().execute()
      return outcomes
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

/** @throws the error of `run` when not even its savepoint could be restored: all is lost then. */
async function runInSavepoint(
  transaction: ControlledTransaction<Tables>,
  run: Operation['run'],
): Promise<Outcome> {
  const inSavepoint = await transaction.savepoint(SAVEPOINT).execute()
  try {
    const value = await run(inSavepoint)
    await inSavepoint.releaseSavepoint(SAVEPOINT).execute()
    return { ok: true, value }
  } catch (error) {
    try {
      await inSavepoint.rollbackToSavepoint(SAVEPOINT).execute()
      await inSavepoint.releaseSavepoint(SAVEPOINT).execute()
    } catch {
      throw error
    }
    return { ok: false, error }
  }
}
