/**
 * SQLite, the embedded default: one file in the data folder.
 *
 * Each thread reads by a connection of its own; what may take long is read, and everything is written, by a thread of which the
 * process has one. Other processes may have the file open too (`tamis keys add`).
 */
import { dirname } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { makePrivateFolder } from '../data-folder.ts'
import { ownerText } from '../file-owner.ts'
import type { CallTable } from '../threads/calls.ts'
import type { Callable, Shared } from '../threads/shared.ts'
import { type SqliteCalls, type SqliteData, sqliteCalls } from './sqlite-calls.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import type { SqliteSettings } from './sqlite-file.ts'
import type { Database } from './store.ts'
import { sqlitePlace } from './store-place.ts'

/** How long a write waits for a lock: a backup of the file, or a command that writes beside the service, is done in five seconds. */
const BUSY_TIMEOUT_MS = 5_000

/** How long a read waits on its thread, in milliseconds. Readers wait only while the file is made, recovered or checked. */
const READ_TIMEOUT_MS = 100

/** A thread for long reads that has had nothing to do for so long ends, in milliseconds. */
const IDLE_MS = 60_000

export type SqliteOptions = Pick<SqliteSettings, 'file'> & Partial<SqliteSettings>

/**
 * Opens the file. Brings its tables up to date; makes it where there is none.
 *
 * @param shared what the threads of the process share; undefined for a command, which does all on one thread.
 * @throws TamisError STORE_UNAVAILABLE; CONFIG_INVALID when a newer version made the tables.
 */
export async function openSqlite(
  options: SqliteOptions,
  changes: SharedArrayBuffer,
  shared: Shared | undefined,
): Promise<Database> {
  const settings = { busyTimeoutMs: BUSY_TIMEOUT_MS, ...options }
  await makePrivateFolder(dirname(settings.file))
  const callsOf = (name: string) => openCalls(name, { settings, changes }, shared)
  const writer = callsOf('writer')
  const reader = new SqliteConnection({ ...settings, busyTimeoutMs: READ_TIMEOUT_MS })
  const longReads = new LongReads(() => callsOf('long reads'))
  const close = async () => {
    reader.close()
    await longReads.close()
    // The last to close empties the log, which a reader could not.
    await writer.close()
  }
  try {
    const { secret, isNew } = await writer.call('open')
    return {
      secret,
      place: sqlitePlace(settings.file, isNew),
      read: async (run) => await run(reader.db),
      longRead: (name, args) => longReads.call('read', name, args),
      write: (now, name, args) => writer.call('write', now, name, args),
      scrub: (step) => writer.call('scrub', step),
      check: () => longReads.call('check'),
      version: () => reader.version,
      close,
    }
  } catch (error) {
    await close()
    throw withPath(error, settings.file)
  }
}

type Caller<Functions extends CallTable> = Pick<Callable<Functions>, 'call' | 'close'>

function openCalls(name: string, data: SqliteData, shared?: Shared): Caller<SqliteCalls> {
  if (shared === undefined) return callHere(sqliteCalls(data))
  return shared.thread<SqliteCalls>(`${name} of ${data.settings.file}`, {
    module: moduleBeside(import.meta.url, 'sqlite-in-thread'),
    workerData: data,
    endedBy,
  })
}

/** Has a thread while there is something to read. */
class LongReads {
  readonly #open: () => Caller<SqliteCalls>
  #caller: Caller<SqliteCalls> | undefined
  /** Calls in progress. */
  #pending = 0
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(open: () => Caller<SqliteCalls>) {
    this.#open = open
  }

  call: Callable<SqliteCalls>['call'] = (name, ...args) => {
    if (this.#isClosed) return Promise.reject(endedBy())
    this.#caller ??= this.#open()
    clearTimeout(this.#idle)
    this.#pending++
    return this.#caller.call(name, ...args).finally(() => {
      this.#pending--
      if (this.#pending > 0 || this.#isClosed) return
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    await this.#end()
  }

  async #end(): Promise<void> {
    const caller = this.#caller
    this.#caller = undefined
    await caller?.close()
  }
}

/** Calls `functions` on this thread as they would be called on another. */
export function callHere<Functions extends CallTable>(functions: Functions): Caller<Functions> {
  return {
    call: async (name, ...args) => (await functions[name]!(...args)) as never,
    async close() {
      await functions['close']?.()
    },
  }
}

function endedBy(cause: unknown = new Error('The thread of the store has ended')): TamisError {
  return new TamisError('STORE_UNAVAILABLE', 'The store is not available', { cause })
}

/** `error`, with the file that could not be opened, and whose it is. */
function withPath(error: unknown, file: string): unknown {
  if (!(error instanceof TamisError) || error.code !== 'STORE_UNAVAILABLE') return error
  const { cause } = error
  const why = cause instanceof Error ? `: ${systemFault(cause)}` : ''
  return new TamisError(error.code, `Cannot open ${file}${why}${ownerText(file)}`, { cause })
}
