/**
 * The store, in the words of the domain: keys, rules, the log of corrections, the models learned
 * from it, and deleted users.
 *
 * Its operations are plain functions on a connection (reads.ts, long-reads.ts) or in a transaction (writes.ts). The store has
 * each under its name, so a new one needs only such a function.
 *
 * Every call may throw TamisError STORE_UNAVAILABLE (disk full, database unreachable, locked too
 * long): then nothing of it was written, or, where the connection broke during the commit, all of
 * it; calling again is safe either way. What a promise acknowledges survives `kill -9` and the
 * loss of power. Callers' mistakes (a text too long) are RangeErrors.
 */
import { type ChangeSource, Changes, type OnChange, type Tx } from './changes.ts'
import type { WriteName } from './group-commit.ts'
import * as longReads from './long-reads.ts'
import * as reads from './reads.ts'
import type { LongReadName, ScrubStep } from './sqlite-calls.ts'
import { damageOf } from './sqlite-file.ts'
import type { StorePlace } from './store-place.ts'
import type { Queries } from './tables.ts'
import * as writes from './writes.ts'

/** Functions as the store has them: without connection or transaction, which it gives. */
type Bound<Functions, First> = {
  readonly [Name in keyof Functions as Functions[Name] extends (
    first: First,
    ...args: never[]
  ) => Promise<unknown>
    ? Name
    : never]: Functions[Name] extends (first: First, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never
}

type Calls = Bound<typeof reads, Queries> &
  Bound<typeof longReads, Queries> &
  Bound<typeof writes, Tx>

export interface Store extends Calls {
  /**
   * 32 random bytes, made when the database was; the same for all replicas, and they never leave
   * the installation. The key of every HMAC (`userKey`, `messageKey`, `senderKey`, `domainKey`).
   */
  readonly secret: Uint8Array
  readonly place: StorePlace
  /** Resolves, to the database's own words, once this thread finds that a SQLite file is malformed; else never. */
  readonly damaged: Promise<string>
  /** Checks the whole file in the background; `damaged` resolves if it is malformed. */
  check(): void
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
  /** Calls `onChange` for every change from now on, until the function it gives is called (changes.ts). */
  watch(onChange: OnChange): () => void
  /** False while this process has committed a change that the watchers on this thread have not seen: a lookup catches up first. */
  isCurrent(): boolean
  /** Resolves once they have seen it; never rejects, and does not wait long for the store. */
  catchUp(): Promise<void>
  /** Milliseconds since the store was last asked for changes with success; 0 while nothing watches. It is asked every quarter of a second. */
  silentMs(): number
  close(): Promise<void>
}

/** What the store needs of a database (sqlite.ts, postgres.ts). */
export interface Database extends ChangeSource {
  readonly secret: Uint8Array
  readonly place: StorePlace
  longRead(name: LongReadName, args: readonly unknown[]): Promise<unknown>
  /** Resolves after the COMMIT. */
  write(now: Date, name: WriteName, args: readonly unknown[]): Promise<unknown>
  /** See `Store.scrub`. */
  scrub(step: ScrubStep): Promise<boolean>
  /** What is malformed in the files, in the database's own words; undefined for nothing, or if it cannot be checked. */
  check(): Promise<string | undefined>
  close(): Promise<void>
}

type Run = (...args: unknown[]) => Promise<unknown>

/**
 * The store on an open database.
 *
 * @param counter see changes.ts
 * @param now the clock.
 */
export async function storeOn(
  database: Database,
  counter: Int32Array,
  now: () => Date,
): Promise<Store> {
  const damaged = Promise.withResolvers<string>()
  const changes = await Changes.open(database, counter)

  /** `run`, which notices damage. */
  const noticing =
    (run: Run): Run =>
    async (...args) => {
      try {
        return await run(...args)
      } catch (error) {
        const damage = damageOf(error)
        if (damage !== undefined) damaged.resolve(damage)
        throw error
      }
    }
  const calls = {
    ...bound(reads, (_, read) => noticing((...args) => database.read((db) => read(db, ...args)))),
    ...bound(longReads, (name) => noticing((...args) => database.longRead(name, args))),
    ...bound(writes, (name) => noticing((...args) => database.write(now(), name, args))),
  } as Calls

  return {
    ...calls,
    secret: database.secret,
    place: database.place,
    damaged: damaged.promise,
    check() {
      database.check().then(
        (damage) => {
          if (damage !== undefined) damaged.resolve(damage)
        },
        () => {},
      )
    },

    scrub: (step) => database.scrub(step),

    watch: (onChange) => changes.watch(onChange),

    isCurrent: () => changes.isCurrent,

    catchUp: () => changes.catchUp(),

    silentMs: () => changes.silentMs,

    async close() {
      changes.stop()
      await database.close()
    },
  }
}

/** The functions of a module, by their names, as `bind` makes them. */
function bound<Name extends string>(
  functions: Readonly<Record<Name, unknown>>,
  bind: (name: Name, run: Run) => Run,
): Readonly<Record<Name, Run>> {
  const names = Object.keys(functions) as Name[]
  const entries = names.map((name) => [name, bind(name, functions[name] as Run)])
  return Object.fromEntries(entries)
}
