/** What was learned from mail before its user was deleted, and is on its way to the store, is not kept. */
import { userKeyOf } from '../users/message-keys.ts'
import type { Tx } from './changes.ts'

/** How far the clocks of replicas may be apart: an entry of a moment after a deletion may be one from before it. */
const CLOCKS_APART_MS = 60_000

/** `entries` but those of users who were deleted since the time of the entry, or up to a minute before. */
export async function withoutDeleted<Entry extends { readonly userId?: string }>(
  tx: Tx,
  entries: readonly Entry[],
  timeOf: (entry: Entry) => Date,
): Promise<Entry[]> {
  const deletedAt = await deletionsOf(tx, entries)
  return entries.filter((entry) => {
    const deleted = entry.userId === undefined ? undefined : deletedAt.get(entry.userId)
    return deleted === undefined || timeOf(entry).getTime() > deleted + CLOCKS_APART_MS
  })
}

/** When those users of `entries` were deleted who were, in milliseconds since 1970. */
async function deletionsOf(
  { db, secret }: Tx,
  entries: readonly { readonly userId?: string }[],
): Promise<Map<string, number>> {
  const users = new Map<string, string>()
  for (const { userId } of entries) {
    if (userId !== undefined) users.set(hex(userKeyOf(secret, userId)), userId)
  }
  if (users.size === 0) return new Map()
  const rows = await db
    .selectFrom('tombstones')
    .select(['user_key', 'deleted_at'])
    .where('kind', '=', 'all')
    .where(
      'user_key',
      'in',
      [...users.keys()].map((key) => Buffer.from(key, 'hex')),
    )
    .execute()
  return new Map(rows.map((row) => [users.get(hex(row.user_key))!, row.deleted_at]))
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
