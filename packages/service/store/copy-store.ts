/**
 * Copies a store on SQLite into an empty one on PostgreSQL, whole or not at all: for an installation
 * that has outgrown one machine. Corrections keep their numbers, by which models know how far they
 * have learned; the secret comes along, without which no user would be known again. The log of
 * changes stays behind: it tells other replicas what to read anew, and there are none.
 */
import { accessSync, constants } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import pg from 'pg'
import { TamisError } from '../../errors/errors.ts'
import { SCHEMA_VERSION } from './migrate.ts'
import { openStore } from './open.ts'
import type { StorePlace } from './store-place.ts'
import type { Tables } from './tables.ts'

type TableName = keyof Tables

/** The tables in an order in which each comes after those that it refers to. */
const COPIED: readonly TableName[] = [
  'tenants',
  'api_keys',
  'rules',
  'corrections',
  'correspondents',
  'jobs',
  'tombstones',
  'model_versions',
  'site_rules',
  'weighted_rules',
  'recipient_settings',
  'history',
]

/** Made by the first migration in every store, the only one of the copied tables that it fills. */
const FILLED: readonly TableName[] = ['tenants']

/** Tables whose rows the database numbers. */
const NUMBERED: readonly TableName[] = ['rules', 'corrections', 'history']

/** Rows of one INSERT: the largest, corrections, have 20 columns and some 10 KB. */
const ROWS_AT_ONCE = 100

type Row = Readonly<Record<string, SQLOutputValue>>

export interface CopyProgress {
  advance(count: number): void
  end(): void
}

/**
 * @param file of SQLite; nothing is written to it. No service may write to either store meanwhile.
 * @param onOpened is told where the copy goes, before anything is copied.
 * @returns how many rows of each table were copied.
 * @throws TamisError CONFIG_INVALID where there is no such file, it is of another version, or the
 *   database is not empty; STORE_UNAVAILABLE.
 */
export async function copyStore(
  file: string,
  databaseUrl: string,
  startProgress: (rows: number) => CopyProgress,
  onOpened: (target: StorePlace) => void,
): Promise<Record<string, number>> {
  const source = openSource(file)
  try {
    checkVersion(source, file)
    // This creates the tables if there are none.
    const store = await openStore({ databaseUrl, dataDir: '' })
    onOpened(store.place)
    await store.close()
    return await withClient(databaseUrl, (target) => copyAll(source, target, startProgress))
  } finally {
    source.close()
  }
}

function openSource(file: string): DatabaseSync {
  try {
    accessSync(file, constants.R_OK)
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing
      ? `${file} does not exist`
      : `${file} is a file that this user cannot read`
    throw new TamisError('CONFIG_INVALID', why, { cause })
  }
  return new DatabaseSync(file, { readOnly: true })
}

function checkVersion(source: DatabaseSync, file: string): void {
  // One transaction reads all tables, so that no write is seen in part.
  source.exec('begin')
  const { version } = source.prepare('select max(version) as version from schema_version').get()!
  if (version === SCHEMA_VERSION) return
  throw new TamisError(
    'CONFIG_INVALID',
    `${file} has version ${version}, not ${SCHEMA_VERSION}: run \`tamis migrate\` on it first, without DATABASE_URL`,
  )
}

async function withClient<Value>(
  connectionString: string,
  use: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString, application_name: 'tamis migrate' })
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } catch (cause) {
    if (cause instanceof TamisError) throw cause
    const { message } = cause as Error
    throw new TamisError('STORE_UNAVAILABLE', `Nothing was copied: ${message}`, { cause })
  } finally {
    await client.end().catch(() => {})
  }
}

async function copyAll(
  source: DatabaseSync,
  target: pg.Client,
  startProgress: (rows: number) => CopyProgress,
): Promise<Record<string, number>> {
  await target.query('begin')
  await target.query(`lock table ${COPIED.join(', ')} in access exclusive mode`)
  await refuseIfUsed(target)
  await target.query(`delete from ${FILLED.join(', ')}`)
  await target.query('update installation set secret = $1', [secretOf(source)])
  const counts = Object.fromEntries(COPIED.map((table) => [table, countOf(source, table)]))
  const progress = startProgress(Object.values(counts).reduce((sum, count) => sum + count, 0))
  for (const table of COPIED) await copyTable(source, target, table, progress)
  progress.end()
  for (const table of NUMBERED) await continueNumbers(source, target, table)
  await target.query('commit')
  return counts
}

async function refuseIfUsed(target: pg.Client): Promise<void> {
  for (const table of COPIED.filter((each) => !FILLED.includes(each))) {
    const { rowCount } = await target.query(`select 1 from ${table} limit 1`)
    if (rowCount === 0) continue
    throw new TamisError(
      'CONFIG_INVALID',
      `The database of DATABASE_URL is not empty: ${table} has rows. Copy into an empty database`,
    )
  }
}

function secretOf(source: DatabaseSync): SQLOutputValue {
  return source.prepare('select secret from installation').get()!['secret']!
}

function countOf(source: DatabaseSync, table: TableName): number {
  return Number(source.prepare(`select count(*) as count from ${table}`).get()!['count'])
}

async function copyTable(
  source: DatabaseSync,
  target: pg.Client,
  table: TableName,
  progress: CopyProgress,
): Promise<void> {
  let rows: Row[] = []
  const flush = async () => {
    if (rows.length > 0) await insert(target, table, rows)
    progress.advance(rows.length)
    rows = []
  }
  for (const row of source.prepare(`select * from ${table}`).iterate()) {
    rows.push(row as Row)
    if (rows.length >= ROWS_AT_ONCE) await flush()
  }
  await flush()
}

async function insert(target: pg.Client, table: TableName, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0]!)
  const values = rows.flatMap((row) => columns.map((column) => row[column]))
  const places = rows.map((_, row) => {
    const numbers = columns.map((__, column) => `$${row * columns.length + column + 1}`)
    return `(${numbers.join(', ')})`
  })
  await target.query(
    `insert into ${table} (${columns.join(', ')}) overriding system value values ${places.join(', ')}`,
    values,
  )
}

/** Later rows get numbers beyond all that were ever given, also to rows that are deleted by now. */
async function continueNumbers(
  source: DatabaseSync,
  target: pg.Client,
  table: TableName,
): Promise<void> {
  const last = source.prepare('select seq from sqlite_sequence where name = ?').get(table)
  if (last === undefined) return
  await target.query(`select setval(pg_get_serial_sequence($1, 'seq'), $2)`, [table, last['seq']])
}
