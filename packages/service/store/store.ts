/**
 * The store, in the words of the domain: keys, rules, the log of corrections, the models learned
 * from it, and deleted users.
 *
 * What the store can do stands in the table of operations.ts, and what each does at its function;
 * here stand the few calls that are more than one operation, and how all are forwarded to the
 * database.
 *
 * Every call may throw TamisError STORE_UNAVAILABLE (disk full, database unreachable, locked too
 * long): then nothing of it was written, or, where the connection broke during the commit, all of
 * it; calling again is safe either way. What a promise acknowledges survives `kill -9` and the
 * loss of power. Callers' mistakes (a text too long, a limit below one) are RangeErrors.
 */
import { TamisError } from '../../errors/errors.ts'
import type { DeletedUser, DeletionKind } from '../users/correction.ts'
import { CORRESPONDENT_KINDS } from '../users/correspondent.ts'
import type { Change } from './context.ts'
import type { Database, ScrubStep } from './database.ts'
import { type Calls, OPERATIONS, type OperationName } from './operations.ts'
import type { StorePlace } from './store-place.ts'
import { Watchers } from './watchers.ts'

/** Operations that are part of calls below, and no calls of their own. */
type Parts =
  | 'deleteRowsOfUser'
  | 'deleteSomeHistory'
  | 'expireSome'
  | 'expireSomeCorrespondents'
  | 'expireSomeHistory'
  | 'forgetSomeSubjects'
  | 'historyReaches'
  | 'installationSecret'

export interface Store extends Omit<Calls, Parts> {
  /**
   * 32 random bytes, made when the database was; the same for all replicas, and they never leave
   * the installation. The key of every HMAC (`userKey`, `messageKey`, `senderKey`, `domainKey`).
   */
  readonly secret: Uint8Array
  readonly place: StorePlace
  /** Resolves, to the database's own words, once a SQLite file is found to be malformed; else never. */
  readonly damaged: Promise<string>
  /** Looks through the whole file for what is malformed, in the background. `damaged` tells. */
  check(): void
  /** Removes corrections made before `before`, whether active or ended. How many. */
  expireCorrections(before: Date): Promise<number>
  /** Forgets the words of subjects in all corrections. Of how many. */
  forgetSubjects(): Promise<number>
  /** Removes correspondents that were last learned before `before`, and those only counted so far (`heard`) before `heardBefore`. How many. */
  expireCorrespondents(before: Date, heardBefore: Date): Promise<number>
  /**
   * Removes entries of the history that were judged before `before`, and those older than the newest `entriesMax`. How many.
   */
  expireHistory(before: Date, entriesMax: number): Promise<number>
  /**
   * If all is to go, most of the user's entries in the history, in steps; then `deleteRowsOfUser`. The job of the deletion
   * is done when what is left of the rows in the files is overwritten too (users/rebuilding.ts).
   */
  deleteUser(userId: string, kind: DeletionKind): Promise<DeletedUser>
  /**
   * Overwrites what deleted rows have left behind in the files, in two steps: `overwrite`, then `empty log` until that is
   * true. Then, on SQLite, no byte of them is left in the data folder. PostgreSQL: docs/operations.md says what remains in
   * WAL and backups.
   *
   * False where it has to be tried again later: something holds a lock, reads old pages, or the time or the disk is used
   * up. SQLite writes the whole database into the log to overwrite it, so `overwrite` is not repeated before the log is
   * empty.
   */
  scrub(step: ScrubStep): Promise<boolean>
  /**
   * Calls `onChange` for every change from now on, this process's own included, until the function
   * it gives is called. A change may come twice, one from just before may come too, and none
   * before a read would see it. It must not throw: what is committed would fail for its caller.
   */
  watch(onChange: (change: Change) => void): Promise<() => void>
  /** Milliseconds since the store last gave the changes of others; 0 while nobody watches. Looked for every two seconds. */
  silentMs(): number
  /** Tells those who watch what another process of the service has just committed. */
  tell(changes: readonly Change[]): void
  close(): Promise<void>
}

export interface StoreOptions {
  /** The clock, for tests. */
  readonly now?: () => Date
  /** Called with what each write has changed; its acknowledgement waits for it. */
  readonly changed?: (changes: readonly Change[]) => Promise<void> | undefined
}

/** The store on an open database. */
export async function storeOn(
  database: Database,
  { now = () => new Date(), changed }: StoreOptions = {},
): Promise<Store> {
  const damaged = Promise.withResolvers<string>()
  const throwNoting = (error: Error): never => {
    const { cause } = error
    if (cause instanceof TamisError && cause.code === 'STORE_DAMAGED') {
      damaged.resolve(cause.message)
    }
    throw error
  }
  // Read by the first call, which needs none.
  let secret: Uint8Array = new Uint8Array()
  const forward = async (name: OperationName, args: readonly unknown[]) => {
    const context = { kind: database.kind, secret, now: now(), changes: [] }
    if (OPERATIONS[name] === 'read') {
      return await database.read(context, name, args).catch(throwNoting)
    }
    const { value, changes } = await database.write(context, name, args).catch(throwNoting)
    if (changes.length > 0) {
      watchers.tell(changes)
      await changed?.(changes)
    }
    return value
  }
  const {
    deleteRowsOfUser,
    deleteSomeHistory,
    expireSome,
    expireSomeCorrespondents,
    expireSomeHistory,
    forgetSomeSubjects,
    historyReaches,
    installationSecret,
    ...calls
  } = forwarded(forward)
  const watchers = new Watchers(database, calls)
  secret = await installationSecret()
  return {
    ...calls,
    secret,
    place: database.place,
    damaged: damaged.promise,

    check() {
      void database.check().then((what) => {
        if (what !== undefined) damaged.resolve(what)
      })
    },

    expireCorrections: (before) => inBatches(() => expireSome(before)),

    forgetSubjects: () => inBatches(forgetSomeSubjects),

    async expireCorrespondents(before, heardBefore) {
      let expired = 0
      for (const kind of CORRESPONDENT_KINDS) {
        const from = kind === 'heard' ? heardBefore : before
        expired += await inBatches(() => expireSomeCorrespondents(kind, from))
      }
      return expired
    },

    async expireHistory(before, entriesMax) {
      const full = await historyReaches(entriesMax)
      const from = full !== undefined && full > before ? full : before
      return await inBatches(() => expireSomeHistory(from))
    },

    async deleteUser(userId, kind) {
      const history = kind === 'all' ? await inBatches(() => deleteSomeHistory(userId)) : 0
      return await deleteRowsOfUser(userId, kind, history)
    },

    scrub: (step) => database.scrub(step),

    watch: (onChange) => watchers.add(onChange),

    silentMs: () => watchers.silentMs,

    tell: (changes) => watchers.tell(changes),

    async close() {
      watchers.stop()
      await database.close()
    },
  }
}

/** Removes in batches, each a transaction, until one is not full. How many were removed. */
async function inBatches(
  removeSome: () => Promise<{ readonly removed: number; readonly more: boolean }>,
): Promise<number> {
  let removed = 0
  for (let more = true; more; ) {
    const batch = await removeSome()
    removed += batch.removed
    more = batch.more
  }
  return removed
}

/** A function for every operation of the table, which hands its name and arguments on. */
function forwarded(
  forward: (name: OperationName, args: readonly unknown[]) => Promise<unknown>,
): Calls {
  const names = Object.keys(OPERATIONS) as OperationName[]
  const calls = names.map((name) => [name, (...args: unknown[]) => forward(name, args)])
  return Object.fromEntries(calls) as Calls
}
