/**
 * What is done with a SQLite file on a thread of its own, since SQLite waits for the disk and for locks on the thread that
 * calls it. All threads of the process share one that writes, where writes share COMMITs (group-commit.ts), and one for
 * what may take seconds: long reads and the check of the file. In a command both are on the thread of the store.
 */
import { sql } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import { GroupCommit, type WriteName } from './group-commit.ts'
import * as longReads from './long-reads.ts'
import { migrate, type OpenedStore } from './migrate.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { asStoreError, damageOf, openDatabase, type SqliteSettings } from './sqlite-file.ts'
import type { Queries } from './tables.ts'

/** How long writes wait to empty the log while it is read. Our own reads take milliseconds. */
const EMPTYING_TIMEOUT_MS = 200

/**
 * `overwrite`: the rows that are left are written anew, over the deleted ones. `empty log`: what was written before goes
 * from the log too.
 */
export type ScrubStep = 'overwrite' | 'empty log'

export type LongReadName = keyof typeof longReads

const LONG_READS = { ...longReads } as unknown as Readonly<
  Record<LongReadName, (db: Queries, ...args: readonly unknown[]) => Promise<unknown>>
>

/** What the thread is started with. */
export interface SqliteData {
  readonly settings: SqliteSettings
  /** The counter that writes raise (changes.ts). */
  readonly changes: SharedArrayBuffer
}

export type SqliteCalls = ReturnType<typeof sqliteCalls>

export function sqliteCalls({ settings, changes }: SqliteData) {
  const connection = new SqliteConnection(settings)
  let opened: Promise<OpenedStore> | undefined
  const commits = new GroupCommit(
    () => connection.db.startTransaction().execute(),
    new Int32Array(changes),
  )

  /** Brings the tables up to date, once for all who open. */
  const open = async (): Promise<OpenedStore> => {
    opened ??= migrate(connection.db, 'sqlite')
    try {
      return await opened
    } catch (error) {
      opened = undefined
      throw error
    }
  }

  return {
    open,
    /** Resolves after the COMMIT. */
    write: async (now: Date, name: WriteName, args: readonly unknown[]): Promise<unknown> => {
      const { secret } = await open()
      return await commits.write(secret, now, name, args)
    },
    scrub: async (step: ScrubStep): Promise<boolean> =>
      await connection.db.connection().execute((db) => scrub(db, step, settings.busyTimeoutMs)),
    read: (name: LongReadName, args: readonly unknown[]): Promise<unknown> =>
      LONG_READS[name](connection.db, ...args),
    check: () => check(settings),
    close: () => connection.close(),
  }
}

/**
 * What is malformed first, in SQLite's words, which would otherwise show when it is needed, weeks later perhaps; undefined
 * for a sound file, and for one that cannot be read now.
 */
function check(settings: SqliteSettings): string | undefined {
  try {
    const database = openDatabase(settings)
    try {
      const { quick_check } = asStoreError(() => database.prepare('pragma quick_check(1)').get()!)
      return quick_check === 'ok' ? undefined : String(quick_check)
    } finally {
      database.close()
    }
  } catch (error) {
    return damageOf(error)
  }
}

async function scrub(db: Queries, step: ScrubStep, busyTimeoutMs: number): Promise<boolean> {
  try {
    if (step === 'empty log') return await emptyLog(db, busyTimeoutMs)
    await overwriteDeleted(db)
    return true
  } catch (error) {
    if (error instanceof TamisError) return false
    throw error
  }
}

/**
 * `secure_delete` zeroes what is deleted, but not the copies that SQLite left in the free room of
 * pages when it moved rows between them; VACUUM writes every page anew, into the log.
 */
async function overwriteDeleted(db: Queries): Promise<void> {
  try {
    // VACUUM makes a copy of the database, too large for memory.
    await sql`pragma temp_store = file`.execute(db)
    await sql`vacuum`.execute(db)
  } finally {
    await sql`pragma temp_store = memory`.execute(db)
  }
}

/** The log holds old pages until it is emptied, which is possible only while nothing reads them. */
async function emptyLog(db: Queries, busyTimeoutMs: number): Promise<boolean> {
  try {
    await sql`pragma busy_timeout = ${sql.lit(EMPTYING_TIMEOUT_MS)}`.execute(db)
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    return rows[0]?.busy === 0
  } finally {
    await sql`pragma busy_timeout = ${sql.lit(busyTimeoutMs)}`.execute(db)
  }
}
