/** Lists users with stored data, and counts what is stored. */
import { OPERATOR_ID } from '../../mail/personalization/kinds.ts'
import type { CorrespondentCounts } from '../users/correspondent.ts'
import type { Counts, CurrentVersions, FoundUser, UserSearch } from '../users/user-list.ts'
import { COUNTS } from './correspondents.ts'
import { storedUserId } from './rows.ts'
import type { Queries } from './tables.ts'

export async function counts(
  db: Queries,
  { featureVersion, embeddingModel }: CurrentVersions,
): Promise<Counts> {
  const active = db.selectFrom('corrections').where('ended_at', 'is', null)
  const { users, ...corrections } = await active
    .select(({ fn }) => [
      fn.count<number>('user_id').distinct().as('users'),
      fn.countAll<number>().filterWhere('kind', '=', 'spam').as('spam'),
      fn.countAll<number>().filterWhere('kind', '=', 'tabs').as('tabs'),
      fn.countAll<number>().filterWhere('feature_version', '!=', featureVersion).as('features'),
      fn.countAll<number>().filterWhere('embedding_model', '!=', embeddingModel).as('embeddings'),
    ])
    .executeTakeFirstOrThrow()
  const explicit = await db
    .selectFrom('rules')
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow()
  // Several corrections of one sender make one rule.
  const ruled = active
    .select(['user_id', 'rule_pattern'])
    .distinct()
    .where('rule_pattern', 'is not', null)
  const corrected = await db
    .selectFrom(ruled.as('ruled'))
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow()
  const { spam, tabs, ...setAside } = corrections
  return {
    users,
    rules: explicit.all + corrected.all,
    corrections: { spam, tabs },
    correspondents: await countCorrespondents(db),
    setAside,
  }
}

async function countCorrespondents(db: Queries): Promise<CorrespondentCounts> {
  const rows = await db
    .selectFrom('correspondents')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .where(COUNTS)
    .groupBy('kind')
    .execute()
  const none = { written: 0, sent: 0, received: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) }
}

/**
 * Users with rules, correspondents, or corrections in the log, also withdrawn ones, in the order of the
 * bytes of their ids. The corrections of `tamis learn --global` are of no user.
 */
export async function usersOf(db: Queries, search: UserSearch): Promise<FoundUser[]> {
  const { users, after, limit, kinds } = search
  const idsIn = (table: 'corrections' | 'rules' | 'correspondents') => {
    const found = db
      .selectFrom(table)
      .select('user_id')
      .distinct()
      .where('user_id', '>=', users.from)
      .where('user_id', '!=', OPERATOR_ID)
      .$if(users.below !== undefined, (query) => query.where('user_id', '<', users.below!))
      .$if(after !== undefined, (query) => query.where('user_id', '>', storedUserId(after!)))
      .orderBy('user_id')
      .limit(limit)
    return db.selectFrom(found.as('found')).select('user_id')
  }
  const rows = await idsIn('corrections')
    .union(idsIn('rules'))
    .union(idsIn('correspondents'))
    .orderBy('user_id')
    .limit(limit)
    .execute()
  const ids = rows.map((row) => row.user_id)
  if (ids.length === 0) return []
  const rules = await db
    .selectFrom('rules')
    .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
    .where('user_id', 'in', ids)
    .where('kind', 'in', kinds)
    .groupBy('user_id')
    .execute()
  const corrections = await db
    .selectFrom('corrections')
    .select(({ fn }) => [
      'user_id',
      fn.countAll<number>().as('count'),
      fn.max('created_at').as('last'),
    ])
    .where('user_id', 'in', ids)
    .where('kind', 'in', kinds)
    .where('ended_at', 'is', null)
    .groupBy('user_id')
    .execute()
  const correspondents = await db
    .selectFrom('correspondents')
    .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
    .where('user_id', 'in', ids)
    .groupBy('user_id')
    .execute()
  return ids.map((userId) => {
    const ofUser = ({ user_id }: { readonly user_id: string }) => user_id === userId
    const corrected = corrections.find(ofUser)
    return {
      userId,
      rules: rules.find(ofUser)?.count ?? 0,
      corrections: corrected?.count ?? 0,
      ...(corrected && { lastCorrection: new Date(corrected.last) }),
      correspondents: correspondents.find(ofUser)?.count ?? 0,
    }
  })
}
