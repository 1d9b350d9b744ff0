/** What the tables of a tenant's rules have in common: site rules (site-rules.ts) and weighted rules (weighted-rules.ts). */
import type { Selectable } from 'kysely'
import type { RulePlace } from '../tenants/site-rule.ts'
import { appendChange } from './changes.ts'
import type { Context, Queries } from './context.ts'
import { checkLimit } from './rows.ts'
import { storedText } from './stored-text.ts'
import type { Tables } from './tables.ts'

type RuleTable = 'site_rules' | 'weighted_rules'

/** Removes a rule of `table`. False when the tenant has none of this id. */
export async function removeRule(
  db: Queries,
  context: Context,
  table: RuleTable,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('id', '=', storedText(id))
    .executeTakeFirst()
  if (Number(numDeletedRows) === 0) return false
  await appendChange(db, context, { topic: 'rules' })
  return true
}

/** At most `limit` rows of the tenant in `table`, newest first, those after `after`. */
export async function ruleRows<Table extends RuleTable>(
  db: Queries,
  table: Table,
  limit: number,
  after?: RulePlace,
): Promise<Selectable<Tables[Table]>[]> {
  const rows = await db
    .selectFrom<RuleTable>(table)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('created_at', 'id'),
          '<',
          tuple(after!.createdAt.getTime(), storedText(after!.id)),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(checkLimit(limit))
    .execute()
  return rows as Selectable<Tables[Table]>[]
}

/** How many rules the tenant has in `table`. */
export async function countRules(db: Queries, table: RuleTable): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
