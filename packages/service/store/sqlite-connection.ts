/**
 * Kysely over one connection of `node:sqlite`, with errors as the store has them.
 *
 * WAL with `synchronous=FULL`: what is committed survives the loss of power
 * (sqlite.org/pragma.html#pragma_synchronous). Kysely's own dialect is written for better-sqlite3,
 * whose statements have much the same form.
 */
import { closeSync, fchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import { isRootAmongOthers } from '../file-owner.ts'
import type { Queries } from './context.ts'
import { isDamage } from './sqlite-damage.ts'
import type { Tables } from './tables.ts'

/** Only the service's own user reads the file: it holds personal data. */
const FILE_MODE = 0o600

/** Prepared statements kept. The store has some sixty; the rest is room for migrations. */
const STATEMENTS_MAX = 200

/** Pause before another try to open a database that another process is just making. */
const OPEN_PAUSE_MS = 10

/** Setting the journal mode does not wait for a lock, whatever the timeout says. */
const SQLITE_BUSY = 5

/**
 * Primary result codes that are about a statement and not about disk, memory or locks: ERROR,
 * TOOBIG, CONSTRAINT, MISMATCH, MISUSE, RANGE (sqlite.org/rescode.html).
 */
const MISTAKES: readonly number[] = [1, 18, 19, 20, 21, 25]

export interface SqliteSettings {
  readonly file: string
  /** How long a statement waits for the lock of another connection. */
  readonly busyTimeoutMs: number
  /** The database grows no further: a full disk, for tests. */
  readonly pageCountMax?: number
}

export interface SqliteConnection {
  readonly db: Queries
  close(): void
}

/**
 * Opens the file, or makes it.
 *
 * @throws TamisError STORE_UNAVAILABLE.
 */
export function openConnection(settings: SqliteSettings): SqliteConnection {
  const database = asStoreError(() => openDatabase(settings))
  return {
    db: new Kysely<Tables>({ dialect: new ImmediateDialect(database) }),
    close: () => database.close(),
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    super({ database: new PreparedStatements(database) })
    this.#database = database
  }

  /** Tables are made whole or not at all. */
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#database)
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    super({ database: new PreparedStatements(database) })
    this.#database = database
  }

  /** Takes the write lock here, where waiting for it is safe, and not at the first write. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // An earlier transaction may still be open if it could not be rolled back.
    await this.rollbackTransaction(connection)
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** After some errors SQLite has rolled back by itself, and has nothing to roll back. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection)
  }
}

/** `database` in the form that Kysely's driver needs. */
class PreparedStatements {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear()
    const statement = kyselyStatement(asStoreError(() => this.#database.prepare(sql)))
    this.#statements.set(sql, statement)
    return statement
  }

  close(): void {
    this.#database.close()
  }
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => asStoreError(() => statement.all(...values(parameters))),
    run: (parameters) => asStoreError(() => statement.run(...values(parameters))),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}

/** What `action` gives. Errors that are not the statement's fault become STORE_UNAVAILABLE. */
function asStoreError<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    // The low byte is the primary code, what is above it tells more.
    if (errcode !== undefined && MISTAKES.includes(errcode & 0xff)) throw error
    if (error instanceof TypeError || error instanceof RangeError) throw error
    const text = errcode === undefined ? message : `SQLite ${errcode}: ${message}`
    const cause = isDamage(errcode) ? new TamisError('STORE_DAMAGED', text) : new Error(text)
    throw new TamisError('STORE_UNAVAILABLE', 'The store is not available', { cause })
  }
}

function openDatabase({ file, busyTimeoutMs, pageCountMax }: SqliteSettings): DatabaseSync {
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

/** Undefined for a file that is there, which this process must be able to write. */
function openNew(file: string): number | undefined {
  try {
    return openSync(file, 'ax', FILE_MODE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    closeSync(openSync(file, 'a', FILE_MODE))
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
