/**
 * The log of changes: what changed and for whom, in the order of commits; and who follows it.
 *
 * The threads of a process share a counter that a write raises at its COMMIT, before it is acknowledged. A thread that looks
 * something up compares it with what it has seen (`isCurrent`) and reads the log first where it has moved, so what is
 * acknowledged on one thread holds on all. What other processes commit (replicas, `tamis keys add`) is found by polling.
 *
 * Writes follow one another over all replicas (postgres.ts), so numbers are in the order of commits: who has read up to one
 * has skipped none below it.
 */
import { userKeyOf } from '../users/message-keys.ts'
import { fromRow } from './rows.ts'
import type { ChangeTopic, Queries } from './tables.ts'

export interface Change {
  readonly seq: number
  readonly topic: ChangeTopic
  /** The key of the user, for the topic `user`; see `userKeyOf`. Absent for all users. */
  readonly userKey?: Uint8Array
}

/** A write in progress, the first argument of the functions of writes.ts. */
export interface Tx {
  readonly db: Queries
  /** The secret of the installation; see `Store.secret`. */
  readonly secret: Uint8Array
  /** When the write was asked for. */
  readonly now: Date
  /** Called when it appends a change, so that other threads look. */
  readonly changed: () => void
}

/** Appends a change of `userId`, or of all where the topic is not about users. */
export async function appendChange(
  { db, secret, now, changed }: Tx,
  topic: ChangeTopic,
  userId?: string,
): Promise<void> {
  const user_key = userId === undefined ? null : userKeyOf(secret, userId)
  await db.insertInto('changes').values({ topic, user_key, created_at: now.getTime() }).execute()
  changed()
}

/** Changes after `seq`, oldest first. */
async function changesSince(db: Queries, seq: number, limit: number): Promise<Change[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'user_key', 'topic'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map((row) => fromRow(row))
}

async function latestChange(db: Queries): Promise<number> {
  const { seq } = await db
    .selectFrom('changes')
    .select((column) => column.fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow()
  return seq ?? 0
}

/** How soon a change of another process is found, in milliseconds. */
const POLL_MS = 250

/** Changes read at once. */
const PAGE_SIZE = 1_000

/** How long a lookup waits for the changes, in milliseconds: then it goes on with what is known. */
const CATCH_UP_MS_MAX = 250

/** Called with a change. Lookups asked for meanwhile wait for what it returns. It must not throw or reject. */
export type OnChange = (change: Change) => unknown

export interface ChangeSource {
  read<T>(run: (db: Queries) => Promise<T>): Promise<T>
  /** A number that changes when another process may have committed something; undefined where that is not known. */
  version(): number | undefined
}

export class Changes {
  readonly #source: ChangeSource
  readonly #counter: Int32Array
  readonly #watchers = new Set<OnChange>()
  /** The number of the last change that the watchers know. */
  #seq: number
  /** The counter and the version when the changes up to them were last read. */
  #seen: number
  #version: number | undefined
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #heardAt = performance.now()
  /** Whether the last look failed: then the next is due, whatever counter and version say. */
  #isBehind = false

  private constructor(source: ChangeSource, counter: Int32Array, seen: number, seq: number) {
    this.#source = source
    this.#counter = counter
    this.#seen = seen
    this.#seq = seq
  }

  /** @param counter what the threads of the process share; a write adds to it. */
  static async open(source: ChangeSource, counter: Int32Array): Promise<Changes> {
    const seen = Atomics.load(counter, 0)
    return new Changes(source, counter, seen, await source.read(latestChange))
  }

  /** Follows the changes from now on, until the function that it gives is called. */
  watch(onChange: OnChange): () => void {
    this.#watchers.add(onChange)
    this.#timer ??= setInterval(() => void this.#poll(), POLL_MS).unref()
    return () => {
      this.#watchers.delete(onChange)
      if (this.#watchers.size === 0) this.stop()
    }
  }

  /** False while this process has committed a change that the watchers on this thread have not seen. */
  get isCurrent(): boolean {
    return this.#watchers.size === 0 || Atomics.load(this.#counter, 0) === this.#seen
  }

  /** Resolves once the watchers have seen what was committed before the call. Never rejects, and does not wait long: lookups go on without the store. */
  async catchUp(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CATCH_UP_MS_MAX)
    })
    await Promise.race([this.#caughtUp(), late])
    clearTimeout(timer)
  }

  /** Milliseconds since the store was last asked for changes with success; 0 while nothing watches. */
  get silentMs(): number {
    return this.#timer === undefined ? 0 : performance.now() - this.#heardAt
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #caughtUp(): Promise<void> {
    // A look in progress may have read before the COMMIT.
    await this.#looking
    if (!this.isCurrent) await this.#look()
  }

  async #poll(): Promise<void> {
    try {
      const version = this.#source.version()
      const isNew = version === undefined || version !== this.#version
      if (isNew || this.#isBehind || !this.isCurrent) await this.#look()
      else this.#heardAt = performance.now()
    } catch {
      // The store is not available: this is tried again.
    }
  }

  #look(): Promise<void> {
    this.#looking ??= this.#readAll().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #readAll(): Promise<void> {
    const seen = Atomics.load(this.#counter, 0)
    try {
      const version = this.#source.version()
      for (;;) {
        const changes = await this.#source.read((db) => changesSince(db, this.#seq, PAGE_SIZE))
        for (const change of changes) {
          await this.#tell(change)
          this.#seq = change.seq
        }
        if (changes.length < PAGE_SIZE) break
      }
      this.#version = version
      this.#isBehind = false
      this.#heardAt = performance.now()
    } catch {
      // While the store is not available, what is known serves.
      this.#isBehind = true
    }
    this.#seen = seen
  }

  async #tell(change: Change): Promise<void> {
    await Promise.all([...this.#watchers].map((onChange) => onChange(change)))
  }
}
