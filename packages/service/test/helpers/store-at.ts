/** A store whose clock stands: what is recorded in it was recorded then. */
import { join } from 'node:path'
import { SQLITE_FILE, type StoreSettings } from '../../store/open.ts'
import { PostgresDatabase } from '../../store/postgres.ts'
import { SqliteDatabase } from '../../store/sqlite.ts'
import { type Store, storeOn } from '../../store/store.ts'

export async function withStoreAt<Value>(
  { dataDir, databaseUrl }: StoreSettings,
  now: Date,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  const database =
    databaseUrl === undefined
      ? await SqliteDatabase.open({ file: join(dataDir, SQLITE_FILE) })
      : await PostgresDatabase.open(databaseUrl)
  const store = await storeOn(database, { now: () => now })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
