/** Indexes for what every correction asks, so that it need not read all that came before. */
import { sql } from 'kysely'
import type { Queries } from '../context.ts'

const STATEMENTS = [
  // Whether a correction has gone from the log is seen by counting those that are active.
  'create index corrections_active on corrections (tenant, seq) where ended_at is null',
  // A correction drops the rules made from earlier ones of the same sender.
  `create index corrections_with_rule on corrections (tenant, user_id, rule_pattern)
    where rule_pattern is not null and ended_at is null`,
]

export async function indexes(db: Queries): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
