/** Deletes all or part of what is stored of a user. */
import { namespaceOf } from '../access/namespace.ts'
import type { DeletedUser, DeletionKind } from '../users/correction.ts'
import { userKeyOf } from '../users/message-keys.ts'
import { appendChange, type Tx } from './changes.ts'
import { removeCorrespondents } from './correspondents.ts'
import { storedUserId } from './rows.ts'
import type { Queries } from './tables.ts'

/**
 * Removes a user's rules, corrections, correspondents and history, and leaves a tombstone and a job,
 * both with the HMAC of the user alone. Doing it again removes nothing and gives the same job. From then on no
 * further entry of the history is kept (deleted-users.ts).
 */
export async function deleteUser(tx: Tx, userId: string, kind: DeletionKind): Promise<DeletedUser> {
  const { db, now } = tx
  const rules = await deleteRowsOf(db, 'rules', userId, kind).executeTakeFirst()
  const corrections = await deleteRowsOf(db, 'corrections', userId, kind)
    .returning('ended_at')
    .execute()
  const counts = {
    rules: Number(rules.numDeletedRows),
    memory: corrections.filter((row) => row.ended_at === null).length,
    feedback: corrections.length,
    correspondents: kind === 'all' ? await removeCorrespondents(tx, userId) : 0,
    history: kind === 'all' ? await deleteHistory(db, userId) : 0,
  }
  const isNothing = Object.values(counts).every((count) => count === 0)
  const user_key = userKeyOf(tx.secret, userId)
  const earlier = isNothing ? await jobOfTombstone(db, user_key, kind) : undefined
  const latest = { job_id: earlier ?? crypto.randomUUID(), deleted_at: now.getTime() }
  if (earlier === undefined) {
    await db
      .insertInto('jobs')
      .values({
        id: latest.job_id,
        namespace: namespaceOf(userId) ?? null,
        // Only from corrections is anything learned.
        is_learned: counts.feedback > 0 ? 1 : 0,
        created_at: now.getTime(),
        finished_at: isNothing ? now.getTime() : null,
      })
      .execute()
  }
  await db
    .insertInto('tombstones')
    .values({ user_key, kind, ...latest })
    .onConflict((conflict) => conflict.columns(['user_key', 'kind']).doUpdateSet(latest))
    .execute()
  await appendChange(tx, 'user', userId)
  return { ...counts, jobId: latest.job_id, deletedAt: now }
}

function deleteRowsOf(
  db: Queries,
  table: 'rules' | 'corrections',
  userId: string,
  kind: DeletionKind,
) {
  return db
    .deleteFrom(table)
    .where('user_id', '=', storedUserId(userId))
    .$if(kind === 'tabs', (query) => query.where('kind', '=', 'tabs'))
}

async function deleteHistory(db: Queries, userId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('history')
    .where('user_id', '=', storedUserId(userId))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The job of an earlier deletion, if it was pruned neither by name nor by age. */
async function jobOfTombstone(
  db: Queries,
  userKey: Uint8Array,
  kind: DeletionKind,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('tombstones')
    .innerJoin('jobs', 'jobs.id', 'tombstones.job_id')
    .select('jobs.id')
    .where('tombstones.user_key', '=', userKey)
    .where('tombstones.kind', '=', kind)
    .executeTakeFirst()
  return row?.id
}
