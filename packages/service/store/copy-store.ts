/**
 * Copies a store on SQLite into an empty one on PostgreSQL, whole or not at all. Corrections keep their numbers, by which
 * models know how far they have learned, and the secret comes along, without which no user would be known again. The log
 * of changes stays behind: it tells other replicas what to read anew, and there are none.
 */
import { statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import pg from 'pg'
import { TamisError } from '../../errors/errors.ts'
import { MIGRATIONS_TABLE, SCHEMA_VERSION } from './migrate.ts'
import { openStore } from './open.ts'
import type { StorePlace } from './store-place.ts'
import type { Tables } from './tables.ts'

const COPIED: readonly (keyof Tables)[] = [
  'api_keys',
  'rules',
  'corrections',
  'correspondents',
  'jobs',
  'tombstones',
  'model_versions',
  'operator_rules',
  'history',
]

/** Rows of one INSERT: the largest, corrections, have 20 columns and some 10 KB. */
const ROWS_AT_ONCE = 100

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
  onOpened: (target: StorePlace) => void,
): Promise<Record<string, number>> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new TamisError('CONFIG_INVALID', `There is no file ${file}`)
  }
  const source = new DatabaseSync(file, { readOnly: true })
  const target = new pg.Client({ connectionString: databaseUrl, application_name: 'tamis migrate' })
  target.on('error', () => {})
  try {
    checkVersion(source, file)
    // This creates the tables if there are none.
    const store = await openStore({ databaseUrl, dataDir: '' })
    onOpened(store.place)
    await store.close()
    await target.connect()
    return await copyAll(source, target)
  } catch (cause) {
    if (cause instanceof TamisError) throw cause
    const text = `Nothing was copied: ${(cause as Error).message}`
    throw new TamisError('STORE_UNAVAILABLE', text, { cause })
  } finally {
    source.close()
    await target.end().catch(() => {})
  }
}

function checkVersion(source: DatabaseSync, file: string): void {
  const { version } = source.prepare(`select count(*) as version from ${MIGRATIONS_TABLE}`).get()!
  if (version === SCHEMA_VERSION) return
  throw new TamisError(
    'CONFIG_INVALID',
    `${file} has version ${version}, not ${SCHEMA_VERSION}: run \`tamis migrate\` on it first, without DATABASE_URL`,
  )
}

async function copyAll(source: DatabaseSync, target: pg.Client): Promise<Record<string, number>> {
  const copied: Record<string, number> = {}
  await target.query('begin')
  await target.query(`lock table ${COPIED.join(', ')} in access exclusive mode`)
  const { secret } = source.prepare('select secret from installation').get()!
  await target.query('update installation set secret = $1', [secret])
  for (const table of COPIED) {
    const { rowCount } = await target.query(`select 1 from ${table} limit 1`)
    if (rowCount !== 0) {
      throw new TamisError(
        'CONFIG_INVALID',
        `The database of DATABASE_URL is not empty: ${table} has rows. Copy into an empty database`,
      )
    }
    copied[table] = await copyTable(source, target, table)
  }
  // Later rows get numbers beyond all that were ever given, also to rows that are deleted by now.
  for (const { name, seq } of source.prepare('select name, seq from sqlite_sequence').all()) {
    if (name === 'changes') continue
    await target.query(`select setval(pg_get_serial_sequence($1, 'seq'), $2)`, [name, seq])
  }
  await target.query('commit')
  return copied
}

async function copyTable(source: DatabaseSync, target: pg.Client, table: string): Promise<number> {
  let copied = 0
  let rows: Record<string, SQLOutputValue>[] = []
  const flush = async () => {
    if (rows.length > 0) await insert(target, table, rows)
    copied += rows.length
    rows = []
  }
  for (const row of source.prepare(`select * from ${table}`).iterate()) {
    rows.push(row)
    if (rows.length === ROWS_AT_ONCE) await flush()
  }
  await flush()
  return copied
}

async function insert(
  target: pg.Client,
  table: string,
  rows: readonly Record<string, SQLOutputValue>[],
): Promise<void> {
  const columns = Object.keys(rows[0]!)
  const places = rows.map(
    (_, row) => `(${columns.map((__, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
  )
  await target.query(
    `insert into ${table} (${columns.join(', ')}) overriding system value values ${places.join(', ')}`,
    rows.flatMap((row) => columns.map((column) => row[column])),
  )
}
