/** The tables. tables.ts says what their columns mean. */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { DatabaseKind } from '../tables.ts'

const SECRET_BYTES = 32

/** Words in which the two databases differ. */
const WORDS = {
  sqlite: {
    text: 'text',
    bytes: 'blob',
    integer: 'integer',
    real: 'real',
    // AUTOINCREMENT: a number is not given again after its row was deleted.
    seq: 'integer primary key autoincrement',
    end: 'strict',
    endByKey: 'strict, without rowid',
  },
  postgres: {
    // Compared byte for byte, whatever the collation of the database.
    text: 'text collate "C"',
    bytes: 'bytea',
    integer: 'bigint',
    real: 'double precision',
    seq: 'bigint generated always as identity primary key',
    end: '',
    endByKey: '',
  },
} as const

export async function initial(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  for (const statement of statements(WORDS[kind])) await sql.raw(statement).execute(db)
  await sql`insert into installation values (1, ${randomBytes(SECRET_BYTES)})`.execute(db)
}

function statements(words: (typeof WORDS)[DatabaseKind]): string[] {
  const { text, bytes, integer, real, seq, end, endByKey } = words
  /** What an entry does not have is null, so that no index holds it. */
  const historyBy = (name: string, column: string) =>
    `create index history_by_${name} on history (${column}, judged_at, seq) where ${column} is not null`
  /** A small part of all mail: without an index a page of it would read far back. */
  const historyPart = (name: string, condition: string) =>
    `create index history_${name} on history (judged_at, seq) where ${condition}`
  return [
    `create table installation (
      id ${integer} primary key check (id = 1),
      secret ${bytes} not null
    ) ${end}`,

    `create table api_keys (
      id ${text} primary key,
      namespace ${text},
      name ${text} not null,
      hash ${bytes} not null unique,
      scopes ${text} not null,
      entitlements ${text} not null,
      requests_per_minute_max ${integer},
      created_at ${integer} not null,
      revoked_at ${integer}
    ) ${end}`,

    `create table rules (
      seq ${seq},
      id ${text} not null unique,
      user_id ${text} not null,
      kind ${text} not null,
      rule_type ${text} not null,
      pattern ${text} not null,
      label ${text} not null,
      unverified ${integer} not null,
      authenticated_domain ${text},
      created_at ${integer} not null,
      message_key ${bytes}
    ) ${end}`,
    'create unique index rules_of_user on rules (user_id, kind, rule_type, pattern)',

    // The large columns come last, so that a look at the others does not read them.
    `create table corrections (
      seq ${seq},
      feedback_id ${text} not null unique,
      user_id ${text} not null,
      authority ${text} not null,
      kind ${text} not null,
      label ${text} not null,
      message_key ${bytes} not null,
      sender_key ${bytes} not null,
      domain_key ${bytes} not null,
      authenticated_domain ${text},
      claimed_domain ${text},
      rule_pattern ${text},
      feature_version ${text} not null,
      embedding_model ${text} not null,
      created_at ${integer} not null,
      ended_at ${integer},
      features ${bytes} not null,
      memory ${bytes} not null
    ) ${end}`,
    `create unique index corrections_of_message on corrections (user_id, kind, message_key)
      where ended_at is null`,
    'create index corrections_of_user on corrections (user_id, kind, seq)',
    'create index corrections_by_time on corrections (created_at)',
    // Whether a correction has gone from the log is seen by counting those that are active.
    'create index corrections_active on corrections (seq) where ended_at is null',
    `create index corrections_active_of_user on corrections (user_id, kind, seq)
      where ended_at is null`,
    // A correction drops the rules made from earlier ones of the same sender.
    `create index corrections_with_rule on corrections (user_id, rule_pattern)
      where rule_pattern is not null and ended_at is null`,
    // What was last said of a message is looked up where nothing of it holds.
    `create index corrections_ended on corrections (user_id, kind, message_key)
      where ended_at is not null`,

    `create table correspondents (
      key ${bytes} not null,
      kind ${text} not null,
      user_id ${text} not null,
      times ${integer} not null,
      first_at ${integer} not null,
      last_at ${integer} not null,
      primary key (key, kind)
    ) ${endByKey}`,
    'create index correspondents_of_user on correspondents (user_id, kind, last_at)',
    'create index correspondents_by_time on correspondents (kind, last_at)',

    `create table changes (
      seq ${seq},
      user_key ${bytes},
      topic ${text} not null,
      created_at ${integer} not null
    ) ${end}`,
    'create index changes_by_time on changes (created_at)',

    `create table history (
      seq ${seq},
      judged_at ${integer} not null,
      message_id ${text},
      sender ${text},
      sender_domain ${text},
      envelope_sender ${text},
      user_id ${text},
      is_spam ${integer} not null,
      spam_probability ${real} not null,
      threshold ${real} not null,
      bypass_reason ${text},
      classification ${text} not null,
      should_escalate ${integer} not null,
      reasons ${text} not null,
      elapsed_ms ${integer} not null,
      queue_id ${text},
      message_key ${bytes}
    ) ${end}`,
    'create index history_by_time on history (judged_at, seq)',
    historyBy('message', 'message_id'),
    historyBy('user', 'user_id'),
    historyBy('queue', 'queue_id'),
    historyPart('spam', 'is_spam = 1'),
    historyPart('escalated', 'should_escalate = 1'),

    `create table jobs (
      id ${text} primary key,
      namespace ${text},
      is_learned ${integer} not null,
      created_at ${integer} not null,
      finished_at ${integer}
    ) ${end}`,

    `create table learning (
      id ${integer} primary key check (id = 1),
      attempt ${integer} not null,
      lease_until ${integer} not null,
      is_queued ${integer} not null,
      progress ${text} not null,
      finished_at ${integer}
    ) ${end}`,

    `create table tombstones (
      user_key ${bytes} not null,
      kind ${text} not null,
      job_id ${text} not null,
      deleted_at ${integer} not null,
      primary key (user_key, kind)
    ) ${end}`,

    `create table model_versions (
      version ${integer} primary key,
      base_version ${text} not null,
      deltas ${bytes} not null,
      learned_to_seq ${integer} not null,
      state ${text} not null,
      metrics ${text} not null,
      created_at ${integer} not null
    ) ${end}`,

    // What was stored by PUT /rules: one row.
    `create table operator_rules (
      id ${integer} primary key check (id = 1),
      text ${text} not null,
      updated_at ${integer} not null
    ) ${end}`,
  ]
}
