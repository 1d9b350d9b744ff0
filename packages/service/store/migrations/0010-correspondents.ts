/** Correspondents of users. A key names the user too, so that it is one of the tenant. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

/** Words in which the two databases differ, as in the first migration. */
const WORDS = {
  sqlite: { text: 'text', integer: 'integer', bytes: 'blob', end: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', bytes: 'bytea', end: '' },
} as const

export async function correspondents(db: Queries, kind: DatabaseKind): Promise<void> {
  const { text, integer, bytes, end } = WORDS[kind]
  const statements = [
    `create table correspondents (
      tenant ${text} not null references tenants (id),
      key ${bytes} not null,
      kind ${text} not null,
      user_id ${text} not null,
      times ${integer} not null,
      first_at ${integer} not null,
      last_at ${integer} not null,
      primary key (tenant, key, kind)
    ) ${end}`,
    'create index correspondents_of_user on correspondents (tenant, user_id, kind, last_at)',
    'create index correspondents_by_time on correspondents (tenant, kind, last_at)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
