/** Which version the tables of a store are of, without making or changing anything. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { TamisError } from '../../mail/errors.ts'
import type { DatabaseKind } from './database.ts'
import { SCHEMA_VERSION } from './migrate.ts'
import { checkDatabaseUrl, SQLITE_FILE, type StoreSettings } from './open.ts'

export interface SchemaState {
  readonly kind: DatabaseKind
  /** The version of the tables; 0 if there is no store yet. */
  readonly version: number
  /** The version to which this program migrates them. */
  readonly latest: number
}

/** A server in the same network answers in milliseconds. */
const TIMEOUT_MS = 5_000

const VERSION_QUERY = 'select max(version) as version from schema_version'

/** @throws TamisError STORE_UNAVAILABLE with the cause; CONFIG_INVALID for an invalid DATABASE_URL. */
export async function schemaState({ databaseUrl, dataDir }: StoreSettings): Promise<SchemaState> {
  if (databaseUrl === undefined) {
    const version = asStoreError(() => sqliteVersion(join(dataDir, SQLITE_FILE)))
    return { kind: 'sqlite', version, latest: SCHEMA_VERSION }
  }
  checkDatabaseUrl(databaseUrl)
  const version = await postgresVersion(databaseUrl).catch(unreadable)
  return { kind: 'postgres', version, latest: SCHEMA_VERSION }
}

function sqliteVersion(file: string): number {
  if (!existsSync(file)) return 0
  const database = new DatabaseSync(file, { readOnly: true, timeout: TIMEOUT_MS })
  try {
    const table = database
      .prepare("select 1 from sqlite_master where type = 'table' and name = 'schema_version'")
      .get()
    return table === undefined ? 0 : versionIn(database.prepare(VERSION_QUERY).get())
  } finally {
    database.close()
  }
}

async function postgresVersion(connectionString: string): Promise<number> {
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
    const { rows } = await client.query("select to_regclass('schema_version') as found")
    return rows[0]?.found === null ? 0 : versionIn((await client.query(VERSION_QUERY)).rows[0])
  } finally {
    await client.end().catch(() => {})
  }
}

function versionIn(row: object | undefined): number {
  const { version } = (row ?? {}) as { version?: number | null }
  return version ?? 0
}

function asStoreError<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    return unreadable(error)
  }
}

function unreadable(cause: unknown): never {
  const { message } = cause as Error
  throw new TamisError('STORE_UNAVAILABLE', `The store cannot be read: ${message}`, { cause })
}
