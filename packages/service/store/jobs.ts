/**
 * Work that outlives a request: learning, which is done again and again, and the jobs of deletions. Of the services that
 * share a store, one does both: who has the lease of the one row of `learning`. It is given for a while and renewed; once it has
 * run out another service takes it. `attempt` tells the two apart: the old holder, should it come back, saves nothing.
 */
import type { LearningProgress, LearningState } from '../learned-models/model-version.ts'
import type { DeletionJob } from '../users/correction.ts'
import type { Tx } from './changes.ts'
import { fromRow, storedText } from './rows.ts'
import type { Queries } from './tables.ts'

export async function jobById(db: Queries, id: string): Promise<DeletionJob | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select(['id', 'namespace', 'created_at', 'finished_at'])
    .where('id', '=', storedText(id))
    .executeTakeFirst()
  return row && fromRow(row)
}

/** How far learning has come, with the corrections since counted up to `newMax`, and the deletions that are not done. */
export async function learningState(db: Queries, newMax: number): Promise<LearningState> {
  const row = await db.selectFrom('learning').selectAll().executeTakeFirst()
  const last: LearningState['last'] =
    row?.finished_at == null
      ? undefined
      : { ...JSON.parse(row.progress), finishedAt: new Date(row.finished_at) }
  const newCorrections = await db
    .selectFrom('corrections')
    .select('seq')
    .where('seq', '>', last?.learnedToSeq ?? 0)
    .where('ended_at', 'is', null)
    .orderBy('seq')
    .limit(newMax)
    .execute()
  const deletions = await db
    .selectFrom('jobs')
    .select(['id', 'is_learned'])
    .where('finished_at', 'is', null)
    .execute()
  return {
    last,
    isQueued: row?.is_queued === 1,
    newCorrections: newCorrections.length,
    deletions: deletions.map((job) => fromRow(job)),
  }
}

/** Takes the lease, which no other service has from then on, and gives its number; undefined while another has it. */
export async function takeLearning({ db, now }: Tx, leaseMs: number): Promise<number | undefined> {
  const lease_until = now.getTime() + leaseMs
  const row = await db
    .insertInto('learning')
    .values({ ...NEVER_LEARNED, attempt: 1, lease_until })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({ attempt: eb('learning.attempt', '+', 1), lease_until }))
        .where(({ or, eb }) =>
          or([
            eb('learning.lease_until', '<=', now.getTime()),
            // The clock was set back since the lease was given: no lease is that long.
            eb('learning.lease_until', '>', now.getTime() + 2 * leaseMs),
          ]),
        ),
    )
    .returning('attempt')
    .executeTakeFirst()
  return row?.attempt
}

/** Asks for a run of the learning job soon. */
export async function queueLearning({ db }: Tx): Promise<void> {
  await db
    .insertInto('learning')
    .values({ ...NEVER_LEARNED, is_queued: 1 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ is_queued: 1 }))
    .execute()
}

const NEVER_LEARNED = { id: 1, attempt: 0, lease_until: 0, is_queued: 0, progress: '{}' }

/** Holds the lease for `leaseMs` from now on; 0 gives it back. False when it was lost to another service. */
export async function renewLearning({ db, now }: Tx, attempt: number, leaseMs: number) {
  const { numUpdatedRows } = await db
    .updateTable('learning')
    .set({ lease_until: now.getTime() + leaseMs })
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes what a run has learned, without the users of the deletions `forgotten`. False if the lease was lost; then nothing changes. */
export async function finishLearning(
  { db, now }: Tx,
  attempt: number,
  progress: LearningProgress,
  forgotten: readonly string[],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('learning')
    .set({ is_queued: 0, progress: JSON.stringify(progress), finished_at: now.getTime() })
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (forgotten.length > 0)
    await db.updateTable('jobs').set({ is_learned: 0 }).where('id', 'in', forgotten).execute()
  return true
}

/** Nothing is left of the users of these deletions, neither in the models nor in the files. */
export async function finishDeletions({ db, now }: Tx, ids: readonly string[]): Promise<void> {
  await db.updateTable('jobs').set({ finished_at: now.getTime() }).where('id', 'in', ids).execute()
}

/** How long changes, tombstones and ended jobs are kept: a replica is not away for longer. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000

/** Removes what only replicas that were away need: changes, tombstones, ended jobs, after 30 days. */
export async function prune({ db, now }: Tx): Promise<void> {
  const before = now.getTime() - KEPT_MS
  await db.deleteFrom('changes').where('created_at', '<', before).execute()
  await db.deleteFrom('tombstones').where('deleted_at', '<', before).execute()
  await db.deleteFrom('jobs').where('finished_at', '<', before).execute()
}
