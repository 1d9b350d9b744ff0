/** The store of an installation: PostgreSQL where there is a DATABASE_URL, else a file. */
import { join, resolve } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import type { Shared } from '../threads/shared.ts'
import { openSqlite } from './sqlite.ts'
import type { SqliteSettings } from './sqlite-file.ts'
import { type Store, storeOn } from './store.ts'

/** The name of the file in the data folder. */
export const SQLITE_FILE = 'tamis.sqlite'

export interface StoreSettings {
  /** `postgres://user:password@host:port/database`; options as libpq has them. */
  readonly databaseUrl?: string
  readonly dataDir: string
}

export interface StoreOptions {
  /** What the threads of the process share; without it all is done on this thread, as in a command. */
  readonly shared?: Shared | undefined
  /** For tests: the clock. */
  readonly now?: () => Date
  /** For tests: other settings of SQLite. */
  readonly sqlite?: Partial<SqliteSettings>
}

/**
 * Opens the store and brings its tables up to date; makes it where there is none.
 *
 * @throws TamisError STORE_UNAVAILABLE; CONFIG_INVALID when `databaseUrl` is no such URL, or a
 *   newer version has used the store.
 */
export async function openStore(
  { databaseUrl, dataDir }: StoreSettings,
  { shared, now = () => new Date(), sqlite }: StoreOptions = {},
): Promise<Store> {
  if (databaseUrl !== undefined) checkDatabaseUrl(databaseUrl)
  const file = resolve(join(dataDir, SQLITE_FILE))
  const make = () => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const memory = (await shared?.memory(`changes of ${databaseUrl ?? file}`, make)) ?? make()
  const database =
    databaseUrl === undefined
      ? await openSqlite({ file, ...sqlite }, memory, shared)
      : // Most installations have no PostgreSQL, so its client is only loaded when needed.
        await (await import('./postgres.ts')).openPostgres(databaseUrl, new Int32Array(memory))
  return await storeOn(database, new Int32Array(memory), now)
}

/** @throws TamisError CONFIG_INVALID */
export function checkDatabaseUrl(databaseUrl: string): void {
  if (/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl)) return
  // The URL may hold a password, so the text does not show it.
  throw new TamisError('CONFIG_INVALID', 'DATABASE_URL is not a URL of the form postgres://...')
}
