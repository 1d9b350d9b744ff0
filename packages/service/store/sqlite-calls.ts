/**
 * What one connection to a SQLite file can be asked for. A thread of its own answers (sqlite-in-thread.ts).
 */
import { sql } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import type { Context, Queries } from './context.ts'
import type { ScrubStep, Written } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import type { OperationName } from './operations.ts'
import { runOperation, runWrite } from './run-operation.ts'
import { openConnection, type SqliteConnection, type SqliteSettings } from './sqlite-connection.ts'

/** How long writes wait while the log is to be emptied and somebody reads it. Our own reads take milliseconds. */
const EMPTYING_TIMEOUT_MS = 200

export type SqliteCalls = ReturnType<typeof sqliteCalls>

/** The connection is opened by the first call, and anew by the next where that failed: the store works once the cause is gone. */
export function sqliteCalls(settings: SqliteSettings) {
  let connection: SqliteConnection | undefined

  const database = () => {
    connection ??= openConnection(settings)
    return connection.db
  }

  const writes = new GroupCommit(() => database().startTransaction().execute())

  return {
    migrate: () => migrate(database(), 'sqlite'),
    scrub: (step: ScrubStep) =>
      database()
        .connection()
        .execute((db) => scrub(db, step, settings.busyTimeoutMs)),
    read: (context: Context, name: OperationName, args: readonly unknown[]): Promise<unknown> =>
      runOperation(database(), context, name, args),
    write: (context: Context, name: OperationName, args: readonly unknown[]): Promise<Written> =>
      writes.write((db) => runWrite(db, context, name, args)),
    close: () => connection?.close(),
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

/** The log holds old pages until it is emptied, which nobody may read meanwhile. */
async function emptyLog(db: Queries, busyTimeoutMs: number): Promise<boolean> {
  try {
    await sql`pragma busy_timeout = ${sql.lit(EMPTYING_TIMEOUT_MS)}`.execute(db)
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    return rows[0]?.busy === 0
  } finally {
    await sql`pragma busy_timeout = ${sql.lit(busyTimeoutMs)}`.execute(db)
  }
}
