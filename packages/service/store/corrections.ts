/**
 * The log of corrections. Active ones hold; ended ones were taken back or replaced, and stay until
 * they expire or their user leaves, so that the numbers in the log keep their meaning.
 */
import type { Selectable } from 'kysely'
import { KINDS, type Kind } from '../../mail/personalization/kinds.ts'
import type { CorrectionRule } from '../../mail/personalization/rule-index.ts'
import type {
  CorrectedFeatures,
  LoggedCorrection,
  MemoryItem,
  NewCorrection,
  Recorded,
  UserProfile,
  UserStanding,
  Withdrawal,
  Withdrawn,
} from '../users/correction.ts'
import { tellOfUser } from './changes.ts'
import {
  bytes,
  type Context,
  checkLimit,
  date,
  optional,
  type Queries,
  storedPattern,
  storedText,
  storedUserId,
} from './context.ts'
import { deleteRulesFrom } from './rules.ts'
import type { Tables } from './tables.ts'

type CorrectionRow = Selectable<Tables['corrections']>

/** The most automatic rules of a user: as many as the items of a memory, from which they come. */
const AUTOMATIC_RULES_MAX = 2_000

/** Corrections removed in one transaction, so that others need not wait long. */
const EXPIRE_BATCH = 500

/**
 * How a withdrawal of what was never said stands in the log, so that its name is known: an ended
 * row with this label. No call gives rows that have ended, so the label is seen in this file alone.
 */
const WITHDRAWN_LABEL = 'automatic'

/** Nothing is learned from such a row, and no memory compares it. */
const NO_BYTES = new Uint8Array()

/** What a memory is made of. */
const MEMORY_COLUMNS = [
  'feedback_id',
  'kind',
  'label',
  'message_key',
  'sender_key',
  'authenticated_domain',
  'claimed_domain',
  'subject_words',
  'embedding_model',
  'memory',
  'created_at',
] as const

/** What an automatic rule is made of. */
const RULE_COLUMNS = [
  'feedback_id',
  'label',
  'rule_pattern',
  'sender_key',
  'authenticated_domain',
  'created_at',
] as const

/** A user has at most one active correction of one message and kind. */
type MessageOfUser = Omit<Withdrawal, 'authority'>

/**
 * Writes a correction to the log. It ends one of the same user, kind and message with another
 * label; with the same label it changes nothing.
 */
export async function recordCorrection(
  db: Queries,
  context: Context,
  correction: NewCorrection,
): Promise<Recorded> {
  const { userId } = correction
  const before = await activeOfMessage(db, correction)
  if (before?.label === correction.label) {
    return { status: 'already_recorded', feedbackId: before.feedback_id }
  }
  if (before !== undefined) await setEnded(db, context, before.feedback_id)
  if (correction.dropsRulesFor !== undefined) await dropOppositeRules(db, correction)
  const feedbackId = crypto.randomUUID()
  await db
    .insertInto('corrections')
    .values({
      ...columnsOf(correction),
      feedback_id: feedbackId,
      created_at: context.now.getTime(),
    })
    .execute()
  await tellOfUser(db, context, userId)
  return { status: 'recorded', feedbackId }
}

/**
 * Ends the user's correction of the message. With the kind `tabs` it also removes the rules made from
 * the message; with the kind `spam` the rules that the user has stated stay.
 */
export async function withdrawCorrection(
  db: Queries,
  context: Context,
  withdrawal: Withdrawal,
): Promise<Withdrawn> {
  const { userId, kind } = withdrawal
  const rules = kind === 'tabs' ? await deleteRulesFrom(db, withdrawal) : 0
  const before = await activeOfMessage(db, withdrawal)
  if (before !== undefined) await setEnded(db, context, before.feedback_id)
  const hasEnded = before !== undefined || rules > 0
  if (hasEnded) await tellOfUser(db, context, userId)
  const feedbackId =
    before?.feedback_id ??
    (await lastEndedOfMessage(db, withdrawal)) ??
    (await insertWithdrawal(db, context, withdrawal))
  return { status: hasEnded ? 'reset' : 'already_recorded', feedbackId }
}

