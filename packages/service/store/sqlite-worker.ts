/**
 * SQLite on a thread of its own: operations come as messages, results go back.
 *
 * SQLite waits for the disk and for locks on the thread that calls it, and the thread that answers
 * HTTP has no time for that. A whole operation is one message: were it one a statement, each
 * statement would wait for two threads to be scheduled on processors that are busy with mail.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { type ErrorCode, TamisError } from '../../mail/errors.ts'
import type { Context, Queries } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import { type Operation, READS, WRITES } from './operations.ts'
import { openConnection, type SqliteConnection, type SqliteSettings } from './sqlite-connection.ts'

export type Task =
  | { readonly name: 'migrate' | 'scrub' | 'close' }
  | {
      readonly name: keyof typeof READS | keyof typeof WRITES
      readonly context: Context
      readonly args: readonly unknown[]
    }

export interface TaskMessage {
  readonly id: number
  readonly task: Task
}

/** Plain data, because an error loses its class between threads. */
export type TaskResult =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: TaskError }

export interface TaskError {
  /** Of a TamisError; of any other the name of its class. */
  readonly code: ErrorCode | undefined
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly cause: string | undefined
}

let connection: SqliteConnection | undefined

const writes = new GroupCommit(() => database().startTransaction().execute())

parentPort?.on('message', async ({ id, task }: TaskMessage) => {
  try {
    parentPort?.postMessage({ id, value: await run(task) })
  } catch (error) {
    parentPort?.postMessage({ id, error: taskError(error) })
  }
})

function run(task: Task): Promise<unknown> {
  switch (task.name) {
    case 'migrate':
      return database()
        .transaction()
        .execute((db) => migrate(db, 'sqlite'))
    case 'scrub':
      return database().connection().execute(overwriteDeleted)
    case 'close':
      return close()
    default:
      return operate(task.name, task.context, task.args as never[])
  }
}

async function operate(
  name: keyof typeof READS | keyof typeof WRITES,
  context: Context,
  args: never[],
): Promise<unknown> {
  if (name in READS) {
    const read: Operation = READS[name as keyof typeof READS]
    return await read(database(), context, ...args)
  }
  const write: Operation = WRITES[name as keyof typeof WRITES]
  return await writes.write((db) => write(db, context, ...args))
}

/** Opening is tried anew each time, so that the store works once the cause is gone. */
function database(): Queries {
  connection ??= openConnection(workerData as SqliteSettings)
  return connection.db
}

async function close(): Promise<void> {
  connection?.close()
  // After the answer.
  setImmediate(() => parentPort?.close())
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

function taskError(error: unknown): TaskError {
  const { name, message, stack, cause } = error as Error
  return {
    code: error instanceof TamisError ? error.code : undefined,
    name,
    message,
    stack,
    cause: cause instanceof Error ? cause.message : undefined,
  }
}
