/** What a tenant says by API: the rules of its site, and thresholds and learning of its recipients. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

/** Words in which the two databases differ. Text is compared byte for byte in both. */
const WORDS = {
  sqlite: { text: 'text', integer: 'integer', end: 'strict' },
  postgres: { text: 'text collate "C"', integer: 'bigint', end: '' },
} as const

export async function tenantSettings(db: Queries, kind: DatabaseKind): Promise<void> {
  const { text, integer, end } = WORDS[kind]
  const statements = [
    // The recipients of all domains are ''. A null would be another one each time to the index.
    `create table site_rules (
      id ${text} primary key,
      tenant ${text} not null references tenants (id),
      recipient_domain ${text} not null,
      rule_type ${text} not null,
      pattern ${text} not null,
      label ${text} not null,
      created_at ${integer} not null
    ) ${end}`,
    `create unique index site_rules_of_tenant
      on site_rules (tenant, recipient_domain, rule_type, pattern)`,
    'create index site_rules_in_order on site_rules (tenant, created_at, id)',

    `create table recipient_settings (
      tenant ${text} not null references tenants (id),
      kind ${text} not null,
      name ${text} not null,
      threshold ${text},
      learning ${text},
      updated_at ${integer} not null,
      primary key (tenant, kind, name)
    ) ${end}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
