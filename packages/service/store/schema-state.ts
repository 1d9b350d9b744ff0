/** Which version the tables of a store are of, without making or changing anything. */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TamisError } from '../../errors/errors.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { ownerText, userName } from '../file-owner.ts'
import { MIGRATIONS_TABLE, SCHEMA_VERSION } from './migrate.ts'
import { checkDatabaseUrl, SQLITE_FILE, type StoreSettings } from './open.ts'
import { postgresText } from './store-place.ts'
import type { DatabaseKind } from './tables.ts'

export interface SchemaState {
  readonly kind: DatabaseKind
  /** Where the store is, or would be; see StorePlace. */
  readonly at: string
  /** See StorePlace; absent if there is no store yet. */
  readonly owner?: string
  /** The version of the tables; 0 if there is no store yet. */
  readonly version: number
  /** The version to which this program migrates them. */
  readonly latest: number
}

/** A server in the same network answers in milliseconds. */
const TIMEOUT_MS = 5_000

const VERSION_QUERY = `select count(*) as version from ${MIGRATIONS_TABLE}`

/** @throws TamisError STORE_UNAVAILABLE with the cause; CONFIG_INVALID for an invalid DATABASE_URL. */
export async function schemaState({ databaseUrl, dataDir }: StoreSettings): Promise<SchemaState> {
  if (databaseUrl === undefined) return sqliteState(resolve(join(dataDir, SQLITE_FILE)))
  checkDatabaseUrl(databaseUrl)
  return await postgresState(databaseUrl).catch((error) => unreadable('The store', error, ''))
}

function sqliteState(file: string): SchemaState {
  try {
    const status = statSync(file, { throwIfNoEntry: false })
    return {
      kind: 'sqlite',
      at: file,
      ...(status && { owner: userName(status.uid) }),
      version: status === undefined ? 0 : sqliteVersion(file),
      latest: SCHEMA_VERSION,
    }
  } catch (error) {
    return unreadable(file, error, ownerText(file))
  }
}

function sqliteVersion(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true, timeout: TIMEOUT_MS })
  try {
    const table = database
      .prepare("select 1 from sqlite_master where type = 'table' and name = ?")
      .get(MIGRATIONS_TABLE)
    return table === undefined ? 0 : versionIn(database.prepare(VERSION_QUERY).get())
  } finally {
    database.close()
  }
}

async function postgresState(connectionString: string): Promise<SchemaState> {
  // Most installations have no PostgreSQL, so its client is only loaded when needed.
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString,
    application_name: 'tamis migrate',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  // A connection that breaks fails the query; without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select to_regclass($1) as found', [MIGRATIONS_TABLE])
    return {
      kind: 'postgres',
      at: postgresText(connectionString),
      version: rows[0].found === null ? 0 : versionIn((await client.query(VERSION_QUERY)).rows[0]),
      latest: SCHEMA_VERSION,
    }
  } finally {
    await client.end().catch(() => {})
  }
}

function versionIn(row: object | undefined): number {
  const { version } = (row ?? {}) as { version?: number | string }
  // PostgreSQL counts in 64 bits, which come as text.
  return Number(version ?? 0)
}

function unreadable(what: string, cause: unknown, owner: string): never {
  const text = `${what} cannot be read: ${systemFault(cause)}${owner}`
  throw new TamisError('STORE_UNAVAILABLE', text, { cause })
}
