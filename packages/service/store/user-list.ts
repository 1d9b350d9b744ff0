/** Lists users with stored data, and counts what is stored. */
import { type RawBuilder, sql } from 'kysely'
import { type Kind, OPERATOR_ID } from '../../mail/personalization/kinds.ts'
import {
  CORRESPONDENT_KINDS,
  CORRESPONDENTS_MAX,
  type CorrespondentCounts,
} from '../users/correspondent.ts'
import type { Counts, CurrentVersions, FoundUser, Stored, UserSearch } from '../users/user-list.ts'
import { COUNTS } from './correspondents.ts'
import { checkLimit, storedUserId } from './rows.ts'
import type { Queries } from './tables.ts'

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
    .where(COUNTS)
    .groupBy('kind')
    .execute()
  const none = { written: 0, sent: 0, received: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)])) }
}

/** Correspondents of a user that are counted: as many as the user can have. */
const CORRESPONDENTS_COUNTED_MAX = CORRESPONDENT_KINDS.length * CORRESPONDENTS_MAX

/** Corrections of a user that are counted, of each kind: as many as the user's memory has. */
const COUNTED_MAX = 2_000

interface UserRow {
  readonly user_id: string
  readonly spam_rules: Count
  readonly spam_corrections: Count
  readonly spam_last: number | null
  readonly tabs_rules: Count
  readonly tabs_corrections: Count
  readonly tabs_last: number | null
  readonly correspondents: Count
}

/**
 * Users with rules, correspondents, or corrections in the log, also withdrawn ones, in the order of the
 * bytes of their ids. The corrections of `tamis learn --global` are of no user.
 *
 * The users are found one after the other, each by a step in three indexes: a `distinct` would read
 * all corrections.
 */
export async function usersOf(
  db: Queries,
  { startsWith, from, after, limit }: UserSearch,
): Promise<FoundUser[]> {
  const first = after === undefined ? sql`>= ${startsWith || from}` : sql`> ${storedUserId(after)}`
  const isFound = sql`substr(user_id, 1, ${[...startsWith].length}) = ${startsWith}`
  // One more than asked for, since the user of `tamis learn` may be among them.
  const stepsMax = checkLimit(limit) + 1
  const { rows } = await sql<UserRow>`
    with recursive found (user_id, step) as (
      select ${nextUser(first)}, 1
      union all
      select ${nextUser(sql`> found.user_id`)}, step + 1
      from found
      where step < ${stepsMax} and ${isFound}
    )
    select user_id, ${storedOf('spam')}, ${storedOf('tabs')},
      (
        select count(*) from (
          select 1 from correspondents
          where user_id = found.user_id limit ${CORRESPONDENTS_COUNTED_MAX}
        ) as known
      ) as correspondents
    from found
    where ${isFound} and user_id <> ${OPERATOR_ID}
    order by user_id
    limit ${limit}
  `.execute(db)
  return rows.map((row) => ({
    userId: row.user_id,
    correspondents: Number(row.correspondents),
    stored: {
      spam: storedOfRow(row.spam_rules, row.spam_corrections, row.spam_last),
      tabs: storedOfRow(row.tabs_rules, row.tabs_corrections, row.tabs_last),
    },
  }))
}

/** The first user whose id is in `range`; null if there is none. */
function nextUser(range: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select min(user_id) from (
      select * from (
        select user_id from corrections
        where user_id ${range} order by user_id limit 1
      ) as of_corrections
      union all
      select * from (
        select user_id from rules
        where user_id ${range} order by user_id limit 1
      ) as of_rules
      union all
      select * from (
        select user_id from correspondents
        where user_id ${range} order by user_id limit 1
      ) as of_correspondents
    ) as next_users
  )`
}

/** What is stored of the user `found.user_id`, of one kind: three columns. */
function storedOf(kind: Kind): RawBuilder<unknown> {
  const theirs = sql`user_id = found.user_id and kind = ${kind}`
  return sql`
    (select count(*) from rules where ${theirs}) as ${sql.ref(`${kind}_rules`)},
    (
      select count(*) from (
        select 1 from corrections where ${theirs} and ended_at is null limit ${COUNTED_MAX}
      ) as held
    ) as ${sql.ref(`${kind}_corrections`)},
    (
      select created_at from corrections
      where ${theirs} and ended_at is null order by seq desc limit 1
    ) as ${sql.ref(`${kind}_last`)}
  `
}

function storedOfRow(rules: Count, corrections: Count, last: number | null): Stored {
  return {
    rules: Number(rules),
    corrections: Number(corrections),
    ...(last !== null && { lastCorrection: new Date(last) }),
  }
}
