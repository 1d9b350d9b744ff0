/** Counts the corrections, rules and correspondents of users, and the corrections that this version cannot use. */
import { sql } from 'kysely'
import type { CorrespondentCounts } from '../../users/correspondent.ts'
import type { Counts, CurrentVersions } from '../../users/user-list.ts'
import type { Queries } from '../tables.ts'

export async function counts(
  db: Queries,
  { featureVersion, embeddingModel }: CurrentVersions,
): Promise<Counts> {
  const corrections = await db
    .selectFrom('corrections')
    .select((eb) => [
      eb.fn.countAll<Count>().as('all'),
      sql<Count>`count(distinct user_id)`.as('users'),
      sql<Count>`coalesce(sum(case when kind = 'spam' then 1 else 0 end), 0)`.as('spam'),
      sql<Count>`coalesce(sum(case when feature_version <> ${featureVersion} then 1 else 0 end), 0)`.as(
        'features',
      ),
      sql<Count>`coalesce(sum(case when embedding_model <> ${embeddingModel} then 1 else 0 end), 0)`.as(
        'embeddings',
      ),
    ])
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  const explicit = await db
    .selectFrom('rules')
    .select((eb) => eb.fn.countAll<Count>().as('all'))
    .executeTakeFirstOrThrow()
  // Several corrections of one sender make one rule.
  const corrected = await db
    .selectFrom(
      db
        .selectFrom('corrections')
        .select(['user_id', 'rule_pattern'])
        .distinct()
        .where('rule_pattern', 'is not', null)
        .where('ended_at', 'is', null)
        .as('ruled'),
    )
    .select((eb) => eb.fn.countAll<Count>().as('all'))
    .executeTakeFirstOrThrow()
  const spam = Number(corrections.spam)
  return {
    users: Number(corrections.users),
    rules: Number(explicit.all) + Number(corrected.all),
    corrections: { spam, tabs: Number(corrections.all) - spam },
    correspondents: await countCorrespondents(db),
    setAside: {
      features: Number(corrections.features),
      embeddings: Number(corrections.embeddings),
    },
  }
}

/** PostgreSQL counts in 64 bits, which come as text. */
type Count = number | string

async function countCorrespondents(db: Queries): Promise<CorrespondentCounts> {
  const rows = await db
    .selectFrom('correspondents')
    .select((column) => ['kind', column.fn.countAll<Count>().as('count')])
    .groupBy('kind')
    .execute()
  const none = { written: 0, sent: 0, received: 0, heard: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)])) }
}
