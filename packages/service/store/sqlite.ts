/**
 * SQLite, the embedded default: one file in the data folder.
 *
 * One thread writes and one reads, each with a connection of its own, so that no reader waits for
 * the disk that a writer waits for. Among the processes of a service one writes for all
 * (sqlite-writer.ts). Other processes may have the file open too (`tamis keys add`).
 */
import { dirname } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { makePrivateFolder } from '../data-folder.ts'
import { ownerText } from '../file-owner.ts'
import { Thread } from '../threads/thread.ts'
import type { Context } from './context.ts'
import type { Database, ScrubStep, Written } from './database.ts'
import type { OperationName } from './operations.ts'
import type { SqliteCheck } from './sqlite-check.ts'
import type { SqliteSettings } from './sqlite-connection.ts'
import {
  closeThread,
  type SqliteThread,
  type SqliteWriter,
  SqliteWriterThread,
  sqliteThread,
} from './sqlite-writer.ts'
import { type StorePlace, sqlitePlace } from './store-place.ts'

/** A backup of the file, or a command that writes beside the service, is done in five seconds. */
const BUSY_TIMEOUT_MS = 5_000

export type SqliteOptions = Pick<SqliteSettings, 'file'> & Partial<SqliteSettings>

/** A writer that has brought the tables up to date. */
export interface OpenWriter {
  readonly writer: SqliteWriter
  /** Whether it has made the database. */
  readonly isNew: boolean
}

export class SqliteDatabase implements Database {
  readonly kind = 'sqlite'
  readonly #file: string
  readonly #writer: SqliteWriter
  readonly #reader: SqliteThread
  readonly #isNew: boolean
  #check: Thread<SqliteCheck> | undefined

  private constructor(settings: SqliteSettings, { writer, isNew }: OpenWriter) {
    this.#file = settings.file
    this.#writer = writer
    this.#isNew = isNew
    this.#reader = sqliteThread(settings)
  }

  /**
   * Opens the database. Brings its tables up to date, and makes it where there is none, unless `opened` has.
   *
   * @throws TamisError STORE_UNAVAILABLE; CONFIG_INVALID when a newer version made the tables.
   */
  static async open(options: SqliteOptions, opened?: OpenWriter): Promise<SqliteDatabase> {
    return new SqliteDatabase(settingsOf(options), opened ?? (await openSqliteWriter(options)))
  }

  get place(): StorePlace {
    return sqlitePlace(this.#file, this.#isNew)
  }

  read(context: Context, name: OperationName, args: readonly unknown[]): Promise<unknown> {
    return this.#reader.call('read', context, name, args)
  }

  write(context: Context, name: OperationName, args: readonly unknown[]): Promise<Written> {
    return this.#writer.write(context, name, args)
  }

  scrub(step: ScrubStep): Promise<boolean> {
    return this.#writer.scrub(step)
  }

  /** Once: what became malformed later shows when it is read. */
  async check(): Promise<string | undefined> {
    const check = new Thread<SqliteCheck>({
      module: moduleBeside(import.meta.url, 'sqlite-check'),
      workerData: this.#file,
      endedBy: () => new Error('The check of the store has ended'),
    })
    this.#check = check
    try {
      return await check.call('check')
    } catch {
      return undefined
    } finally {
      await check.close()
    }
  }

  /** What other processes commit is found by asking: see change-follower.ts. */
  onCommit(): () => void {
    return () => {}
  }

  async close(): Promise<void> {
    await this.#check?.close()
    // The last to close empties the log, which a reader could not.
    await closeThread(this.#reader)
    await this.#writer.close()
  }
}

/**
 * Opens the file for writing, and brings its tables up to date; makes it where there is none.
 *
 * @throws TamisError STORE_UNAVAILABLE; CONFIG_INVALID when a newer version made the tables.
 */
export async function openSqliteWriter(options: SqliteOptions): Promise<OpenWriter> {
  await makePrivateFolder(dirname(options.file))
  const writer = new SqliteWriterThread(settingsOf(options))
  try {
    return { writer, isNew: await writer.migrate() }
  } catch (error) {
    await writer.close()
    throw withPath(error, options.file)
  }
}

function settingsOf(options: SqliteOptions): SqliteSettings {
  return { busyTimeoutMs: BUSY_TIMEOUT_MS, ...options }
}

/** `error`, with the file that could not be opened, and whose it is. */
function withPath(error: unknown, file: string): unknown {
  if (!(error instanceof TamisError) || error.code !== 'STORE_UNAVAILABLE') return error
  const { cause } = error
  const why = cause instanceof Error ? `: ${systemFault(cause)}` : ''
  return new TamisError(error.code, `Cannot open ${file}${why}${ownerText(file)}`, { cause })
}
