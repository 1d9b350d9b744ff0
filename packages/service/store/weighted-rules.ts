/** The weighted rules that tenants have made. Those of the operator's files are not here (weighted-rules.ts). */
import type { Selectable } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import { type Condition, WEIGHTED_RULES_MAX } from '../../mail/personalization/weighted-rule.ts'
import type { RulePlace } from '../tenants/site-rule.ts'
import type { NewWeightedRule, TenantWeightedRule } from '../tenants/weighted-rule.ts'
import { appendChange } from './changes.ts'
import type { Context, Queries } from './context.ts'
import { date } from './rows.ts'
import { storedText } from './stored-text.ts'
import type { Tables } from './tables.ts'
import { countRules, removeRule, ruleRows } from './tenant-rules.ts'

/**
 * The rule, and whether it is new. The same again changes nothing.
 *
 * @throws TamisError RULE_CONTRADICTS where the tenant has another rule of this name; RULES_FULL for a tenant with 200.
 */
export async function addWeightedRule(
  db: Queries,
  context: Context,
  rule: NewWeightedRule,
): Promise<{ readonly rule: TenantWeightedRule; readonly created: boolean }> {
  const { name, weight } = rule
  const conditions = storedText(JSON.stringify(rule.conditions))
  const existing = await ruleNamed(db, name)
  if (existing !== undefined) {
    const isSame = existing.weight === weight && existing.conditions === conditions
    if (!isSame) throw contradiction(existing)
    return { rule: ruleOfRow(existing), created: false }
  }
  await refuseIfFull(db)
  const row = await db
    .insertInto('weighted_rules')
    .values({
      id: crypto.randomUUID(),
      name,
      weight,
      conditions,
      created_at: context.now.getTime(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await appendChange(db, context, { topic: 'rules' })
  return { rule: ruleOfRow(row), created: true }
}

/** Removes a rule. False when the tenant has none of this id. */
export async function removeWeightedRule(
  db: Queries,
  context: Context,
  id: string,
): Promise<boolean> {
  return await removeRule(db, context, 'weighted_rules', id)
}

/** At most `limit` rules of the newest first, those after `after`. */
export async function weightedRules(
  db: Queries,
  _context: Context,
  limit: number,
  after?: RulePlace,
): Promise<TenantWeightedRule[]> {
  const rows = await ruleRows(db, 'weighted_rules', limit, after)
  return rows.map(ruleOfRow)
}

type Row = Selectable<Tables['weighted_rules']>

async function ruleNamed(db: Queries, name: string): Promise<Row | undefined> {
  return await db
    .selectFrom('weighted_rules')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
}

async function refuseIfFull(db: Queries): Promise<void> {
  if ((await countRules(db, 'weighted_rules')) < WEIGHTED_RULES_MAX) return
  throw new TamisError(
    'RULES_FULL',
    `The tenant already has ${WEIGHTED_RULES_MAX} weighted rules; remove some first`,
  )
}

function contradiction({ id, name }: Row): TamisError {
  return new TamisError(
    'RULE_CONTRADICTS',
    `There is a rule named ${name} that says something else, ${id}; remove it first`,
    { details: { field: 'name' } },
  )
}

function ruleOfRow(row: Row): TenantWeightedRule {
  return {
    id: row.id,
    name: row.name,
    weight: row.weight,
    conditions: JSON.parse(row.conditions) as Condition[],
    createdAt: date(row.created_at),
  }
}
