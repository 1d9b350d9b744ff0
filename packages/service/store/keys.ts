/** API keys. Of a key only the hash is stored, so a copy of the table opens nothing. */
import type { Selectable } from 'kysely'
import type { ApiKey, NewApiKey } from '../access/caller.ts'
import { appendChange, type Tx } from './changes.ts'
import { fromRow, toRow } from './rows.ts'
import type { Queries, Tables } from './tables.ts'

/** The keys that are not revoked, newest first. */
export async function keys(db: Queries): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(keyOf)
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

function keyOf({ revoked_at, ...row }: Selectable<Tables['api_keys']>): ApiKey {
  const { scopes, entitlements, ...key } = fromRow(row)
  return { ...key, scopes: JSON.parse(scopes), entitlements: JSON.parse(entitlements) }
}

/** @returns its id */
export async function addKey(tx: Tx, key: NewApiKey): Promise<string> {
  const id = crypto.randomUUID()
  await tx.db
    .insertInto('api_keys')
    .values({
      ...toRow({ ...key, id, createdAt: tx.now }),
      scopes: JSON.stringify(key.scopes),
      entitlements: JSON.stringify(key.entitlements),
    })
    .execute()
  await appendChange(tx, 'keys')
  return id
}

/** False when there is no such key, or it is revoked already. */
export async function revokeKey(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('api_keys')
    .set({ revoked_at: tx.now.getTime() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await appendChange(tx, 'keys')
  return true
}

/**
 * No caller needs a key from now on, until one is added. False, and nothing changes, while any key
 * holds. A key that is added meanwhile has a row that is not removed, so the service stays closed.
 */
export async function waiveKeys(tx: Tx): Promise<boolean> {
  const holding = await tx.db
    .selectFrom('api_keys')
    .select('id')
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (holding !== undefined) return false
  const { numDeletedRows } = await tx.db
    .deleteFrom('api_keys')
    .where('revoked_at', 'is not', null)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await appendChange(tx, 'keys')
  return true
}
