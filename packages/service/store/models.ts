/**
 * Versions of what a tenant has learned: candidates, the one at work, and those it replaced.
 *
 * Promotions are counted. Going back means going to the retired version with the highest count
 * below; what is left that way counts as rejected and is not come back to.
 */
import type { Selectable } from 'kysely'
import type { Model, ModelSummary, NewModel } from '../taught-models/model-version.ts'
import { appendChange } from './changes.ts'
import type { Context, Queries } from './database.ts'
import { bytes, date } from './rows.ts'
import type { Tables } from './tables.ts'

/** Versions kept of a tenant: enough to go back some hours of learning, and at most some 100 MB. */
const VERSIONS_KEPT = 20

/**
 * A candidate beside the promoted model; gives its version, counted per tenant from 1. The oldest
 * leave: 20 are kept, and the promoted one.
 */
export async function saveCandidate(
  db: Queries,
  { now }: Context,
  model: NewModel,
): Promise<number> {
  const version = (await highest(db, model.tenant, 'version')) + 1
  await db
    .insertInto('model_versions')
    .values({
      tenant: model.tenant,
      version,
      base_version: model.baseVersion,
      deltas: model.deltas,
      learned_to_seq: model.learnedToSeq,
      state: 'candidate',
      metrics: JSON.stringify(model.metrics),
      created_at: now.getTime(),
    })
    .execute()
  await db
    .deleteFrom('model_versions')
    .where('tenant', '=', model.tenant)
    .where('version', '<=', version - VERSIONS_KEPT)
    .where('state', '!=', 'promoted')
    .execute()
  return version
}

/** A candidate that goes to work at once, so that no version is left between the two by a process that ends. */
export async function savePromoted(
  db: Queries,
  context: Context,
  model: NewModel,
): Promise<number> {
  const version = await saveCandidate(db, context, model)
  await promote(db, context, model.tenant, version)
  return version
}

/** Puts a candidate to work; what worked before is retired. False when it is no candidate. */
export async function promote(
  db: Queries,
  context: Context,
  tenant: string,
  version: number,
): Promise<boolean> {
  const promotion = (await highest(db, tenant, 'promotion')) + 1
  const row = await candidate(db, tenant, version)
  if (row === undefined) return false
  await setPromotedTo(db, tenant, 'retired')
  await db
    .updateTable('model_versions')
    .set({ state: 'promoted', promotion })
    .where('tenant', '=', tenant)
    .where('version', '=', version)
    .execute()
  await appendChange(db, context, { tenant, topic: 'models' })
  return true
}

/** False when it is no candidate. */
export async function reject(
  db: Queries,
  _context: Context,
  tenant: string,
  version: number,
): Promise<boolean> {
  const rows = await db
    .updateTable('model_versions')
    .set({ state: 'rejected' })
    .where('tenant', '=', tenant)
    .where('version', '=', version)
    .where('state', '=', 'candidate')
    .returning('version')
    .execute()
  return rows.length > 0
}

/**
 * Rejects the promoted model and puts to work what it had replaced.
 *
 * @returns the version at work now; undefined when it is the base weights alone.
 */
export async function rollback(
  db: Queries,
  context: Context,
  tenant: string,
): Promise<number | undefined> {
  const rejected = await setPromotedTo(db, tenant, 'rejected')
  if (rejected === undefined) return undefined
  await appendChange(db, context, { tenant, topic: 'models' })
  const before = await db
    .selectFrom('model_versions')
    .select('version')
    .where('tenant', '=', tenant)
    .where('state', '=', 'retired')
    .where('promotion', '<', rejected)
    .orderBy('promotion', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (before === undefined) return undefined
  await db
    .updateTable('model_versions')
    .set({ state: 'promoted' })
    .where('tenant', '=', tenant)
    .where('version', '=', before.version)
    .execute()
  return before.version
}

export async function promotedModel(
  db: Queries,
  _context: Context,
  tenant: string,
): Promise<Model | undefined> {
  const row = await db
    .selectFrom('model_versions')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('state', '=', 'promoted')
    .executeTakeFirst()
  return row === undefined ? undefined : { ...summaryOfRow(row), deltas: bytes(row.deltas) }
}

/** Without the deltas, newest first. */
export async function models(
  db: Queries,
  _context: Context,
  tenant: string,
): Promise<ModelSummary[]> {
  const rows = await db
    .selectFrom('model_versions')
    .select(['tenant', 'version', 'base_version', 'learned_to_seq', 'state', 'metrics'])
    .select('created_at')
    .where('tenant', '=', tenant)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(summaryOfRow)
}

/**
 * Removes what was learned before `version`, which may hold traces of a user who left; how many
 * versions. The one at work goes too, should it be older: the base weights are without traces.
 */
export async function forgetModelsBefore(
  db: Queries,
  context: Context,
  tenant: string,
  version: number,
): Promise<number> {
  const rows = await db
    .deleteFrom('model_versions')
    .where('tenant', '=', tenant)
    .where('version', '<', version)
    .returning('state')
    .execute()
  if (rows.some(({ state }) => state === 'promoted')) {
    await appendChange(db, context, { tenant, topic: 'models' })
  }
  return rows.length
}

/** Takes the promoted model off work; gives the count of its promotion. */
async function setPromotedTo(
  db: Queries,
  tenant: string,
  state: 'retired' | 'rejected',
): Promise<number | undefined> {
  const row = await db
    .updateTable('model_versions')
    .set({ state })
    .where('tenant', '=', tenant)
    .where('state', '=', 'promoted')
    .returning('promotion')
    .executeTakeFirst()
  return row?.promotion ?? undefined
}

async function candidate(db: Queries, tenant: string, version: number) {
  return await db
    .selectFrom('model_versions')
    .select('version')
    .where('tenant', '=', tenant)
    .where('version', '=', version)
    .where('state', '=', 'candidate')
    .executeTakeFirst()
}

async function highest(
  db: Queries,
  tenant: string,
  column: 'version' | 'promotion',
): Promise<number> {
  const row = await db
    .selectFrom('model_versions')
    .select((columns) => columns.fn.max(column).as('highest'))
    .where('tenant', '=', tenant)
    .executeTakeFirst()
  return row?.highest ?? 0
}

function summaryOfRow(
  row: Omit<Selectable<Tables['model_versions']>, 'deltas' | 'promotion'>,
): ModelSummary {
  return {
    tenant: row.tenant,
    version: row.version,
    baseVersion: row.base_version,
    learnedToSeq: row.learned_to_seq,
    state: row.state,
    metrics: JSON.parse(row.metrics),
    createdAt: date(row.created_at),
  }
}
