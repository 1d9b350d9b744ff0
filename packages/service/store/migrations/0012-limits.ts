/** From which probability the mail of a recipient is refused or held. Null where nothing is set. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

const TEXT = { sqlite: 'text', postgres: 'text collate "C"' } as const

export async function limits(db: Queries, kind: DatabaseKind): Promise<void> {
  for (const column of ['reject_at', 'quarantine_at']) {
    await sql.raw(`alter table recipient_settings add column ${column} ${TEXT[kind]}`).execute(db)
  }
}
