/** The history of judged messages. What an entry does not have is null, so that no index holds it. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

/** Words in which the two databases differ, as in the first migration. */
const WORDS = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    real: 'real',
    seq: 'integer primary key autoincrement',
    end: 'strict',
  },
  postgres: {
    text: 'text collate "C"',
    integer: 'bigint',
    real: 'double precision',
    seq: 'bigint generated always as identity primary key',
    end: '',
  },
} as const

export async function history(db: Queries, kind: DatabaseKind): Promise<void> {
  for (const statement of statements(WORDS[kind])) await sql.raw(statement).execute(db)
}

function statements({ text, integer, real, seq, end }: (typeof WORDS)[DatabaseKind]): string[] {
  const index = (name: string, column: string) =>
    `create index history_by_${name} on history (tenant, ${column}, judged_at, seq) where ${column} is not null`
  const partOf = (name: string, condition: string) =>
    `create index history_${name} on history (tenant, judged_at, seq) where ${condition}`
  return [
    `create table history (
      seq ${seq},
      tenant ${text} not null references tenants (id),
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
      elapsed_ms ${integer} not null
    ) ${end}`,
    'create index history_by_time on history (tenant, judged_at, seq)',
    index('message', 'message_id'),
    index('sender', 'sender'),
    index('domain', 'sender_domain'),
    index('envelope', 'envelope_sender'),
    index('user', 'user_id'),
    // Both are a small part of a tenant's mail: without an index a page of them would read far back.
    partOf('spam', 'is_spam = 1'),
    partOf('escalated', 'should_escalate = 1'),
  ]
}
