/** API keys. Of a key only the hash is stored, so a copy of the table opens nothing. */
import type { Selectable } from 'kysely'
import type { ApiKey, NewApiKey } from '../access/caller.ts'
import { appendChange } from './changes.ts'
import { type Context, date, optional, type Queries } from './context.ts'
import type { Tables } from './tables.ts'

/** @returns its id */
export async function addKey(db: Queries, context: Context, key: NewApiKey): Promise<string> {
  const id = crypto.randomUUID()
  await db
    .insertInto('api_keys')
    .values({
      id,
      namespace: key.namespace ?? null,
      name: key.name,
      hash: key.hash,
      scopes: JSON.stringify(key.scopes),
      entitlements: JSON.stringify(key.entitlements),
      requests_per_minute_max: key.requestsPerMinuteMax ?? null,
      created_at: context.now.getTime(),
    })
    .execute()
  await appendChange(db, context, { topic: 'keys' })
  return id
}

/** The keys that are not revoked, newest first. */
export async function keys(db: Queries): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(keyOfRow)
}

/** False when there is no such key, or it is revoked already. */
export async function revokeKey(db: Queries, context: Context, id: string): Promise<boolean> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_at: context.now.getTime() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  if (revoked.length > 0) await appendChange(db, context, { topic: 'keys' })
  return revoked.length > 0
}

/**
 * The key that hashes to `hash` and is not revoked: who calls is known only after this. Found by an
 * index over hashes: how long that takes tells nothing of the key.
 */
export async function keyByHash(
  db: Queries,
  _context: Context,
  hash: Uint8Array,
): Promise<ApiKey | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row === undefined ? undefined : keyOfRow(row)
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

/**
 * From now on nobody needs a key, until one is added. False, and nothing changes, while any key
 * holds. A key that is added meanwhile has a row that is not removed, so the service stays closed.
 */
export async function waiveKeys(db: Queries, context: Context): Promise<boolean> {
  const holding = await db
    .selectFrom('api_keys')
    .select('id')
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (holding !== undefined) return false
  const removed = await db
    .deleteFrom('api_keys')
    .where('revoked_at', 'is not', null)
    .returning('id')
    .execute()
  if (removed.length > 0) await appendChange(db, context, { topic: 'keys' })
  return true
}

function keyOfRow(row: Selectable<Tables['api_keys']>): ApiKey {
  return {
    id: row.id,
    ...optional('namespace', row.namespace, String),
    name: row.name,
    hash: new Uint8Array(row.hash),
    scopes: JSON.parse(row.scopes),
    entitlements: JSON.parse(row.entitlements),
    ...optional('requestsPerMinuteMax', row.requests_per_minute_max, Number),
    createdAt: date(row.created_at),
  }
}
