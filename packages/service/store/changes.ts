/**
 * The log of changes: what changed and for whom, in the order in which readers may see it; and who follows it.
 *
 * The threads of a process share a counter that a write raises at its COMMIT, before it is acknowledged. A thread that looks
 * something up compares it with what it has seen (`isCurrent`) and reads the log first where it has moved, so what is
 * acknowledged on one thread holds on all. What other processes commit (replicas, `tamis keys add`) is found by polling.
 *
 * PostgreSQL numbers rows when they are written and shows them when they are committed, and a
 * reader who goes by numbers alone skips what is committed late. So the order is (transaction,
 * number), and the cursor stands before the first transaction that was still running: what is
 * behind it can change no more (pg_snapshot_xmin). What is visible beyond it is given too, and
 * again later. SQLite has one writer at a time and needs none of this; its transaction is 0.
 */
import { type RawBuilder, sql } from 'kysely'
import { userKeyOf } from '../users/message-keys.ts'
import { checkLimit, fromRow } from './rows.ts'
import type { ChangeTopic, DatabaseKind, Queries } from './tables.ts'

/** Where a reader of the changes stands: after the change of this number in this transaction. */
export interface ChangeCursor {
  readonly transaction: number
  readonly seq: number
}

export interface Change extends ChangeCursor {
  readonly topic: ChangeTopic
  /** The key of the user, for the topics `user` and `correspondents`; see `userKeyOf`. Absent for all users. */
  readonly userKey?: Uint8Array
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  readonly cursor: ChangeCursor
}

/** A write in progress, the first argument of the functions of writes.ts. */
export interface Tx {
  readonly db: Queries
  readonly kind: DatabaseKind
  /** The secret of the installation; see `Store.secret`. */
  readonly secret: Uint8Array
  /** When the write was asked for. */
  readonly now: Date
  /** Called when it appends a change, so that other threads look. */
  readonly changed: () => void
}

/** Changes after `cursor`. */
const AFTER: Record<DatabaseKind, (cursor: ChangeCursor) => RawBuilder<boolean>> = {
  postgres: ({ transaction, seq }) => sql`(transaction_id, seq) > (${transaction}, ${seq})`,
  // SQLite would compare the first column of the two alone by the index, and so read all there are.
  sqlite: ({ transaction, seq }) => sql`transaction_id = ${transaction} and seq > ${seq}`,
}

/** The oldest transaction that was running when the query began. */
const OLDEST_RUNNING: Record<DatabaseKind, RawBuilder<number>> = {
  postgres: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  sqlite: sql<number>`1`,
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

/**
 * Changes after `cursor`, oldest first, without a gap; and the cursor to go on
 * from. A change beside which another is just being written comes again with the next call.
 */
export async function changesSince(
  db: Queries,
  kind: DatabaseKind,
  cursor: ChangeCursor,
  limit: number,
): Promise<ChangesPage> {
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'transaction_id as transaction', 'user_key', 'topic'])
    .select(OLDEST_RUNNING[kind].as('oldest_running'))
    .where(AFTER[kind](cursor))
    .orderBy('transaction_id')
    .orderBy('seq')
    .limit(checkLimit(limit))
    .execute()
  const settled = rows.findLast((row) => row.transaction < row.oldest_running)
  return {
    changes: rows.map(({ oldest_running, ...row }) => fromRow(row)),
    cursor: settled ? { transaction: settled.transaction, seq: settled.seq } : cursor,
  }
}

/** The cursor after which only later changes come. */
export async function latestChange(db: Queries, kind: DatabaseKind): Promise<ChangeCursor> {
  if (kind === 'postgres') {
    const oldest = await db
      .selectNoFrom(OLDEST_RUNNING.postgres.as('xid'))
      .executeTakeFirstOrThrow()
    return { transaction: oldest.xid, seq: 0 }
  }
  const { seq } = await db
    .selectFrom('changes')
    .select((column) => column.fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow()
  return { transaction: 0, seq: seq ?? 0 }
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
  since(cursor: ChangeCursor, limit: number): Promise<ChangesPage>
  latest(): Promise<ChangeCursor>
  /** A number that changes when another process may have committed something; undefined where that is not known. */
  version(): number | undefined
}

export class Changes {
  readonly #source: ChangeSource
  readonly #counter: Int32Array
  readonly #watchers = new Set<OnChange>()
  #cursor: ChangeCursor
  /** The counter and the version when the changes up to them were last read. */
  #seen: number
  #version: number | undefined
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #heardAt = performance.now()
  /** Whether the last look failed: then the next is due, whatever counter and version say. */
  #isBehind = false
  /** Changes beyond the cursor that watchers know: they will be read once more. */
  #known: ReadonlySet<number> = new Set()

  private constructor(
    source: ChangeSource,
    counter: Int32Array,
    seen: number,
    cursor: ChangeCursor,
  ) {
    this.#source = source
    this.#counter = counter
    this.#seen = seen
    this.#cursor = cursor
  }

  /** @param counter what the threads of the process share; a write adds to it. */
  static async open(source: ChangeSource, counter: Int32Array): Promise<Changes> {
    const seen = Atomics.load(counter, 0)
    return new Changes(source, counter, seen, await source.latest())
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
      const beyond = new Set<number>()
      let position = this.#cursor
      for (;;) {
        const { changes, cursor } = await this.#source.since(position, PAGE_SIZE)
        if (cursor !== position) this.#cursor = cursor
        for (const change of changes) {
          if (!this.#known.has(change.seq)) await this.#tell(change)
          if (isAfter(change, this.#cursor)) beyond.add(change.seq)
        }
        if (changes.length < PAGE_SIZE) break
        position = changes.at(-1)!
      }
      this.#known = beyond
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

function isAfter({ transaction, seq }: ChangeCursor, cursor: ChangeCursor): boolean {
  return (
    transaction > cursor.transaction || (transaction === cursor.transaction && seq > cursor.seq)
  )
}
