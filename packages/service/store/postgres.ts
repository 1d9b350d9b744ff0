/**
 * PostgreSQL, for several replicas on one database (`DATABASE_URL`).
 *
 * Writes take an advisory lock first and so happen one after another over all replicas; within a
 * thread those that wait share a COMMIT. A connection that breaks fails what
 * ran on it, and the next call gets another.
 */
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { TamisError } from '../../errors/errors.ts'
import { GroupCommit } from './group-commit.ts'
import * as longReads from './long-reads.ts'
import { migrate } from './migrate.ts'
import type { Database } from './store.ts'
import { postgresText } from './store-place.ts'
import type { Queries } from './tables.ts'

/** The most connections of a thread. PostgreSQL allows 100 in all by default. */
const CONNECTIONS_MAX = 4

/** A server in the same network answers in milliseconds; after two seconds it is not there. */
const CONNECT_TIMEOUT_MS = 2_000

/** The longest time of a statement, including the wait for the lock of writes: HTTP clients wait no longer. */
const STATEMENT_TIMEOUT_MS = 10_000

/** If the server does not even report the timeout within this time, the connection is dead. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000

/** A thread that stops in the middle of a write gives the lock of writes back after this. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15_000

/** VACUUM reads the indexes whole: some seconds for a gigabyte. Autovacuum does what it does not. */
const VACUUM_TIMEOUT_MS = 60_000

/** Reads of an int8 as a number: nothing here counts beyond 2^53. */
const INT8 = pg.types.builtins.INT8

/**
 * Classes of SQLSTATE that are about a statement and not about the server: feature not supported,
 * cardinality, data, integrity, syntax or access (PostgreSQL documentation, appendix A).
 */
const MISTAKES = /^(0A|21|22|23|42)/

const SQLSTATE = /^[0-9A-Z]{5}$/

const LONG_READS = { ...longReads } as unknown as Readonly<
  Record<string, (db: Queries, ...args: readonly unknown[]) => Promise<unknown>>
>

/**
 * Opens the database and brings its tables up to date.
 *
 * @param changes the counter that writes raise (changes.ts).
 * @throws TamisError STORE_UNAVAILABLE; CONFIG_INVALID when a newer version made the tables, or
 *   the database is not in UTF-8.
 */
export async function openPostgres(databaseUrl: string, changes: Int32Array): Promise<Database> {
  const options = connectionOptions(databaseUrl)
  const pool = new pg.Pool({ ...options, max: CONNECTIONS_MAX })
  // A connection that breaks while idle has left the pool already; one that breaks between two
  // statements of a transaction fails the next. Neither may end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db: Queries = new Kysely({ dialect: new PostgresDialect({ pool: checkedPool(pool) }) })
  const commits = new GroupCommit(() => begin(db), changes)
  try {
    await refuseOtherEncoding(db)
    const { isNew, secret } = await migrate(db, 'postgres')
    return {
      secret,
      place: { at: postgresText(databaseUrl), isNew },
      read: (run) => run(db),
      longRead: (name, args) => LONG_READS[name]!(db, ...args),
      write: (now, name, args) => commits.write(secret, now, name, args),
      // Deleted rows are only overwritten when VACUUM packs their pages. The log of the server is not ours to empty.
      scrub: async (step) => step === 'empty log' || (await vacuum(options)),
      check: async () => undefined,
      version: () => undefined,
      close: () => db.destroy(),
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function refuseOtherEncoding(db: Queries): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding
  `.execute(db)
  if (rows[0]?.encoding === 'UTF8') return
  throw new TamisError(
    'CONFIG_INVALID',
    `The database of DATABASE_URL has the encoding ${rows[0]?.encoding}; create it with ENCODING 'UTF8'`,
  )
}

async function begin(db: Queries) {
  const transaction = await db.startTransaction().execute()
  try {
    await sql`
      select pg_advisory_xact_lock(hashtextextended(current_schema() || '/writes', 0))
    `.execute(transaction)
    return transaction
  } catch (error) {
    await transaction
      .rollback()
      .execute()
      .catch(() => {})
    throw error
  }
}

async function vacuum(options: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({
    ...options,
    statement_timeout: VACUUM_TIMEOUT_MS,
    query_timeout: VACUUM_TIMEOUT_MS + ANSWER_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('vacuum rules, corrections, correspondents, history, model_versions')
    return true
  } catch (error) {
    if (storeError(error) instanceof TamisError) return false
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

function connectionOptions(connectionString: string): pg.ClientConfig {
  return {
    connectionString,
    application_name: 'tamis',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === INT8 ? Number : pg.types.getTypeParser(type, format),
    } as pg.CustomTypesConfig,
  }
}

/**
 * `pool`, with errors as the store has them. A connection on which an answer did not come is not
 * used again: the answer may come later, and the next user of the connection would wait for it. Nor is it by
 * who has it: the ROLLBACK of what failed would wait for as long again, and all writes behind it.
 */
function checkedPool(pool: pg.Pool) {
  return {
    options: pool.options,
    Client: pg.Client,
    end: () => pool.end(),
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect().catch((error) => {
        throw storeError(error)
      })
      let broken: unknown
      const query = async (text: string, parameters: readonly unknown[]) => {
        if (broken !== undefined) throw storeError(broken)
        try {
          return await client.query(text, [...parameters])
        } catch (error) {
          if (sqlState(error) === undefined) broken = error
          throw storeError(error)
        }
      }
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: (discard) => client.release(Boolean(discard) || broken !== undefined),
      }
    },
  }
}

/** STORE_UNAVAILABLE for an error of the server or the network; any other error unchanged. */
function storeError(error: unknown): unknown {
  const state = sqlState(error)
  if (state !== undefined && MISTAKES.test(state)) return error
  return new TamisError('STORE_UNAVAILABLE', 'The store is not available', { cause: error })
}

/** The server's error code; undefined if it sent none. */
function sqlState(error: unknown): string | undefined {
  const { code } = error as { code?: unknown }
  // Node's own codes look alike (EPIPE); the server's errors say how severe they are.
  const fromServer = typeof (error as { severity?: unknown }).severity === 'string'
  return fromServer && typeof code === 'string' && SQLSTATE.test(code) ? code : undefined
}
