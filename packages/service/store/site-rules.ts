/** The rules that tenants have made for their sites. Those of the operator's files are not here (site-rules.ts). */
import type { Selectable } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import type { NewTenantRule, RulePlace, TenantRule } from '../tenants/site-rule.ts'
import { appendChange } from './changes.ts'
import type { Context, Queries } from './context.ts'
import { date } from './rows.ts'
import { storedPattern, storedText } from './stored-text.ts'
import type { Tables } from './tables.ts'
import { countRules, removeRule, ruleRows } from './tenant-rules.ts'

/** The most rules of one tenant. More belong in a file: each change makes every process read all of them again. */
export const SITE_RULES_MAX = 10_000

/** The column where a rule is about all recipients of the tenant. */
const ALL_DOMAINS = ''

/**
 * The rule, and whether it is new. The same again changes nothing.
 *
 * @throws TamisError RULE_CONTRADICTS where the tenant says the opposite of the same already;
 *   RULES_FULL for a tenant with 10,000.
 */
export async function addSiteRule(
  db: Queries,
  context: Context,
  rule: NewTenantRule,
): Promise<{ readonly rule: TenantRule; readonly created: boolean }> {
  const existing = await sameOrOpposite(db, rule)
  if (existing?.label === rule.label) return { rule: existing, created: false }
  if (existing !== undefined) throw contradiction(existing)
  await refuseIfFull(db)
  const row = await db
    .insertInto('site_rules')
    .values({
      ...columnsOf(rule),
      id: crypto.randomUUID(),
      label: rule.label,
      created_at: context.now.getTime(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await appendChange(db, context, { topic: 'rules' })
  return { rule: ruleOfRow(row), created: true }
}

/** Removes a rule. False when the tenant has none of this id. */
export async function removeSiteRule(db: Queries, context: Context, id: string): Promise<boolean> {
  return await removeRule(db, context, 'site_rules', id)
}

/** At most `limit` rules of the newest first, those after `after`. */
export async function siteRules(
  db: Queries,
  _context: Context,
  limit: number,
  after?: RulePlace,
): Promise<TenantRule[]> {
  const rows = await ruleRows(db, 'site_rules', limit, after)
  return rows.map(ruleOfRow)
}

async function sameOrOpposite(db: Queries, rule: NewTenantRule): Promise<TenantRule | undefined> {
  const row = await db
    .selectFrom('site_rules')
    .selectAll()
    .where((column) => column.and(columnsOf(rule)))
    .executeTakeFirst()
  return row === undefined ? undefined : ruleOfRow(row)
}

async function refuseIfFull(db: Queries): Promise<void> {
  if ((await countRules(db, 'site_rules')) < SITE_RULES_MAX) return
  throw new TamisError(
    'RULES_FULL',
    `The tenant already has ${SITE_RULES_MAX} site rules; remove some first, or ask the operator to put them in a file (TAMIS_SITE_RULES)`,
  )
}

function contradiction({ id, label }: TenantRule): TamisError {
  const verb = label === 'spam' ? 'blocks' : 'allows'
  return new TamisError(
    'RULE_CONTRADICTS',
    `The rule ${id} ${verb} the same for the same recipients; remove it first`,
    { details: { field: 'label' } },
  )
}

/** The columns that name what a rule is about. */
function columnsOf({ recipientDomain = ALL_DOMAINS, ruleType, pattern }: NewTenantRule) {
  return {
    recipient_domain: storedText(recipientDomain),
    rule_type: ruleType,
    pattern: storedPattern(pattern),
  }
}

function ruleOfRow(row: Selectable<Tables['site_rules']>): TenantRule {
  return {
    id: row.id,
    ruleType: row.rule_type,
    label: row.label,
    pattern: row.pattern,
    ...(row.recipient_domain !== ALL_DOMAINS && { recipientDomain: row.recipient_domain }),
    createdAt: date(row.created_at),
  }
}
