/** What a tenant knows of its mail, and by how much that speaks for spam or against it. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

/** Words in which the two databases differ. Text is compared byte for byte in both. */
const WORDS = {
  sqlite: { text: 'text', integer: 'integer', real: 'real', end: 'strict' },
  postgres: { text: 'text collate "C"', integer: 'bigint', real: 'double precision', end: '' },
} as const

export async function weightedRules(db: Queries, kind: DatabaseKind): Promise<void> {
  const { text, integer, real, end } = WORDS[kind]
  const statements = [
    `create table weighted_rules (
      id ${text} primary key,
      tenant ${text} not null references tenants (id),
      name ${text} not null,
      weight ${real} not null,
      conditions ${text} not null,
      created_at ${integer} not null
    ) ${end}`,
    'create unique index weighted_rules_of_tenant on weighted_rules (tenant, name)',
    'create index weighted_rules_in_order on weighted_rules (tenant, created_at, id)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
