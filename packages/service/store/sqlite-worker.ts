/**
 * SQLite on a thread of its own: operations come as messages, results go back.
 *
 * SQLite waits for the disk and for locks on the thread that calls it, and the thread that answers
 * HTTP has no time for that. A whole operation is one message: were it one a statement, each
 * statement would wait for two threads to be scheduled on processors that are busy with mail.
 */
import { workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { TamisError } from '../../mail/errors.ts'
import { answerCalls } from '../threads/answer-calls.ts'
import type { Context, Queries, Written } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import type { OperationName } from './operations.ts'
import { runOperation, runWrite } from './run-operation.ts'
import { openConnection, type SqliteConnection, type SqliteSettings } from './sqlite-connection.ts'

let connection: SqliteConnection | undefined

const writes = new GroupCommit(() => database().startTransaction().execute())

export type SqliteCalls = typeof CALLS

const CALLS = {
  migrate: () =>
    database()
      .transaction()
      .execute((db) => migrate(db, 'sqlite')),
  scrub: () => database().connection().execute(overwriteDeleted),
  read,
  write,
  close: () => connection?.close(),
}

answerCalls(CALLS)

function read(context: Context, name: OperationName, args: readonly unknown[]): Promise<unknown> {
  return runOperation(database(), context, name, args)
}

function write(context: Context, name: OperationName, args: readonly unknown[]): Promise<Written> {
  return writes.write((db) => runWrite(db, context, name, args))
}

/** Opening is tried anew each time, so that the store works once the cause is gone. */
function database(): Queries {
  connection ??= openConnection(workerData as SqliteSettings)
  return connection.db
}

/**
 * `secure_delete` zeroes what is deleted, but not the copies that SQLite left in the free room of
 * pages when it moved rows between them; VACUUM writes every page anew. The log still holds the
 * old ones until it is emptied, which waits for readers that look at them.
 */
async function overwriteDeleted(db: Queries): Promise<boolean> {
  try {
    // VACUUM makes a copy of the database, too large for memory.
    await sql`pragma temp_store = file`.execute(db)
    await sql`vacuum`.execute(db)
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    return rows[0]?.busy === 0
  } catch (error) {
    if (error instanceof TamisError) return false
    throw error
  } finally {
    await sql`pragma temp_store = memory`.execute(db)
  }
}
