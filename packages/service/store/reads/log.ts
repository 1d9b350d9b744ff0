/** The log of corrections, the models learned from it, the operator's rules, and jobs. */
import type { Selectable } from 'kysely'
import type { LearningState, Model, ModelSummary } from '../../learned-models/model-version.ts'
import type { LoggedCorrection } from '../../users/correction.ts'
import type { Job } from '../../users/job.ts'
import { checkLimit, fromRow, storedText } from '../rows.ts'
import type { Queries, Tables } from '../tables.ts'

/** The id and kind of the job that learns from the log. There is one, which is done again and again. */
export const LEARNING = 'learning'

const LOGGED_COLUMNS = [
  'seq',
  'feedback_id',
  'user_id',
  'authority',
  'kind',
  'label',
  'message_key',
  'domain_key',
  'authenticated_domain',
  'feature_version',
  'features',
  'created_at',
] as const

const SUMMARY_COLUMNS = [
  'version',
  'base_version',
  'learned_to_seq',
  'state',
  'metrics',
  'created_at',
] as const

/** The log for replay: active corrections after `afterSeq`, in the order they were committed. */
export async function correctionsInOrder(
  db: Queries,
  afterSeq: number,
  limit: number,
): Promise<LoggedCorrection[]> {
  const rows = await db
    .selectFrom('corrections')
    .select(LOGGED_COLUMNS)
    .where('seq', '>', afterSeq)
    .where('ended_at', 'is', null)
    .orderBy('seq')
    .limit(checkLimit(limit))
    .execute()
  return rows.map((row) => fromRow(row))
}

export async function promotedModel(db: Queries): Promise<Model | undefined> {
  const row = await db
    .selectFrom('model_versions')
    .select([...SUMMARY_COLUMNS, 'deltas'])
    .where('state', '=', 'promoted')
    .executeTakeFirst()
  return row && { ...fromRow(row), metrics: JSON.parse(row.metrics) }
}

/** The versions without their deltas, newest first. */
export async function models(db: Queries): Promise<ModelSummary[]> {
  const rows = await db
    .selectFrom('model_versions')
    .select(SUMMARY_COLUMNS)
    .orderBy('version', 'desc')
    .execute()
  return rows.map((row) => ({ ...fromRow(row), metrics: JSON.parse(row.metrics) }))
}

/** The text of rules that was stored by API; '' where none was stored. The operator's file is not here (rules/rules-file.ts). */
export async function operatorRules(db: Queries): Promise<string> {
  const row = await db.selectFrom('operator_rules').select('text').executeTakeFirst()
  return row?.text ?? ''
}

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
