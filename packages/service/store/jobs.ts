/**
 * Work that outlives a request. A process takes a job for a while (a lease) and renews that; a job
 * whose holder died is taken by another. `attempt` tells the two apart: the old holder, should it
 * come back, can no longer renew or end the job.
 */
import type { Selectable } from 'kysely'
import type { LearningProgress, LearningState } from '../learned-models/model-version.ts'
import type { Job } from '../users/job.ts'
import type { Tx } from './changes.ts'
import { checkLimit, fromRow, storedText } from './rows.ts'
import type { Queries, Tables } from './tables.ts'

/** The id and kind of the job that learns from the log. There is one, which is done again and again. */
export const LEARNING = 'learning'

export async function jobById(db: Queries, id: string): Promise<Job | undefined> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', storedText(id))
    .executeTakeFirst()
  return row && jobOf(row)
}

/** How far learning has come, with the corrections since counted up to `newMax`, and how many deletions are not done. */
export async function learningState(db: Queries, newMax: number): Promise<LearningState> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', LEARNING).executeTakeFirst()
  const last: LearningState['last'] =
    row?.finished_at == null
      ? undefined
      : { ...JSON.parse(row.detail), finishedAt: new Date(row.finished_at) }
  const newCorrections = await db
    .selectFrom('corrections')
    .select('seq')
    .where('seq', '>', last?.learnedToSeq ?? 0)
    .where('ended_at', 'is', null)
    .orderBy('seq')
    .limit(checkLimit(newMax))
    .execute()
  const deletions = await db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '!=', LEARNING)
    .where('state', '!=', 'done')
    .execute()
  return {
    last,
    isQueued: row?.state === 'queued',
    newCorrections: newCorrections.length,
    deletions: deletions.length,
  }
}

export function jobOf({ lease_until, ...row }: Selectable<Tables['jobs']>): Job {
  return { ...fromRow(row), detail: JSON.parse(row.detail) }
}

/**
 * The oldest deletion that is queued, or whose lease has run out; it is running from then on.
 */
export async function takeJob({ db, kind, now }: Tx, leaseMs: number): Promise<Job | undefined> {
  const free = db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '!=', LEARNING)
    .where(({ or, and, eb }) =>
      or([
        eb('state', '=', 'queued'),
        and([eb('state', '=', 'running'), eb('lease_until', '<=', now.getTime())]),
        // The clock was set back since the lease was given: no lease is that long.
        and([eb('state', '=', 'running'), eb('lease_until', '>', now.getTime() + 2 * leaseMs)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    // Two replicas that ask at once get two jobs. SQLite has one writer at a time.
    .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
  const row = await db
    .updateTable('jobs')
    .set((column) => ({
      state: 'running',
      attempt: column('attempt', '+', 1),
      lease_until: now.getTime() + leaseMs,
    }))
    .where('id', '=', free)
    .returningAll()
    .executeTakeFirst()
  return row && jobOf(row)
}

/** False when the lease was lost to another service. */
export async function renewJob({ db, now }: Tx, job: Job, leaseMs: number): Promise<boolean> {
  const rows = await held(db, job)
    .set({ lease_until: now.getTime() + leaseMs })
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Takes the learning job, which no other service has from then on; undefined while another has it. */
export async function takeLearning({ db, now }: Tx, leaseMs: number): Promise<Job | undefined> {
  const leaseUntil = now.getTime() + leaseMs
  const row = await db
    .insertInto('jobs')
    .values({ ...newLearning(now), state: 'running', attempt: 1, lease_until: leaseUntil })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          state: 'running',
          attempt: eb('jobs.attempt', '+', 1),
          lease_until: leaseUntil,
        }))
        .where(({ or, eb }) =>
          or([
            eb('jobs.state', '!=', 'running'),
            eb('jobs.lease_until', '<=', now.getTime()),
            eb('jobs.lease_until', '>', now.getTime() + 2 * leaseMs),
          ]),
        ),
    )
    .returningAll()
    .executeTakeFirst()
  return row && jobOf(row)
}

/** Asks for a run of the learning job soon, unless it is running. */
export async function queueLearning({ db, now }: Tx): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ ...newLearning(now), state: 'queued', attempt: 0, lease_until: null })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ state: 'queued' }).where('jobs.state', '=', 'done'),
    )
    .execute()
}

/** Gives a job back that could not be done. */
export async function releaseJob({ db }: Tx, job: Job): Promise<void> {
  await held(db, job).set({ state: 'queued', lease_until: null }).execute()
}

/** Ends the learning job. False if the lease was lost; then nothing changes. */
export async function finishLearning(
  { db, now }: Tx,
  job: Job,
  progress: LearningProgress,
): Promise<boolean> {
  const detail = JSON.stringify(progress)
  const rows = await held(db, job)
    .set({ state: 'done', detail, lease_until: null, finished_at: now.getTime() })
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Ends the job and empties its detail. False if the lease was lost; then nothing changes. */
export async function finishJob({ db, now }: Tx, job: Job): Promise<boolean> {
  const rows = await held(db, job)
    .set({ state: 'done', detail: '{}', lease_until: null, finished_at: now.getTime() })
    .returning('id')
    .execute()
  return rows.length > 0
}

function newLearning(now: Date) {
  return { id: LEARNING, namespace: null, kind: LEARNING, detail: '{}', created_at: now.getTime() }
}

/** The job, unless another has taken or ended it. */
function held(db: Queries, { id, attempt }: Job) {
  return db
    .updateTable('jobs')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
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
