/**
 * Work that outlives a request. A process takes a job for a while (a lease) and renews that; a job
 * whose holder died is taken by another. `attempt` tells the two apart: the old holder, should it
 * come back, can no longer renew or end the job.
 */
import type { Selectable } from 'kysely'
import type { Job } from '../users/job.ts'
import { type Context, date, optional, type Queries, storedText } from './context.ts'
import type { Tables } from './tables.ts'

/**
 * The oldest job that is queued, or whose lease has run out; it is running from then on.
 */
export async function takeJob(
  db: Queries,
  { kind, now }: Context,
  leaseMs: number,
): Promise<Job | undefined> {
  const free = db
    .selectFrom('jobs')
    .select('id')
    .where(({ or, and, eb }) =>
      or([
        eb('state', '=', 'queued'),
        and([eb('state', '=', 'running'), eb('lease_until', '<=', now.getTime())]),
        // A clock that has since been set back gave this lease: nobody holds a job for that long.
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
  return row === undefined ? undefined : jobOfRow(row)
}

/** False when the lease was lost and another process has the job. */
export async function renewJob(
  db: Queries,
  { now }: Context,
  job: Job,
  leaseMs: number,
): Promise<boolean> {
  const rows = await held(db, job)
    .set({ lease_until: now.getTime() + leaseMs })
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Ends the job and empties its detail. False if the lease was lost; then nothing changes. */
export async function finishJob(db: Queries, { now }: Context, job: Job): Promise<boolean> {
  const rows = await held(db, job)
    .set({ state: 'done', detail: '{}', lease_until: null, finished_at: now.getTime() })
    .returning('id')
    .execute()
  return rows.length > 0
}

export async function jobById(
  db: Queries,
  _context: Context,
  id: string,
): Promise<Job | undefined> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', storedText(id))
    .executeTakeFirst()
  return row === undefined ? undefined : jobOfRow(row)
}

export async function deleteEndedJobs(db: Queries, before: Date): Promise<void> {
  await db.deleteFrom('jobs').where('finished_at', '<', before.getTime()).execute()
}

/** The job, as long as nobody else has taken or ended it. */
function held(db: Queries, { id, attempt }: Job) {
  return db
    .updateTable('jobs')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
}

function jobOfRow(row: Selectable<Tables['jobs']>): Job {
  return {
    id: row.id,
    ...optional('namespace', row.namespace, String),
    kind: row.kind,
    state: row.state,
    detail: JSON.parse(row.detail),
    attempt: row.attempt,
    createdAt: date(row.created_at),
    ...optional('finishedAt', row.finished_at, date),
  }
}
