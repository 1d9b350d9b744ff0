/** Reads and removes the data of a user. A tombstone and a job stay, which tell other processes. */
import { namespaceOf } from '../access/namespace.ts'
import type { DeletedUser, DeletionKind, UserProfile } from '../users/correction.ts'
import { userKeyOf } from '../users/message-keys.ts'
import { tellOfUser } from './changes.ts'
import { type Context, type Queries, storedUserId } from './context.ts'
import { rememberedOf } from './corrections.ts'
import { removeCorrespondents } from './correspondents.ts'
import { rulesOf } from './rules.ts'

/** Kind of the job that makes the models anew without the user, where they have learned from the user, and overwrites what was deleted. */
const REBUILD = 'rebuild'

interface Deletion {
  readonly userId: string
  readonly userKey: Uint8Array
  readonly kind: DeletionKind
  readonly now: Date
}

/** Everything that classification needs to know about a user, in one call. `limit` is per kind. */
export async function userProfile(
  db: Queries,
  context: Context,
  userId: string,
  limit: number,
): Promise<UserProfile> {
  return {
    rules: await rulesOf(db, context, userId),
    ...(await rememberedOf(db, context, userId, limit)),
  }
}

/**
 * Removes a user's rules, corrections, correspondents and what is left of the history, and leaves a tombstone and a job,
 * both with the HMAC of the user alone. Doing it again removes nothing and gives the same job. From then on no
 * further entry of the history is kept (deleted-users.ts).
 *
 * @param historySoFar how many entries of the history have been removed before.
 */
export async function deleteRowsOfUser(
  db: Queries,
  context: Context,
  userId: string,
  kind: DeletionKind,
  historySoFar: number,
): Promise<DeletedUser> {
  const { now, secret } = context
  const deletion = { userId, userKey: userKeyOf(secret, userId), kind, now }
  const rules = await deleteRulesOf(db, deletion)
  const { memory, feedback } = await deleteCorrectionsOf(db, deletion)
  const others =
    kind === 'all' ? await deleteOthersOf(db, context, deletion) : { correspondents: 0, history: 0 }
  const { correspondents } = others
  const history = historySoFar + others.history
  const isNothing = rules + feedback + correspondents + history === 0
  const jobId =
    (isNothing ? await jobOfTombstone(db, deletion) : undefined) ??
    (await insertJob(
      db,
      deletion,
      isNothing ? 'nothing' : feedback > 0 ? 'learned' : 'not learned',
    ))
  await upsertTombstone(db, deletion, jobId)
  await tellOfUser(db, context, userId)
  return { rules, memory, feedback, correspondents, history, jobId, deletedAt: now }
}

/** Removes what is of the user and neither about spam nor about classes. */
async function deleteOthersOf(db: Queries, context: Context, { userId }: Deletion) {
  const { numDeletedRows } = await db
    .deleteFrom('history')
    .where('user_id', '=', storedUserId(userId))
    .executeTakeFirst()
  return {
    correspondents: await removeCorrespondents(db, context, userId),
    history: Number(numDeletedRows),
  }
}

export async function deleteTombstones(db: Queries, before: Date): Promise<void> {
  await db.deleteFrom('tombstones').where('deleted_at', '<', before.getTime()).execute()
}

async function deleteRulesOf(db: Queries, { userId, kind }: Deletion): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rules')
    .where('user_id', '=', storedUserId(userId))
    .$if(kind === 'tabs', (query) => query.where('kind', '=', 'tabs'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function deleteCorrectionsOf(db: Queries, { userId, kind }: Deletion) {
  const rows = await db
    .deleteFrom('corrections')
    .where('user_id', '=', storedUserId(userId))
    .$if(kind === 'tabs', (query) => query.where('kind', '=', 'tabs'))
    .returning('ended_at')
    .execute()
  return { memory: rows.filter((row) => row.ended_at === null).length, feedback: rows.length }
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
async function insertJob(
  db: Queries,
  deletion: Deletion,
  deleted: 'nothing' | 'not learned' | 'learned',
): Promise<string> {
  const { userId, userKey, kind, now } = deletion
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

async function upsertTombstone(db: Queries, deletion: Deletion, jobId: string): Promise<void> {
  const { userKey, kind, now } = deletion
  const latest = { job_id: jobId, deleted_at: now.getTime() }
  await db
    .insertInto('tombstones')
    .values({ user_key: userKey, kind, ...latest })
    .onConflict((conflict) => conflict.columns(['user_key', 'kind']).doUpdateSet(latest))
    .execute()
}
