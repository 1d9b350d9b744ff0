/** Whose word a correction is: that of whoever runs the service, or that of its user alone. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../database.ts'

const TEXT = { sqlite: 'text', postgres: 'text collate "C"' } as const

export async function word(db: Queries, kind: DatabaseKind): Promise<void> {
  await sql
    .raw(`alter table corrections add column word ${TEXT[kind]} not null default 'user'`)
    .execute(db)
  // What `tamis learn --global` had recorded was always the operator's.
  await sql`update corrections set word = 'operator' where user_id = 'tamis learn'`.execute(db)
}
