/** Finds mail by what became of it. Most is accepted, of which the latest is found without an index of its own. */
import { sql } from 'kysely'
import type { Queries } from '../context.ts'

export async function actions(db: Queries): Promise<void> {
  await sql`
    create index history_by_action on history (tenant, action, judged_at, seq)
      where action <> 'accepted'
  `.execute(db)
}
