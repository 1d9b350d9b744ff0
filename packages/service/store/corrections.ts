/**
 * The log of corrections. Active ones hold; ended ones were taken back or replaced, and stay until
 * they expire or their user leaves, so that the numbers in the log keep their meaning.
 */
import type { UserRange } from '../access/namespace.ts'
import type {
  LoggedCorrection,
  NewCorrection,
  Recorded,
  Withdrawal,
  Withdrawn,
} from '../users/correction.ts'
import { appendChange, type Tx } from './changes.ts'
import { fromRow, storedPattern, storedText, storedUserId, toRow } from './rows.ts'
import type { Queries } from './tables.ts'

const LOGGED_COLUMNS = [
  'seq',
  'feedback_id',
  'user_id',
  'authority',
  'kind',
  'label',
  'message_key',
  'domain_key',
  'authenticated_domain',
  'feature_version',
  'features',
  'created_at',
] as const

/** Rows that one call removes or changes at most, so that other writes need not wait long. */
const BATCH = 500

/**
 * How the withdrawal of a correction that was never made stands in the log, so that its id is known: an ended
 * row with this label. No call gives rows that have ended, so the label is seen in this file alone.
 */
const WITHDRAWN_LABEL = 'automatic'

/** Nothing is learned from such a row, and no memory compares it. */
const NO_BYTES = new Uint8Array()

/** A user has at most one active correction of one message and kind. */
type MessageOfUser = Omit<Withdrawal, 'authority'>

/**
 * Writes a correction to the log. It ends one of the same user, kind and message with another
 * label; with the same label it changes nothing.
 */
export async function recordCorrection(tx: Tx, correction: NewCorrection): Promise<Recorded> {
  const before = await activeOfMessage(tx.db, correction)
  if (before?.label === correction.label) {
    return { status: 'already_recorded', feedbackId: before.feedback_id }
  }
  if (before !== undefined) await setEnded(tx, before.feedback_id)
  const { dropsRulesFor, ...fields } = correction
  if (dropsRulesFor !== undefined) await dropOppositeRules(tx.db, correction, dropsRulesFor)
  const feedbackId = crypto.randomUUID()
  await tx.db
    .insertInto('corrections')
    .values(toRow({ ...fields, feedbackId, createdAt: tx.now }))
    .execute()
  await appendChange(tx, 'user', correction.userId)
  return { status: 'recorded', feedbackId }
}

/**
 * Ends the user's correction of the message. With the kind `tabs` it also removes the rules made from
 * the message; with the kind `spam` the rules that the user has stated stay.
 */
export async function withdrawCorrection(tx: Tx, withdrawal: Withdrawal): Promise<Withdrawn> {
  const rules = withdrawal.kind === 'tabs' ? await deleteRulesFrom(tx.db, withdrawal) : 0
  const before = await activeOfMessage(tx.db, withdrawal)
  if (before !== undefined) await setEnded(tx, before.feedback_id)
  const hasEnded = before !== undefined || rules > 0
  if (hasEnded) await appendChange(tx, 'user', withdrawal.userId)
  const feedbackId =
    before?.feedback_id ??
    (await lastEndedOfMessage(tx.db, withdrawal)) ??
    (await insertWithdrawal(tx, withdrawal))
  return { status: hasEnded ? 'reset' : 'already_recorded', feedbackId }
}

/** Withdraws a correction of one of `users`; those of others are unknown. */
export async function endCorrection(
  tx: Tx,
  feedbackId: string,
  users: UserRange = { from: '' },
): Promise<'ended' | 'already_ended' | 'unknown'> {
  const row = await tx.db
    .selectFrom('corrections')
    .select(['user_id', 'ended_at'])
    .where('feedback_id', '=', storedText(feedbackId))
    .where('user_id', '>=', users.from)
    .$if(users.below !== undefined, (query) => query.where('user_id', '<', users.below!))
    .executeTakeFirst()
  if (row === undefined) return 'unknown'
  if (row.ended_at !== null) return 'already_ended'
  await setEnded(tx, feedbackId)
  await appendChange(tx, 'user', row.user_id)
  return 'ended'
}

