/** Adds the source of a correction: it counts as the operator's word, or only as that of its user. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

const TEXT = { sqlite: 'text', postgres: 'text collate "C"' } as const

export async function word(db: Queries, kind: DatabaseKind): Promise<void> {
  await sql
    .raw(`alter table corrections add column word ${TEXT[kind]} not null default 'user'`)
    .execute(db)
  // What `tamis learn --global` had recorded was always the operator's.
  await sql`update corrections set word = 'operator' where user_id = 'tamis learn'`.execute(db)
}
