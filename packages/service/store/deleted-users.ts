/** What was learned from mail before its user was deleted, and is on its way to the store, is not kept. */
import { userKeyOf } from '../users/message-keys.ts'
import type { Tx } from './changes.ts'

/** How far the clocks of replicas may be apart: an entry of a moment after a deletion may be one from before it. */
const CLOCKS_APART_MS = 60_000

/** `entries` but those of users who were deleted since the time of the entry, or up to a minute before. */
export async function withoutDeleted<Entry extends { readonly userId?: string }>(
  { db, secret }: Tx,
  entries: readonly Entry[],
  timeOf: (entry: Entry) => Date,
): Promise<readonly Entry[]> {
  const users = new Map<string, Uint8Array>()
  for (const { userId } of entries)
    if (userId !== undefined) users.set(userId, userKeyOf(secret, userId))
  if (users.size === 0) return entries
  const rows = await db
    .selectFrom('tombstones')
    .select(['user_key', 'deleted_at'])
    .where('kind', '=', 'all')
    .where('user_key', 'in', [...users.values()])
    .execute()
  const deletedAt = new Map(rows.map((row) => [hex(row.user_key), row.deleted_at]))
  return entries.filter((entry) => {
    const key = entry.userId === undefined ? undefined : users.get(entry.userId)
    const deleted = key && deletedAt.get(hex(key))
    return deleted === undefined || timeOf(entry).getTime() > deleted + CLOCKS_APART_MS
  })
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
