/**
 * Who writes to a SQLite file: one thread, whose operations share COMMITs (group-commit.ts). A service of
 * several processes has one for all of them, in the process that supervises them: were there one in
 * each, each would wait for the others' lock and commit alone.
 */

import { TamisError } from '../../errors/errors.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { Thread } from '../threads/thread.ts'
import type { Context } from './context.ts'
import type { ScrubStep, Written } from './database.ts'
import type { OperationName } from './operations.ts'
import type { SqliteCalls } from './sqlite-calls.ts'
import type { SqliteSettings } from './sqlite-connection.ts'

export interface SqliteWriter {
  /** Resolves after the COMMIT. */
  write(context: Context, name: OperationName, args: readonly unknown[]): Promise<Written>
  /** See `Database.scrub`. */
  scrub(step: ScrubStep): Promise<boolean>
  close(): Promise<void>
}

export class SqliteWriterThread implements SqliteWriter {
  readonly #thread: SqliteThread

  constructor(settings: SqliteSettings) {
    this.#thread = sqliteThread(settings)
  }

  /** Brings the tables up to date; makes them where there are none. Whether it has. */
  migrate(): Promise<boolean> {
    return this.#thread.call('migrate')
  }

  write(context: Context, name: OperationName, args: readonly unknown[]): Promise<Written> {
    return this.#thread.call('write', context, name, args)
  }

  scrub(step: ScrubStep): Promise<boolean> {
    return this.#thread.call('scrub', step)
  }

  close(): Promise<void> {
    return closeThread(this.#thread)
  }
}

/** Closes the connection of `thread`, and ends it. */
export async function closeThread(thread: SqliteThread): Promise<void> {
  if (!thread.isClosed) await thread.call('close').catch(() => {})
  await thread.close()
}

/** The thread of a connection (sqlite-in-thread.ts), for reading or for writing. */
export type SqliteThread = Thread<SqliteCalls>

export function sqliteThread(settings: SqliteSettings): SqliteThread {
  return new Thread({
    module: moduleBeside(import.meta.url, 'sqlite-in-thread'),
    workerData: settings,
    endedBy: (cause) =>
      new TamisError('STORE_UNAVAILABLE', 'The store is not available', {
        cause: cause ?? new Error('The thread of the SQLite connection has ended'),
      }),
  })
}
