/** A store whose clock stands: what is recorded in it was recorded then. */
import type { StoreSettings } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { openStoreHere } from './store-here.ts'

export async function withStoreAt<Value>(
  settings: StoreSettings,
  now: Date,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openStoreHere(settings, { now: () => now })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
