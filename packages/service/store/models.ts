/**
 * Versions of the learned model: the one in use, those that it replaced, and those that were rejected.
 *
 * A version is promoted while it is the newest, so going back means going to the newest retired one; what is left that way
 * counts as rejected and is not come back to.
 */
import type {
  LearningProgress,
  Model,
  ModelSummary,
  NewModel,
} from '../learned-models/model-version.ts'
import { appendChange, type Tx } from './changes.ts'
import { finishLearning, queueLearning } from './jobs.ts'
import { fromRow, toRow } from './rows.ts'
import type { Queries } from './tables.ts'

const SUMMARY_COLUMNS = [
  'version',
  'base_version',
  'learned_to_seq',
  'state',
  'metrics',
  'created_at',
] as const

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

/** The versions kept: enough to go back some days, and at most some 100 MB. */
const VERSIONS_KEPT = 20

/**
 * Keeps a version, counted from 1, and gives its number. One that is `promoted` goes to
 * work, and what worked before is retired; one that is `rejected` stands beside it. The oldest
 * leave: 20 are kept, and the promoted one.
 */
export async function saveModel(
  tx: Tx,
  model: NewModel,
  state: 'promoted' | 'rejected',
): Promise<number> {
  const { db } = tx
  const version = ((await newestVersion(db))?.version ?? 0) + 1
  // This runs while the old version is still promoted: a rollback returns to it, however old it is.
  await db
    .deleteFrom('model_versions')
    .where('version', '<=', version - VERSIONS_KEPT)
    .where('state', '!=', 'promoted')
    .execute()
  if (state === 'promoted') {
    await takeOutOfUse(db, 'retired')
    await appendChange(tx, 'models')
  }
  await db
    .insertInto('model_versions')
    .values({
      ...toRow({ ...model, version, state, createdAt: tx.now }),
      metrics: JSON.stringify(model.metrics),
    })
    .execute()
  return version
}

/**
 * Keeps what a run has learned; undefined if the lease was lost, then nothing changes. What differs from
 * the newest version is kept as another, and goes to work unless that was rejected: after a rollback.
 *
 * @param attempt of the lease (jobs.ts).
 * @returns the newest version; 0 for none, where nothing has ever been learned.
 */
export async function saveLearned(
  tx: Tx,
  attempt: number,
  { model, progress, isEmpty, forgotten }: LearnedModel,
): Promise<number | undefined> {
  if (!(await finishLearning(tx, attempt, progress, forgotten))) return undefined
  const forgetsOlder = forgotten.length > 0
  const newest = await newestVersion(tx.db)
  if (newest === undefined && isEmpty) return 0
  const isSame =
    !forgetsOlder &&
    newest?.base_version === model.baseVersion &&
    Buffer.compare(newest.deltas, model.deltas) === 0
  const state = newest?.state === 'rejected' ? 'rejected' : 'promoted'
  const version = isSame ? newest.version : await saveModel(tx, model, state)
  if (forgetsOlder) await forgetModelsBefore(tx, version)
  return version
}

/** What a run of the learning job has learned. */
export interface LearnedModel {
  readonly model: NewModel
  readonly progress: LearningProgress
  /** Whether nothing is added to the shipped weights. */
  readonly isEmpty: boolean
  /** Deletions of users who were not in the log any more. Older versions go, which may hold traces of them. */
  readonly forgotten: readonly string[]
}

/**
 * Puts the newest version into use, and those that follow: learning is done soon.
 *
 * @returns the version in use now; undefined if nothing has been learned yet.
 */
export async function promote(tx: Tx): Promise<number | undefined> {
  const { db } = tx
  await queueLearning(tx)
  const newest = await newestVersion(db)
  if (newest === undefined || newest.state === 'promoted') return newest?.version
  await takeOutOfUse(db, 'retired')
  await putIntoUse(db, newest.version)
  await appendChange(tx, 'models')
  return newest.version
}

/**
 * Rejects the promoted model and puts into use the one that it had replaced.
 *
 * @returns the version in use now; undefined if only the base weights are in use.
 */
export async function rollback(tx: Tx): Promise<number | undefined> {
  const { db } = tx
  if (!(await takeOutOfUse(db, 'rejected'))) return undefined
  await appendChange(tx, 'models')
  const before = await db
    .selectFrom('model_versions')
    .select('version')
    .where('state', '=', 'retired')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (before === undefined) return undefined
  await putIntoUse(db, before.version)
  return before.version
}

/**
 * Removes what was learned before `version`, which may hold traces of a user who left. The one at work goes too, should it be
 * older: the base weights are without traces.
 */
async function forgetModelsBefore(tx: Tx, version: number): Promise<void> {
  const rows = await tx.db
    .deleteFrom('model_versions')
    .where('version', '<', version)
    .returning('state')
    .execute()
  if (rows.some(({ state }) => state === 'promoted')) await appendChange(tx, 'models')
}

/** False if none was in use. */
async function takeOutOfUse(db: Queries, state: 'retired' | 'rejected'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('model_versions')
    .set({ state })
    .where('state', '=', 'promoted')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function putIntoUse(db: Queries, version: number): Promise<void> {
  await db
    .updateTable('model_versions')
    .set({ state: 'promoted' })
    .where('version', '=', version)
    .execute()
}

function newestVersion(db: Queries) {
  return db
    .selectFrom('model_versions')
    .select(['version', 'state', 'base_version', 'deltas'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}
