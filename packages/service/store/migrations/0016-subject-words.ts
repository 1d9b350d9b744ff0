/** The first words of a corrected message's subject, where the operator keeps them; and an index of the rows that have any, which are to be found once none are kept. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

const TEXT = { sqlite: 'text', postgres: 'text collate "C"' } as const

export async function subjectWords(db: Queries, kind: DatabaseKind): Promise<void> {
  await sql.raw(`alter table corrections add column subject_words ${TEXT[kind]}`).execute(db)
  await sql`
    create index corrections_with_subject on corrections (tenant, seq)
      where subject_words is not null
  `.execute(db)
}
