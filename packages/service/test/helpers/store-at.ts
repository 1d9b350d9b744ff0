/** A store whose clock stands: what is recorded in it was recorded then. */
import type { StoreSettings } from '../../store/open.ts'
import { PostgresDatabase } from '../../store/postgres.ts'
import { type Store, storeOn } from '../../store/store.ts'
import { openStoreHere } from './store-here.ts'

export async function withStoreAt<Value>(
  { dataDir, databaseUrl }: StoreSettings,
  now: Date,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  const clock = { now: () => now }
  const store =
    databaseUrl === undefined
      ? await openStoreHere({ dataDir }, undefined, clock)
      : await storeOn(await PostgresDatabase.open(databaseUrl), clock)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
