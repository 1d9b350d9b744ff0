/** The store of an installation: PostgreSQL where there is a DATABASE_URL, else a file. */
import { join } from 'node:path'
import { TamisError } from '../../mail/errors.ts'
import { SqliteDatabase } from './sqlite.ts'
import { type Store, storeOn } from './store.ts'

/** The name of the file in the data folder. */
export const SQLITE_FILE = 'tamis.sqlite'

export interface StoreSettings {
  /** `postgres://user:password@host:port/database`; options as libpq has them. */
  readonly databaseUrl?: string
  readonly dataDir: string
}

/**
 * Opens the store and brings its tables up to date; makes it where there is none.
 *
 * @throws TamisError STORE_UNAVAILABLE; CONFIG_INVALID when `databaseUrl` is no such URL, or a
 *   newer version has used the store.
 */
export async function openStore({ databaseUrl, dataDir }: StoreSettings): Promise<Store> {
  if (databaseUrl === undefined) {
    return storeOn(await SqliteDatabase.open({ file: join(dataDir, SQLITE_FILE) }))
  }
  checkDatabaseUrl(databaseUrl)
  // Most installations have no PostgreSQL, so its client is only loaded when needed.
  const { PostgresDatabase } = await import('./postgres.ts')
  return storeOn(await PostgresDatabase.open(databaseUrl))
}

/** @throws TamisError CONFIG_INVALID */
export function checkDatabaseUrl(databaseUrl: string): void {
  if (/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl)) return
  // The URL may hold a password, so the text does not show it.
  throw new TamisError('CONFIG_INVALID', 'DATABASE_URL is not a URL of the form postgres://...')
}
