/** Explicit rules: those a user or an operator made, not those that follow from corrections. */
import type { Selectable } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import type { NewRule, Rule, RuleName, Withdrawal } from '../users/correction.ts'
import { tellOfUser } from './changes.ts'
import {
  bytes,
  type Context,
  date,
  optional,
  type Queries,
  storedPattern,
  storedText,
  storedUserId,
} from './context.ts'
import type { Tables } from './tables.ts'

/** The most rules of one user and kind. Stops a client that makes one for every message: every message is compared with all of them. */
const RULES_MAX = 2_000

/**
 * The rule, and whether it is new. The same again changes nothing but the message that the rule is
 * remembered to be made from; another label replaces the rule, under a new id, and so does the same
 * from a message that was authenticated where the first was not.
 *
 * @throws TamisError RULES_FULL for a user with 2,000 of the kind.
 */
export async function addRule(
  db: Queries,
  context: Context,
  rule: NewRule,
): Promise<{ readonly rule: Rule; readonly created: boolean }> {
  const existing = await selectRule(db, rule)
  if (existing !== undefined && saysAsMuch(existing, rule)) {
    if (rule.messageKey !== undefined) await rememberMessage(db, rule, rule.messageKey)
    return { rule: existing, created: false }
  }
  if (existing === undefined) await refuseIfFull(db, rule)
  else await deleteRules(db, rule)
  const row = await db
    .insertInto('rules')
    .values({
      ...columnsOf(rule),
      id: crypto.randomUUID(),
      label: rule.label,
      unverified: rule.unverified ? 1 : 0,
      authenticated_domain: textOrNull(rule.authenticatedDomain),
      created_at: context.now.getTime(),
      message_key: rule.messageKey ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellOfUser(db, context, rule.userId)
  return { rule: ruleOfRow(row), created: true }
}

/** If a user makes the same rule from several messages, the last message is remembered. */
async function rememberMessage(db: Queries, rule: RuleName, messageKey: Uint8Array): Promise<void> {
  await db
    .updateTable('rules')
    .set({ message_key: messageKey })
    .where((column) => column.and(columnsOf(rule)))
    .execute()
}

function saysAsMuch(existing: Rule, rule: NewRule): boolean {
  if (existing.label !== rule.label) return false
  return rule.unverified || existing.authenticatedDomain === rule.authenticatedDomain
}

async function refuseIfFull(db: Queries, { userId, kind }: NewRule): Promise<void> {
  const { count } = await db
    .selectFrom('rules')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('user_id', '=', storedUserId(userId))
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  if (Number(count) < RULES_MAX) return
  throw new TamisError('RULES_FULL', `The user already has ${RULES_MAX} rules; remove some first`)
}

/** Explicit rules, newest first. */
export async function rulesOf(db: Queries, _context: Context, userId: string): Promise<Rule[]> {
  const rows = await db
    .selectFrom('rules')
    .selectAll()
    .where('user_id', '=', storedUserId(userId))
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(ruleOfRow)
}

/** Removes a rule. Returns how many there were. */
export async function removeRules(db: Queries, context: Context, rule: RuleName): Promise<number> {
  const removed = await deleteRules(db, rule)
  if (removed > 0) await tellOfUser(db, context, rule.userId)
  return removed
}

/** Removes the rules that a user has made from one message. Returns how many there were. */
export async function deleteRulesFrom(
  db: Queries,
  { userId, kind, messageKey }: Omit<Withdrawal, 'authority'>,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rules')
    .where('user_id', '=', storedUserId(userId))
    .where('kind', '=', kind)
    .where('message_key', '=', messageKey)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function deleteRules(db: Queries, rule: RuleName): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rules')
    .where((column) => column.and(columnsOf(rule)))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function selectRule(db: Queries, rule: RuleName): Promise<Rule | undefined> {
  const row = await db
    .selectFrom('rules')
    .selectAll()
    .where((column) => column.and(columnsOf(rule)))
    .executeTakeFirst()
  return row === undefined ? undefined : ruleOfRow(row)
}

/** The columns that name a rule. */
function columnsOf({ userId, kind, ruleType, pattern }: RuleName) {
  return {
    user_id: storedUserId(userId),
    kind,
    rule_type: ruleType,
    pattern: storedPattern(pattern),
  }
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storedText(text)
}

function ruleOfRow(row: Selectable<Tables['rules']>): Rule {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind,
    ruleType: row.rule_type,
    pattern: row.pattern,
    label: row.label,
    unverified: row.unverified === 1,
    ...optional('authenticatedDomain', row.authenticated_domain, String),
    ...optional('messageKey', row.message_key, bytes),
    createdAt: date(row.created_at),
  }
}
