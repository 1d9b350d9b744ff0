/** Keys in the store of a service that is opened afterwards. A key is its name. */
import { keyHash } from '../../access/access.ts'
import { ENTITLEMENTS, type NewApiKey } from '../../access/caller.ts'
import type { StoreSettings } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { openStoreHere } from './store-here.ts'

export type KeyTerms = Pick<NewApiKey, 'scopes'> & Partial<NewApiKey>

/** Puts `keys` into the store there, by default with all that a licence can include. */
export async function addKeys(
  place: StoreSettings,
  keys: Readonly<Record<string, KeyTerms>>,
): Promise<void> {
  const store = await openStoreHere(place)
  for (const [name, terms] of Object.entries(keys)) await addKey(store, name, terms)
  await store.close()
}

/** The id of the new key. */
export function addKey(store: Pick<Store, 'addKey'>, name: string, terms: KeyTerms) {
  const hash = keyHash(name)
  return store.addKey({ name, hash, entitlements: ENTITLEMENTS, ...terms })
}

/** The header with which a request has the key of that name. */
export function bearer(name: string): { readonly authorization: string } {
  return { authorization: `Bearer ${name}` }
}
