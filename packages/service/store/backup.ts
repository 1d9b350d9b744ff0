/**
 * Copies a store on SQLite into a new file, while others read and write it.
 *
 * `VACUUM INTO` is one statement, and so one read transaction (sqlite.org/lang_vacuum.html): it copies what is committed
 * when it begins, and ends however much is written meanwhile. SQLite's online backup, which `.backup` of its shell uses,
 * begins anew with every commit of another process, and never ended at five corrections a second. The copy has no free
 * pages, so nothing of what was deleted is in it.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TamisError } from '../../errors/errors.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { ownerText } from '../file-owner.ts'
import { SQLITE_FILE, type StoreSettings } from './open.ts'

/** A backup is as personal as the store, and holds its secret. */
const FILE_MODE = 0o600

/** How long it waits for one who makes or checks the file; readers and writers do not lock each other out. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * Makes `target`, which nobody sees before it is whole and on the disk. How many bytes it has.
 *
 * @throws TamisError CONFIG_INVALID where the store is in PostgreSQL or not there, or `target` exists or cannot be
 *   written; STORE_UNAVAILABLE.
 */
export function backUpStore({ databaseUrl, dataDir }: StoreSettings, target: string): number {
  if (databaseUrl !== undefined) {
    throw invalid('The store is in PostgreSQL (DATABASE_URL): back it up with pg_dump')
  }
  const source = resolve(join(dataDir, SQLITE_FILE))
  if (!existsSync(source)) {
    throw invalid(
      `There is no store at ${source}. Name the store of the service with TAMIS_CONFIG or TAMIS_DATA_DIR`,
    )
  }
  const file = resolve(target)
  refuseExisting(file)
  const partial = `${file}.${randomUUID()}.partial`
  make(partial, file)
  try {
    copy(source, partial)
    sync(partial)
    refuseExisting(file)
    renameSync(partial, file)
    sync(dirname(file))
    return statSync(file).size
  } finally {
    rmSync(partial, { force: true })
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw invalid(`${file} exists: name a file that is not there yet`)
}

/** SQLite would make the file readable to others; it writes into an empty one. */
function make(partial: string, file: string): void {
  try {
    closeSync(openSync(partial, 'wx', FILE_MODE))
  } catch (cause) {
    throw invalid(`Cannot write ${file}: ${systemFault(cause)}`, cause)
  }
}

function copy(source: string, target: string): void {
  try {
    const database = new DatabaseSync(source, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    try {
      database.prepare('vacuum into ?').run(target)
    } finally {
      database.close()
    }
  } catch (cause) {
    throw new TamisError(
      'STORE_UNAVAILABLE',
      `${source} cannot be backed up: ${systemFault(cause)}${ownerText(source)}`,
      { cause },
    )
  }
}

/** A file may be renamed and in no folder after a loss of power, unless both are synced. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function invalid(text: string, cause?: unknown): TamisError {
  return new TamisError('CONFIG_INVALID', text, cause === undefined ? {} : { cause })
}
