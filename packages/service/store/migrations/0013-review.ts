/** Finds what a person should review, and whether its user has corrected it since. Older entries have no key. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

const BYTES = { sqlite: 'blob', postgres: 'bytea' } as const

export async function review(db: Queries, kind: DatabaseKind): Promise<void> {
  await sql.raw(`alter table history add column message_key ${BYTES[kind]}`).execute(db)
  await sql`
    create index history_for_review on history (tenant, judged_at, seq)
      where should_escalate = 1 or action = 'quarantined'
  `.execute(db)
}