/** Removes the automatic Sender rule for `pattern`; the corrections stay. Returns how many had made it. */
export async function dropAutomaticRule(tx: Tx, userId: string, pattern: string): Promise<number> {
  const { numUpdatedRows } = await ruleUpdate(tx.db, userId, pattern).executeTakeFirst()
  if (numUpdatedRows > 0n) await appendChange(tx, 'user', userId)
  return Number(numUpdatedRows)
}

/** Removes a batch of the corrections made before `before`, active or ended. How many; 0 when none is left. */
export async function expireCorrections(tx: Tx, before: Date): Promise<number> {
  const batch = tx.db
    .selectFrom('corrections')
    .select('seq')
    .where('created_at', '<', before.getTime())
    .limit(BATCH)
  const rows = await tx.db
    .deleteFrom('corrections')
    .where('seq', 'in', batch)
    .returning('user_id')
    .execute()
  for (const userId of new Set(rows.map((row) => row.user_id))) {
    await appendChange(tx, 'user', userId)
  }
  return rows.length
}

function ofMessage(db: Queries, { userId, kind, messageKey }: MessageOfUser) {
  return db
    .selectFrom('corrections')
    .select(['feedback_id', 'label'])
    .where('user_id', '=', storedUserId(userId))
    .where('kind', '=', kind)
    .where('message_key', '=', messageKey)
}

function activeOfMessage(db: Queries, message: MessageOfUser) {
  return ofMessage(db, message).where('ended_at', 'is', null).executeTakeFirst()
}

async function lastEndedOfMessage(
  db: Queries,
  message: MessageOfUser,
): Promise<string | undefined> {
  const row = await ofMessage(db, message)
    .where('ended_at', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.feedback_id
}

async function insertWithdrawal({ db, now }: Tx, withdrawal: Withdrawal): Promise<string> {
  const feedbackId = crypto.randomUUID()
  await db
    .insertInto('corrections')
    .values({
      ...toRow({ ...withdrawal, feedbackId, createdAt: now, endedAt: now }),
      ...{ label: WITHDRAWN_LABEL, feature_version: '', embedding_model: '' },
      ...{ sender_key: NO_BYTES, domain_key: NO_BYTES, features: NO_BYTES, memory: NO_BYTES },
    })
    .execute()
  return feedbackId
}

async function setEnded({ db, now }: Tx, feedbackId: string): Promise<void> {
  await db
    .updateTable('corrections')
    .set({ ended_at: now.getTime() })
    .where('feedback_id', '=', feedbackId)
    .execute()
}

/** Removes the rules that a user has made from one message. Returns how many there were. */
async function deleteRulesFrom(
  db: Queries,
  { userId, kind, messageKey }: MessageOfUser,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('rules')
    .where('user_id', '=', storedUserId(userId))
    .where('kind', '=', kind)
    .where('message_key', '=', messageKey)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function dropOppositeRules(
  db: Queries,
  { userId, label, authenticatedDomain }: NewCorrection,
  pattern: string,
): Promise<void> {
  await ruleUpdate(db, userId, pattern)
    .where('label', '!=', label)
    // A message that may be forged does not remove a rule that was made from an authenticated one.
    .$if(authenticatedDomain === undefined, (rules) =>
      rules.where('authenticated_domain', 'is', null),
    )
    .execute()
}

function ruleUpdate(db: Queries, userId: string, pattern: string) {
  return db
    .updateTable('corrections')
    .set({ rule_pattern: null })
    .where('user_id', '=', storedUserId(userId))
    .where('rule_pattern', '=', storedPattern(pattern))
    .where('ended_at', 'is', null)
}

/** The log for replay: active corrections after `afterSeq`, in the order they were committed. */
export async function correctionsInOrder(
  db: Queries,
  afterSeq: number,
  limit: number,
): Promise<LoggedCorrection[]> {
  const rows = await db
    .selectFrom('corrections')
    .select(LOGGED_COLUMNS)
    .where('seq', '>', afterSeq)
    .where('ended_at', 'is', null)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map((row) => fromRow(row))
}
