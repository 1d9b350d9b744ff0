/** Reads and removes the data of a user. A tombstone and a job stay, which tell other processes. */
import type { DeletedUser, DeletionKind } from '../users/deletion.ts'
import { userKeyOf } from '../users/message-keys.ts'
import type { UserProfile } from '../users/user-profile.ts'
import { tellOfUser } from './changes.ts'
import type { Context, Queries } from './context.ts'
import { rememberedOf } from './corrections.ts'
import { removeCorrespondents } from './correspondents.ts'
import { removeRecipient } from './recipient-settings.ts'
import { rulesOf } from './rules.ts'
import { storedUserId } from './stored-text.ts'

/** Kind of the job that makes the models anew without the user. */
const REBUILD = 'rebuild'

interface Deletion {
  readonly tenant: string
  readonly userId: string
  readonly userKey: Uint8Array
  readonly kind: DeletionKind
  readonly now: Date
}

/** Everything that classification needs to know about a user, in one call. `limit` is per kind. */
export async function userProfile(
  db: Queries,
  context: Context,
  tenant: string,
  userId: string,
  limit: number,
): Promise<UserProfile> {
  return {
    rules: await rulesOf(db, context, tenant, userId),
    ...(await rememberedOf(db, context, tenant, userId, limit)),
  }
}

/**
 * Removes a user's rules, corrections, correspondents and settings and leaves a tombstone and a job to rebuild the models,
 * both with the HMAC of the user alone. Doing it again removes nothing and gives the same job.
 */
export async function deleteRowsOfUser(
  db: Queries,
  context: Context,
  tenant: string,
  userId: string,
  kind: DeletionKind,
): Promise<DeletedUser> {
  const { now, secret } = context
  const deletion = { tenant, userId, userKey: userKeyOf(secret, tenant, userId), kind, now }
  const rules = await deleteRulesOf(db, deletion)
  const { memory, feedback } = await deleteCorrectionsOf(db, deletion)
  if (kind === 'all') await removeRecipient(db, context, tenant, { kind: 'user', name: userId })
  const correspondents =
    kind === 'all' ? await removeCorrespondents(db, context, tenant, userId) : 0
  const jobId =
    (feedback === 0 ? await jobOfTombstone(db, deletion) : undefined) ??
    (await insertRebuild(db, deletion, feedback > 0))
  await upsertTombstone(db, deletion, jobId)
  await tellOfUser(db, context, tenant, userId)
  return { rules, memory, feedback, correspondents, jobId, deletedAt: now }
}

export async function deleteTombstones(db: Queries, before: Date): Promise<void> {
  await db.deleteFrom('tombstones').where('deleted_at', '<', before.getTime()).execute()
}

async function deleteRulesOf(db: Queries, { tenant, userId, kind }: Deletion): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rules')
    .where('tenant', '=', tenant)
    .where('user_id', '=', storedUserId(userId))
    .$if(kind === 'tabs', (query) => query.where('kind', '=', 'tabs'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function deleteCorrectionsOf(db: Queries, { tenant, userId, kind }: Deletion) {
  const rows = await db
    .deleteFrom('corrections')
    .where('tenant', '=', tenant)
    .where('user_id', '=', storedUserId(userId))
    .$if(kind === 'tabs', (query) => query.where('kind', '=', 'tabs'))
    .returning('ended_at')
    .execute()
  return { memory: rows.filter((row) => row.ended_at === null).length, feedback: rows.length }
}

/** The job of an earlier deletion, if it was pruned neither by name nor by age. */
async function jobOfTombstone(
  db: Queries,
  { tenant, userKey, kind }: Deletion,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('tombstones')
    .innerJoin('jobs', 'jobs.id', 'tombstones.job_id')
    .select('jobs.id')
    .where('tombstones.tenant', '=', tenant)
    .where('tombstones.user_key', '=', userKey)
    .where('tombstones.kind', '=', kind)
    .executeTakeFirst()
  return row?.id
}

/** The job is done at once if nothing was learned from the user. */
async function insertRebuild(db: Queries, deletion: Deletion, needed: boolean): Promise<string> {
  const { tenant, userKey, kind, now } = deletion
  const id = crypto.randomUUID()
  await db
    .insertInto('jobs')
    .values({
      id,
      tenant,
      kind: REBUILD,
      state: needed ? 'queued' : 'done',
      detail: JSON.stringify({ userKey: Buffer.from(userKey).toString('hex'), kind }),
      attempt: 0,
      created_at: now.getTime(),
      finished_at: needed ? null : now.getTime(),
    })
    .execute()
  return id
}

async function upsertTombstone(db: Queries, deletion: Deletion, jobId: string): Promise<void> {
  const { tenant, userKey, kind, now } = deletion
  const latest = { job_id: jobId, deleted_at: now.getTime() }
  await db
    .insertInto('tombstones')
    .values({ tenant, user_key: userKey, kind, ...latest })
    .onConflict((conflict) => conflict.columns(['tenant', 'user_key', 'kind']).doUpdateSet(latest))
    .execute()
}
