/** Deletes all or part of what is stored of a user. */
import { namespaceOf } from '../access/namespace.ts'
import type { DeletedUser, DeletionKind } from '../users/correction.ts'
import { userKeyOf } from '../users/message-keys.ts'
import { appendChange, type Tx } from './changes.ts'
import { removeCorrespondents } from './correspondents.ts'
import { storedUserId } from './rows.ts'
import type { Queries } from './tables.ts'

/** Kind of the job that makes the models anew without the user, where they have learned from the user, and overwrites what was deleted. */
const REBUILD = 'rebuild'

interface Deletion {
  readonly userId: string
  readonly userKey: Uint8Array
  readonly kind: DeletionKind
  /** Whether anything was, and whether models may have learned from it. */
  readonly deleted: 'nothing' | 'learned' | 'not learned'
}

/**
 * Removes a user's rules, corrections, correspondents and what is left of the history, and leaves a tombstone and a job,
 * both with the HMAC of the user alone. Doing it again removes nothing and gives the same job. From then on no
 * further entry of the history is kept (deleted-users.ts).
 *
 * @param historySoFar how many entries of the history have been removed before.
 */
export async function deleteRowsOfUser(
  tx: Tx,
  userId: string,
  kind: DeletionKind,
  historySoFar: number,
): Promise<DeletedUser> {
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
    history: historySoFar + (kind === 'all' ? await deleteHistory(db, userId) : 0),
  }
  const isNothing = Object.values(counts).every((count) => count === 0)
  const deleted = isNothing ? 'nothing' : counts.feedback > 0 ? 'learned' : 'not learned'
  const deletion = { userId, userKey: userKeyOf(tx.secret, userId), kind, deleted } as const
  const jobId =
    (isNothing ? await jobOfTombstone(db, deletion) : undefined) ?? (await insertJob(tx, deletion))
  await upsertTombstone(tx, deletion, jobId)
  await appendChange(tx, 'user', userId)
  return { ...counts, jobId, deletedAt: now }
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
  { userKey, kind }: Deletion,
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

/** The job is done at once if nothing was deleted, and the models are rebuilt only if they may have learned something. */
async function insertJob({ db, now }: Tx, deletion: Deletion): Promise<string> {
  const { userId, userKey, kind, deleted } = deletion
  const id = crypto.randomUUID()
  const isDone = deleted === 'nothing'
  const detail = { userKey: Buffer.from(userKey).toString('hex'), kind, deleted }
  await db
    .insertInto('jobs')
    .values({
      id,
      namespace: namespaceOf(userId) ?? null,
      kind: REBUILD,
      state: isDone ? 'done' : 'queued',
      detail: isDone ? '{}' : JSON.stringify(detail),
      attempt: 0,
      created_at: now.getTime(),
      finished_at: isDone ? now.getTime() : null,
    })
    .execute()
  return id
}

async function upsertTombstone(
  { db, now }: Tx,
  { userKey, kind }: Deletion,
  jobId: string,
): Promise<void> {
  const latest = { job_id: jobId, deleted_at: now.getTime() }
  await db
    .insertInto('tombstones')
    .values({ user_key: userKey, kind, ...latest })
    .onConflict((conflict) => conflict.columns(['user_key', 'kind']).doUpdateSet(latest))
    .execute()
}
