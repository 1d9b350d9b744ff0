/**
 * A SQLite file: how it is made and opened, and what its errors mean.
 *
 * WAL with `synchronous=FULL`: what is committed survives the loss of power
 * (sqlite.org/pragma.html#pragma_synchronous).
 */
import { accessSync, closeSync, constants, fchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TamisError } from '../../errors/errors.ts'
import { isRootAmongOthers } from '../file-owner.ts'

/** Only the service's own user reads the file: it holds personal data. */
const FILE_MODE = 0o600

/** Pause before another try to open a database that another process is just making. */
const OPEN_PAUSE_MS = 10

/** Setting the journal mode does not wait for a lock, whatever the timeout says. */
const SQLITE_BUSY = 5

/**
 * Primary result codes that are about a statement and not about disk, memory or locks: ERROR,
 * TOOBIG, CONSTRAINT, MISMATCH, MISUSE, RANGE (sqlite.org/rescode.html).
 */
const MISTAKES: readonly number[] = [1, 18, 19, 20, 21, 25]

/** Primary result codes that say that a file is malformed, which does not pass by itself: CORRUPT, NOTADB. */
const DAMAGE: readonly number[] = [11, 26]

export interface SqliteSettings {
  readonly file: string
  /** How long a statement waits for the lock of another connection. */
  readonly busyTimeoutMs: number
  /** The database grows no further: a full disk, for tests. */
  readonly pageCountMax?: number
}

/** What a STORE_UNAVAILABLE says is malformed; undefined where it is not that. */
export function damageOf(error: unknown): string | undefined {
  const { cause } = error as Error
  return cause instanceof TamisError && cause.code === 'STORE_DAMAGED' ? cause.message : undefined
}

/** What `action` gives. Errors that are not the statement's fault become STORE_UNAVAILABLE. */
export function asStoreError<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    if (error instanceof TypeError || error instanceof RangeError) throw error
    if (errcode === undefined) throw unavailable(new Error(message))
    // The low byte is the primary code, what is above it tells more.
    const primary = errcode & 0xff
    if (MISTAKES.includes(primary)) throw error
    const text = `SQLite ${errcode}: ${message}`
    throw unavailable(
      DAMAGE.includes(primary) ? new TamisError('STORE_DAMAGED', text) : new Error(text),
    )
  }
}

export function unavailable(cause: Error): TamisError {
  return new TamisError('STORE_UNAVAILABLE', 'The store is not available', { cause })
}

/** Opens the file, or makes it. @throws TamisError STORE_UNAVAILABLE */
export function openDatabase(settings: SqliteSettings): DatabaseSync {
  return asStoreError(() => opened(settings))
}

function opened({ file, busyTimeoutMs, pageCountMax }: SqliteSettings): DatabaseSync {
  makeFile(file)
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    setWalMode(database, performance.now() + busyTimeoutMs)
    database.exec(`
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma secure_delete = on;
      pragma temp_store = memory;
    `)
    if (pageCountMax !== undefined) database.exec(`pragma max_page_count = ${pageCountMax}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Makes the file, where there is none, for the owner of its folder: as root, `tamis keys add` may make
 * the store that the service is to write. SQLite gives its log and index the file's mode and, as
 * root, its owner.
 */
function makeFile(file: string): void {
  const folder = dirname(file)
  const descriptor = openNew(file)
  if (descriptor === undefined) return
  try {
    if (!isRootAmongOthers(folder)) return
    const { uid, gid } = statSync(folder)
    fchownSync(descriptor, uid, gid)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Undefined for a file that is there, which this process must be able to write. That one is not opened: closing it would
 * drop the locks of all connections of this process (fcntl(2)), and another process that uses the file could remove the
 * log that they write to.
 */
function openNew(file: string): number | undefined {
  try {
    return openSync(file, 'ax', FILE_MODE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    accessSync(file, constants.W_OK)
    return undefined
  }
}

function setWalMode(database: DatabaseSync, deadline: number): void {
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
      if (performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_PAUSE_MS)
    }
  }
}