/** Withdraws a correction. */
export async function endCorrection(
  db: Queries,
  context: Context,
  feedbackId: string,
): Promise<'ended' | 'already_ended' | 'unknown'> {
  const row = await db
    .selectFrom('corrections')
    .select(['user_id', 'ended_at'])
    .where('feedback_id', '=', feedbackId)
    .executeTakeFirst()
  if (row === undefined) return 'unknown'
  if (row.ended_at !== null) return 'already_ended'
  await setEnded(db, context, feedbackId)
  await tellOfUser(db, context, row.user_id)
  return 'ended'
}

/** Whose correction it is; undefined if there is none of this id. */
export async function userOfCorrection(
  db: Queries,
  _context: Context,
  feedbackId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('corrections')
    .select('user_id')
    .where('feedback_id', '=', storedText(feedbackId))
    .executeTakeFirst()
  return row?.user_id
}

/** A user's memory of one kind: active corrections, newest first. */
export async function activeCorrections(
  db: Queries,
  _context: Context,
  userId: string,
  kind: Kind,
  limit: number,
): Promise<MemoryItem[]> {
  const rows = await newestActive(db, userId, kind, limit).select(MEMORY_COLUMNS).execute()
  return rows.map(memoryItemOf)
}

/**
 * What a user has corrected, as classification needs it: the newest `limit` of each kind, and the rules made from any.
 *
 * @param limit at most as many as the rules may be.
 */
export async function rememberedOf(
  db: Queries,
  context: Context,
  userId: string,
  limit: number,
): Promise<Omit<UserProfile, 'rules'>> {
  // One question in place of three: each takes the service and the database some tenths of a millisecond.
  const of = (kind: Kind) =>
    newestActive(db, userId, kind, limit).select(['seq', 'rule_pattern', ...MEMORY_COLUMNS])
  const rows = await db
    .selectFrom(of('spam').as('spam'))
    .selectAll()
    .unionAll(db.selectFrom(of('tabs').as('tabs')).selectAll())
    .execute()
  const newest = (kind: Kind) =>
    rows.filter((row) => row.kind === kind).sort((one, other) => other.seq - one.seq)
  const spam = newest('spam')
  // Older corrections than these may have made rules too.
  const hasMore = spam.length === limit
  return {
    automaticRules: hasMore
      ? await automaticRulesOf(db, context, userId)
      : spam.flatMap((row) => automaticRuleOf(row) ?? []),
    spam: spam.map(memoryItemOf),
    tabs: newest('tabs').map(memoryItemOf),
  }
}

/**
 * What a user's personal deltas are learned from: active corrections with features of that version, the
 * newest `limit` of each kind, oldest first.
 */
export async function correctedFeatures(
  db: Queries,
  _context: Context,
  userId: string,
  featureVersion: string,
  limit: number,
): Promise<CorrectedFeatures[]> {
  const of = (kind: Kind) =>
    newestActive(db, userId, kind, limit)
      .select(['seq', 'feedback_id', 'kind', 'label', 'features', 'memory'])
      .where('feature_version', '=', featureVersion)
  const rows = await db
    .selectFrom(of('spam').as('spam'))
    .selectAll()
    .unionAll(db.selectFrom(of('tabs').as('tabs')).selectAll())
    .execute()
  return rows
    .sort((one, other) => one.seq - other.seq)
    .map(({ feedback_id: feedbackId, kind, label, features, memory }) => ({
      ...{ feedbackId, kind, label },
      features: bytes(features),
      memory: bytes(memory),
    }))
}

/** The newest `limit` active corrections of one kind. The kind lets an index give this user's rows alone, in order. */
function newestActive(db: Queries, userId: string, kind: Kind, limit: number) {
  return db
    .selectFrom('corrections')
    .where('user_id', '=', storedUserId(userId))
    .where('kind', '=', kind)
    .where('ended_at', 'is', null)
    .orderBy('seq', 'desc')
    .limit(checkLimit(limit))
}

function memoryItemOf(row: Pick<CorrectionRow, (typeof MEMORY_COLUMNS)[number]>): MemoryItem {
  return {
    feedbackId: row.feedback_id,
    kind: row.kind,
    label: row.label,
    messageKey: bytes(row.message_key),
    senderKey: bytes(row.sender_key),
    ...optional('authenticatedDomain', row.authenticated_domain, String),
    ...optional('claimedDomain', row.claimed_domain, String),
    ...optional('subjectWords', row.subject_words, String),
    embeddingModel: row.embedding_model,
    memory: bytes(row.memory),
    createdAt: date(row.created_at),
  }
}

