/** The message that a rule was made from, so that taking back what was learned about it finds the rule. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

const BYTES = { sqlite: 'blob', postgres: 'bytea' } as const

export async function messagesOfRules(db: Queries, kind: DatabaseKind): Promise<void> {
  const statements = [
    `alter table rules add column message_key ${BYTES[kind]}`,
    // What was last said of a message is looked up where nothing of it holds.
    `create index corrections_ended on corrections (tenant, user_id, kind, message_key)
      where ended_at is not null`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
