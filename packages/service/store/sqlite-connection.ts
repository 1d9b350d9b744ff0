/**
 * Kysely over one connection of `node:sqlite`. Its own dialect is written for better-sqlite3, whose statements have much the
 * same form.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import { asStoreError, openDatabase, type SqliteSettings, unavailable } from './sqlite-file.ts'
import type { Queries } from './tables.ts'

/** Prepared statements kept. The store has some sixty; the rest is room for migrations. */
const STATEMENTS_MAX = 200

/** One connection to the file, opened when it is first used, and by the next use where that failed: the store works once the cause is gone. */
export class SqliteConnection {
  readonly #settings: SqliteSettings
  #open: { readonly database: DatabaseSync; readonly db: Queries } | undefined
  #isClosed = false

  constructor(settings: SqliteSettings) {
    this.#settings = settings
  }

  /** @throws TamisError STORE_UNAVAILABLE */
  get db(): Queries {
    return this.#opened().db
  }

  /** A number that is another one when another connection has committed something. @throws TamisError STORE_UNAVAILABLE */
  get version(): number {
    const { database } = this.#opened()
    return asStoreError(() =>
      Number(database.prepare('pragma data_version').get()!['data_version']),
    )
  }

  close(): void {
    this.#isClosed = true
    this.#open?.database.close()
    this.#open = undefined
  }

  #opened() {
    if (this.#isClosed) throw unavailable(new Error('The store is closed'))
    if (this.#open === undefined) {
      const database = openDatabase(this.#settings)
      this.#open = { database, db: new Kysely({ dialect: dialectOn(database) }) }
    }
    return this.#open
  }
}

function dialectOn(database: DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ImmediateDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Tables are made whole or not at all. */
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
