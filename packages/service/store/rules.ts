/** Rules of users, but for those that follow from corrections, and the operator's rules. */

import { TamisError } from '../../errors/errors.ts'
import type { NewRule, Rule, RuleName } from '../users/correction.ts'
import { appendChange, type Tx } from './changes.ts'
import { fromRow, storedText, storedUserId, toRow } from './rows.ts'
import type { Queries } from './tables.ts'

/** The text of rules that was stored by API; '' where none was stored. The operator's file is not here (rules/rules-file.ts). */
export async function operatorRules(db: Queries): Promise<string> {
  const row = await db.selectFrom('operator_rules').select('text').executeTakeFirst()
  return row?.text ?? ''
}

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
  tx: Tx,
  rule: NewRule,
): Promise<{ readonly rule: Rule; readonly created: boolean }> {
  const { db } = tx
  const existing = await selectRule(db, rule)
  if (existing !== undefined && saysAsMuch(existing, rule)) {
    if (rule.messageKey !== undefined) {
      const message_key = rule.messageKey
      await db.updateTable('rules').set({ message_key }).where('id', '=', existing.id).execute()
    }
    return { rule: existing, created: false }
  }
  if (existing === undefined) await refuseIfFull(db, rule)
  else await db.deleteFrom('rules').where('id', '=', existing.id).execute()
  const { seq, ...row } = await db
    .insertInto('rules')
    .values(toRow({ ...rule, id: crypto.randomUUID(), createdAt: tx.now }))
    .returningAll()
    .executeTakeFirstOrThrow()
  await appendChange(tx, 'user', rule.userId)
  return { rule: fromRow(row), created: true }
}

/** Removes a rule. Returns how many there were. */
export async function removeRules(tx: Tx, rule: RuleName): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('rules')
    .where((column) => column.and(nameOf(rule)))
    .executeTakeFirst()
  if (numDeletedRows > 0n) await appendChange(tx, 'user', rule.userId)
  return Number(numDeletedRows)
}

/** Stores the text of the operator's rules. */
export async function setOperatorRules(tx: Tx, text: string): Promise<void> {
  const values = { text: storedText(text), updated_at: tx.now.getTime() }
  await tx.db
    .insertInto('operator_rules')
    .values({ id: 1, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  await appendChange(tx, 'rules')
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

async function selectRule(db: Queries, rule: RuleName): Promise<Rule | undefined> {
  const found = await db
    .selectFrom('rules')
    .selectAll()
    .where((column) => column.and(nameOf(rule)))
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { seq, ...row } = found
  return fromRow(row)
}

/** The columns that name a rule. */
function nameOf({ userId, kind, ruleType, pattern }: RuleName) {
  return toRow({ userId, kind, ruleType, pattern })
}