/** The log for replay: active corrections after `afterSeq`, in the order they were committed. */
export async function correctionsInOrder(
  db: Queries,
  _context: Context,
  afterSeq: number,
  limit: number,
): Promise<LoggedCorrection[]> {
  const rows = await db
    .selectFrom('corrections')
    .selectAll()
    .where('seq', '>', afterSeq)
    .where('ended_at', 'is', null)
    .orderBy('seq')
    .limit(checkLimit(limit))
    .execute()
  return rows.map((row) => ({
    seq: row.seq,
    feedbackId: row.feedback_id,
    userId: row.user_id,
    authority: row.word,
    kind: row.kind,
    label: row.label,
    messageKey: bytes(row.message_key),
    domainKey: bytes(row.domain_key),
    ...optional('authenticatedDomain', row.authenticated_domain, String),
    featureVersion: row.feature_version,
    features: bytes(row.features),
    createdAt: date(row.created_at),
  }))
}

/** When the user's first correction that holds was made, and the newest `limit` of authenticated messages. */
export async function standingOf(
  db: Queries,
  _context: Context,
  userId: string,
  limit: number,
): Promise<UserStanding> {
  const active = db
    .selectFrom('corrections')
    .select('created_at')
    .where('user_id', '=', storedUserId(userId))
    .where('ended_at', 'is', null)
  const times: { first: number[]; newest: number[] } = { first: [], newest: [] }
  for (const kind of KINDS) {
    const ofKind = active.where('kind', '=', kind)
    const first = await ofKind.orderBy('seq').limit(1).execute()
    const newest = await ofKind
      .where('authenticated_domain', 'is not', null)
      .orderBy('seq', 'desc')
      .limit(checkLimit(limit))
      .execute()
    times.first.push(...first.map((row) => row.created_at))
    times.newest.push(...newest.map((row) => row.created_at))
  }
  return {
    firstAt: times.first.length === 0 ? undefined : date(Math.min(...times.first)),
    newest: times.newest.map(date),
  }
}

/** Sender rules made from corrections, newest first, at most 2,000. */
export async function automaticRulesOf(
  db: Queries,
  _context: Context,
  userId: string,
): Promise<CorrectionRule[]> {
  // Only those of this kind make rules.
  const rows = await newestActive(db, userId, 'spam', AUTOMATIC_RULES_MAX)
    .select(RULE_COLUMNS)
    .where('rule_pattern', 'is not', null)
    .execute()
  return rows.flatMap((row) => automaticRuleOf(row) ?? [])
}

/** The rule that a correction has made; undefined for none. */
function automaticRuleOf(
  row: Pick<CorrectionRow, (typeof RULE_COLUMNS)[number]>,
): CorrectionRule | undefined {
  if (row.rule_pattern === null) return undefined
  return {
    feedbackId: row.feedback_id,
    label: row.label,
    pattern: row.rule_pattern,
    senderKey: bytes(row.sender_key),
    ...optional('authenticatedDomain', row.authenticated_domain, String),
    createdAt: date(row.created_at),
  }
}

/** Removes the automatic Sender rule for `pattern`; the corrections stay. Returns how many had made it. */
export async function dropAutomaticRule(
  db: Queries,
  context: Context,
  userId: string,
  pattern: string,
): Promise<number> {
  const { numUpdatedRows } = await ruleUpdate(db, userId, pattern).executeTakeFirst()
  const dropped = Number(numUpdatedRows)
  if (dropped > 0) await tellOfUser(db, context, userId)
  return dropped
}

/** Removes corrections made before `before`, up to a batch of them. */
export async function expireSome(
  db: Queries,
  context: Context,
  before: Date,
): Promise<{ readonly removed: number; readonly more: boolean }> {
  const batch = db
    .selectFrom('corrections')
    .select('seq')
    .where('created_at', '<', before.getTime())
    .limit(EXPIRE_BATCH)
  const rows = await db
    .deleteFrom('corrections')
    .where('seq', 'in', batch)
    .returning('user_id')
    .execute()
  for (const userId of new Set(rows.map((row) => row.user_id))) {
    await tellOfUser(db, context, userId)
  }
  return { removed: rows.length, more: rows.length === EXPIRE_BATCH }
}

