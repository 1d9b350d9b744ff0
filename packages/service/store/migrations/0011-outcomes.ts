/** Who asked about a judged message, how that one names it, and what became of it. Older entries have none of it. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

const TEXT = { sqlite: 'text', postgres: 'text collate "C"' } as const

export async function outcomes(db: Queries, kind: DatabaseKind): Promise<void> {
  const add = (column: string) => `alter table history add column ${column} ${TEXT[kind]}`
  const index = (name: string, column: string) =>
    `create index history_by_${name} on history (tenant, ${column}, judged_at, seq) where ${column} is not null`
  const statements = [
    ...['asked_by', 'queue_id', 'reference', 'action'].map(add),
    index('queue', 'queue_id'),
    index('reference', 'reference'),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
