/** The store of an installation: PostgreSQL where there is a DATABASE_URL, else a file. */
import { join } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import type { Change } from './context.ts'
import { type OpenWriter, openSqliteWriter, SqliteDatabase } from './sqlite.ts'
import { type Store, storeOn } from './store.ts'

/** The name of the file in the data folder. */
export const SQLITE_FILE = 'tamis.sqlite'

export interface StoreSettings {
  /** `postgres://user:password@host:port/database`; options as libpq has them. */
  readonly databaseUrl?: string
  readonly dataDir: string
}

/** What the threads of a service have in common of a store; see main/main-thread.ts. */
export interface CommonStore {
  /** How many processes. */
  readonly processes: number
  /** Writes for all of them, and tells the others what it has changed; absent for PostgreSQL. */
  readonly sqlite?: OpenWriter | undefined
  /** Tells that the store is open: what comes later is an outage, and no wrong setting. */
  opened?(): void
  /** Tells the others what this process has changed; resolves when they know, or do not answer in time. */
  tellOthers(changes: readonly Change[]): Promise<void>
}

/**
 * Opens the store and brings its tables up to date; makes it where there is none.
 *
 * @throws TamisError STORE_UNAVAILABLE; CONFIG_INVALID when `databaseUrl` is no such URL, or a
 *   newer version has used the store.
 */
export async function openStore(settings: StoreSettings, common?: CommonStore): Promise<Store> {
  const { databaseUrl } = settings
  if (databaseUrl === undefined) {
    return storeOn(await SqliteDatabase.open(sqliteOptions(settings), common?.sqlite))
  }
  checkDatabaseUrl(databaseUrl)
  // Most installations have no PostgreSQL, so its client is only loaded when needed.
  const { PostgresDatabase } = await import('./postgres.ts')
  const database = await PostgresDatabase.open(databaseUrl, common?.processes)
  common?.opened?.()
  return storeOn(database, { changed: (changes) => common?.tellOthers(changes) })
}

/** The writer for the processes of a service; undefined for PostgreSQL, where each writes. Throws what `openStore` throws. */
export async function openWriter(settings: StoreSettings): Promise<OpenWriter | undefined> {
  if (settings.databaseUrl !== undefined) return undefined
  return await openSqliteWriter(sqliteOptions(settings))
}

function sqliteOptions({ dataDir }: StoreSettings) {
  return { file: join(dataDir, SQLITE_FILE) }
}

/** @throws TamisError CONFIG_INVALID */
export function checkDatabaseUrl(databaseUrl: string): void {
  if (/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl)) return
  // The URL may hold a password, so the text does not show it.
  throw new TamisError('CONFIG_INVALID', 'DATABASE_URL is not a URL of the form postgres://...')
}