/** Forgets the words of subjects, of up to a batch of corrections. How many. */
export async function forgetSomeSubjects(
  db: Queries,
  _context: Context,
): Promise<{ readonly removed: number; readonly more: boolean }> {
  const batch = db
    .selectFrom('corrections')
    .select('seq')
    .where('subject_words', 'is not', null)
    .limit(EXPIRE_BATCH)
  const { numUpdatedRows } = await db
    .updateTable('corrections')
    .set({ subject_words: null })
    .where('seq', 'in', batch)
    .executeTakeFirstOrThrow()
  const removed = Number(numUpdatedRows)
  return { removed, more: removed === EXPIRE_BATCH }
}

async function activeOfMessage(db: Queries, message: MessageOfUser) {
  return await db
    .selectFrom('corrections')
    .select(['feedback_id', 'label'])
    .where('user_id', '=', storedUserId(message.userId))
    .where('kind', '=', message.kind)
    .where('message_key', '=', message.messageKey)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

async function lastEndedOfMessage(
  db: Queries,
  message: MessageOfUser,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('corrections')
    .select('feedback_id')
    .where('user_id', '=', storedUserId(message.userId))
    .where('kind', '=', message.kind)
    .where('message_key', '=', message.messageKey)
    .where('ended_at', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.feedback_id
}

async function insertWithdrawal(
  db: Queries,
  { now }: Context,
  { userId, authority, kind, messageKey }: Withdrawal,
): Promise<string> {
  const feedbackId = crypto.randomUUID()
  await db
    .insertInto('corrections')
    .values({
      feedback_id: feedbackId,
      user_id: storedUserId(userId),
      word: authority,
      kind,
      label: WITHDRAWN_LABEL,
      message_key: messageKey,
      sender_key: NO_BYTES,
      domain_key: NO_BYTES,
      feature_version: '',
      embedding_model: '',
      created_at: now.getTime(),
      ended_at: now.getTime(),
      features: NO_BYTES,
      memory: NO_BYTES,
    })
    .execute()
  return feedbackId
}

async function setEnded(db: Queries, { now }: Context, feedbackId: string): Promise<void> {
  await db
    .updateTable('corrections')
    .set({ ended_at: now.getTime(), subject_words: null })
    .where('feedback_id', '=', feedbackId)
    .execute()
}

async function dropOppositeRules(db: Queries, correction: NewCorrection): Promise<void> {
  const { userId, label, dropsRulesFor, authenticatedDomain } = correction
  const rules = ruleUpdate(db, userId, dropsRulesFor!).where('label', '!=', label)
  // A message that may be forged does not remove a rule that was made from an authenticated one.
  const dropped =
    authenticatedDomain === undefined ? rules.where('authenticated_domain', 'is', null) : rules
  await dropped.execute()
}

function ruleUpdate(db: Queries, userId: string, pattern: string) {
  return db
    .updateTable('corrections')
    .set({ rule_pattern: null })
    .where('user_id', '=', storedUserId(userId))
    .where('rule_pattern', '=', storedPattern(pattern))
    .where('ended_at', 'is', null)
}

function columnsOf(correction: NewCorrection) {
  const { authenticatedDomain, claimedDomain, subjectWords, rulePattern } = correction
  return {
    user_id: storedUserId(correction.userId),
    word: correction.authority,
    kind: correction.kind,
    label: correction.label,
    message_key: correction.messageKey,
    sender_key: correction.senderKey,
    domain_key: correction.domainKey,
    authenticated_domain:
      authenticatedDomain === undefined ? null : storedText(authenticatedDomain),
    claimed_domain: claimedDomain === undefined ? null : storedText(claimedDomain),
    subject_words: subjectWords === undefined ? null : storedText(subjectWords),
    rule_pattern: rulePattern === undefined ? null : storedPattern(rulePattern),
    feature_version: correction.featureVersion,
    embedding_model: correction.embeddingModel,
    features: correction.features,
    memory: correction.memory,
  }
}
