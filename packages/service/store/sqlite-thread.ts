/** The thread of a SQLite connection (sqlite-worker.ts). */
import { TamisError } from '../../errors/errors.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { Thread } from '../threads/thread.ts'
import type { SqliteCalls } from './sqlite-calls.ts'
import type { SqliteSettings } from './sqlite-connection.ts'

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
