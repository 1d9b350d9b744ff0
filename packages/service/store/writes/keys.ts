/** Adds, revokes and waives API keys (reads/keys.ts). */
import type { NewApiKey } from '../../access/caller.ts'
import { appendChange, type Tx } from '../changes.ts'

/** @returns its id */
export async function addKey(tx: Tx, key: NewApiKey): Promise<string> {
  const id = crypto.randomUUID()
  await tx.db
    .insertInto('api_keys')
    .values({
      id,
      namespace: key.namespace ?? null,
      name: key.name,
      hash: key.hash,
      scopes: JSON.stringify(key.scopes),
      entitlements: JSON.stringify(key.entitlements),
      requests_per_minute_max: key.requestsPerMinuteMax ?? null,
      created_at: tx.now.getTime(),
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
