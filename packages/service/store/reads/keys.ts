/** API keys. Of a key only the hash is stored, so a copy of the table opens nothing. */
import type { Selectable } from 'kysely'
import type { ApiKey } from '../../access/caller.ts'
import { fromRow } from '../rows.ts'
import type { Queries, Tables } from '../tables.ts'

/** The keys that are not revoked, newest first. */
export async function keys(db: Queries): Promise<ApiKey[]> {
  const rows = await inForce(db).orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(keyOf)
}

/**
 * The key that hashes to `hash` and is not revoked: who calls is known only after this. Found by an
 * index over hashes: how long that takes tells nothing of the key.
 */
export async function keyByHash(db: Queries, hash: Uint8Array): Promise<ApiKey | undefined> {
  const row = await inForce(db).where('hash', '=', hash).executeTakeFirst()
  return row && keyOf(row)
}

/**
 * Whether callers need a key: from the first key on, also when all are revoked, until
 * they are waived. Where none is needed the service keeps to loopback. Rows of revoked keys stay,
 * and that there are any is what says that a key has existed.
 */
export async function keysNeeded(db: Queries): Promise<boolean> {
  const row = await db.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

function inForce(db: Queries) {
  return db.selectFrom('api_keys').selectAll().where('revoked_at', 'is', null)
}

function keyOf({ revoked_at, ...row }: Selectable<Tables['api_keys']>): ApiKey {
  const { scopes, entitlements, ...key } = fromRow(row)
  return { ...key, scopes: JSON.parse(scopes), entitlements: JSON.parse(entitlements) }
}
