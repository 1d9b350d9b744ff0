/** What users have stated and corrected. */
import { setImmediate } from 'node:timers/promises'
import type { Kind } from '../../mail/personalization/kinds.ts'
import type { CorrectionRule } from '../../mail/personalization/rule-index.ts'
import type {
  CorrectedFeatures,
  MemoryItem,
  Rule,
  UserProfile,
  UserStanding,
} from '../users/correction.ts'
import { fromRow, storedUserId } from './rows.ts'
import type { Queries } from './tables.ts'

/** The most automatic rules of a user: as many as the items of a memory, from which they come. */
const AUTOMATIC_RULES_MAX = 2_000

/** Corrections read at once: on SQLite the thread is busy with them for some ms. */
const PAGE = 250

const MEMORY_COLUMNS = [
  'feedback_id',
  'kind',
  'label',
  'message_key',
  'sender_key',
  'authenticated_domain',
  'claimed_domain',
  'embedding_model',
  'memory',
  'created_at',
] as const

/** Explicit rules, newest first. */
async function rulesOf(db: Queries, userId: string): Promise<Rule[]> {
  const rows = await db
    .selectFrom('rules')
    .selectAll()
    .where('user_id', '=', storedUserId(userId))
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(({ seq, ...row }) => fromRow(row))
}

/**
 * What a user has stated and corrected, each newest first: explicit rules, Sender rules made from corrections, and, of each kind,
 * at most `limit` corrections that hold.
 */
export async function userProfile(
  db: Queries,
  userId: string,
  limit: number,
): Promise<UserProfile> {
  const [rules, automaticRules, spam, tabs] = await Promise.all([
    rulesOf(db, userId),
    automaticRulesOf(db, userId),
    memoryOf(db, userId, 'spam', limit),
    memoryOf(db, userId, 'tabs', limit),
  ])
  return { rules, automaticRules, spam, tabs }
}

async function automaticRulesOf(db: Queries, userId: string): Promise<CorrectionRule[]> {
  // Only corrections of this kind make rules.
  const rows = await newestActive(db, userId, 'spam')
    .select(['feedback_id', 'label', 'sender_key', 'authenticated_domain', 'created_at'])
    .select((column) => column.ref('rule_pattern').$notNull().as('pattern'))
    .where('rule_pattern', 'is not', null)
    .limit(AUTOMATIC_RULES_MAX)
    .execute()
  return rows.map((row) => fromRow(row))
}

/**
 * What a user's personal deltas are learned from: active corrections with features of that version, the
 * newest `limit` of each kind, oldest first.
 */
export async function correctedFeatures(
  db: Queries,
  userId: string,
  featureVersion: string,
  limit: number,
): Promise<CorrectedFeatures[]> {
  const of = (kind: Kind) =>
    newestActive(db, userId, kind)
      .select(['seq', 'feedback_id', 'kind', 'label', 'features', 'memory'])
      .where('feature_version', '=', featureVersion)
      .limit(limit)
  const rows = await db
    .selectFrom(of('spam').as('spam'))
    .selectAll()
    .unionAll(db.selectFrom(of('tabs').as('tabs')).selectAll())
    .execute()
  return rows.sort((one, other) => one.seq - other.seq).map(({ seq, ...row }) => fromRow(row))
}

/** When the user's first correction that holds was made, and the newest `limit` of authenticated messages. */
export async function standingOf(
  db: Queries,
  userId: string,
  limit: number,
): Promise<UserStanding> {
  const active = db
    .selectFrom('corrections')
    .select('created_at')
    .where('user_id', '=', storedUserId(userId))
    .where('ended_at', 'is', null)
  const first = await active.orderBy('seq').limit(1).executeTakeFirst()
  const newest = await active
    .where('authenticated_domain', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return {
    firstAt: first && new Date(first.created_at),
    newest: newest.map((row) => new Date(row.created_at)),
  }
}

/** Read in steps, between which the thread does other work. */
async function memoryOf(
  db: Queries,
  userId: string,
  kind: Kind,
  limit: number,
): Promise<MemoryItem[]> {
  const query = newestActive(db, userId, kind).select(['seq', ...MEMORY_COLUMNS])
  const items: MemoryItem[] = []
  for (let before = query; ; await setImmediate()) {
    const page = await before.limit(Math.min(PAGE, limit - items.length)).execute()
    items.push(...page.map(({ seq, ...row }) => fromRow(row)))
    if (page.length < PAGE || items.length === limit) return items
    before = query.where('seq', '<', page.at(-1)!.seq)
  }
}

/** Active corrections of one kind, newest first. The kind lets an index give this user's rows alone, in order. */
function newestActive(db: Queries, userId: string, kind: Kind) {
  return db
    .selectFrom('corrections')
    .where('user_id', '=', storedUserId(userId))
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .orderBy('seq', 'desc')
}
