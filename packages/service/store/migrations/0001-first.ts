/** The first tables. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

const SECRET_BYTES = 32

/** Words in which the two databases differ. */
const WORDS = {
  sqlite: {
    text: 'text',
    bytes: 'blob',
    integer: 'integer',
    // AUTOINCREMENT: a number is not given again after its row was deleted.
    seq: 'integer primary key autoincrement',
    transactionId: 'integer not null default 0',
    end: 'strict',
  },
  postgres: {
    // Compared byte for byte, whatever the collation of the database.
    text: 'text collate "C"',
    bytes: 'bytea',
    integer: 'bigint',
    seq: 'bigint generated always as identity primary key',
    transactionId: 'bigint not null default (pg_current_xact_id()::text::bigint)',
    end: '',
  },
} as const

export async function first(db: Queries, kind: DatabaseKind): Promise<void> {
  for (const statement of statements(WORDS[kind])) await sql.raw(statement).execute(db)
  await db
    .insertInto('installation')
    .values({ id: 1, secret: randomBytes(SECRET_BYTES) })
    .execute()
  await db
    .insertInto('tenants')
    .values({ id: 'default', name: 'Default', created_at: Date.now() })
    .execute()
}

function statements({
  text,
  bytes,
  integer,
  seq,
  transactionId,
  end,
}: (typeof WORDS)[keyof typeof WORDS]): string[] {
  return [
    `create table installation (
      id ${integer} primary key check (id = 1),
      secret ${bytes} not null
    ) ${end}`,

    `create table tenants (
      id ${text} primary key,
      name ${text} not null,
      created_at ${integer} not null
    ) ${end}`,

    `create table api_keys (
      id ${text} primary key,
      tenant ${text} not null references tenants (id),
      name ${text} not null,
      hash ${bytes} not null unique,
      scopes ${text} not null,
      entitlements ${text} not null,
      requests_per_minute_max ${integer},
      created_at ${integer} not null,
      revoked_at ${integer}
    ) ${end}`,
    'create index api_keys_of_tenant on api_keys (tenant)',

    `create table rules (
      seq ${seq},
      id ${text} not null unique,
      tenant ${text} not null references tenants (id),
      user_id ${text} not null,
      kind ${text} not null,
      rule_type ${text} not null,
      pattern ${text} not null,
      label ${text} not null,
      unverified ${integer} not null,
      authenticated_domain ${text},
      created_at ${integer} not null
    ) ${end}`,
    'create unique index rules_of_user on rules (tenant, user_id, kind, rule_type, pattern)',

    // The large columns come last, so that a look at the others does not read them.
    `create table corrections (
      seq ${seq},
      feedback_id ${text} not null unique,
      tenant ${text} not null references tenants (id),
      user_id ${text} not null,
      kind ${text} not null,
      label ${text} not null,
      message_key ${bytes} not null,
      sender_key ${bytes} not null,
      domain_key ${bytes} not null,
      authenticated_domain ${text},
      rule_pattern ${text},
      feature_version ${text} not null,
      embedding_model ${text} not null,
      created_at ${integer} not null,
      ended_at ${integer},
      features ${bytes} not null,
      memory ${bytes} not null
    ) ${end}`,
    `create unique index corrections_of_message on corrections (tenant, user_id, kind, message_key)
      where ended_at is null`,
    'create index corrections_of_user on corrections (tenant, user_id, kind, seq)',
    'create index corrections_in_order on corrections (tenant, seq)',
    'create index corrections_by_time on corrections (tenant, created_at)',

    `create table changes (
      seq ${seq},
      transaction_id ${transactionId},
      tenant ${text} not null references tenants (id),
      user_key ${bytes},
      topic ${text} not null,
      created_at ${integer} not null
    ) ${end}`,
    'create index changes_in_order on changes (transaction_id, seq)',
    'create index changes_by_time on changes (created_at)',

    `create table jobs (
      id ${text} primary key,
      tenant ${text} not null references tenants (id),
      kind ${text} not null,
      state ${text} not null,
      detail ${text} not null,
      attempt ${integer} not null,
      lease_until ${integer},
      created_at ${integer} not null,
      finished_at ${integer}
    ) ${end}`,
    'create index jobs_by_state on jobs (state, created_at)',

    `create table tombstones (
      tenant ${text} not null references tenants (id),
      user_key ${bytes} not null,
      kind ${text} not null,
      job_id ${text} not null,
      deleted_at ${integer} not null,
      primary key (tenant, user_key, kind)
    ) ${end}`,

    `create table model_versions (
      tenant ${text} not null references tenants (id),
      version ${integer} not null,
      base_version ${text} not null,
      deltas ${bytes} not null,
      learned_to_seq ${integer} not null,
      state ${text} not null,
      promotion ${integer},
      metrics ${text} not null,
      created_at ${integer} not null,
      primary key (tenant, version)
    ) ${end}`,
  ]
}
