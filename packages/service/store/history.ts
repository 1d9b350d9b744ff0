/**
 * The history of judged messages. It is written in batches, searched by one index at a time, and
 * removed in steps, so that no call holds up others for long.
 */
import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely'
import type { NamedCorrection } from '../../mail/personalization/named-correction.ts'
import type { NamedReason } from '../../mail/verdict/sentence.ts'
import type { HistoryEntry, HistoryQuery, KeptEntry } from '../history/history-entry.ts'
import {
  type Context,
  checkLimit,
  date,
  optional,
  type Queries,
  storedText,
  storedUserId,
} from './context.ts'
import { withoutDeleted } from './deleted-users.ts'
import type { Tables } from './tables.ts'

const NOT_CORRECTED = sql<boolean>`not exists (
  select 1 from corrections c
  where c.user_id = history.user_id and c.kind = 'spam'
    and c.message_key = history.message_key and c.ended_at is null
)`

/** Entries removed in one transaction: some ten milliseconds of it. */
const REMOVE_BATCH = 500

/** Whether entries were removed in a number that there may be more of. */
export interface RemovedEntries {
  readonly removed: number
  readonly more: boolean
}

type HistoryRow = Insertable<Tables['history']>

/**
 * Keeps `entries`, but those of users who were deleted since the message was judged, or up to a minute before.
 * How many were kept.
 */
export async function addHistory(
  db: Queries,
  context: Context,
  entries: readonly HistoryEntry[],
): Promise<number> {
  const wanted = await withoutDeleted(db, context, entries, ({ judgedAt }) => judgedAt)
  const rows = wanted.map((entry) => rowOf(entry))
  if (rows.length > 0) await db.insertInto('history').values(rows).execute()
  return rows.length
}

function rowOf(entry: HistoryEntry): HistoryRow {
  const text = (value: string | undefined) => (value === undefined ? null : storedText(value))
  return {
    judged_at: entry.judgedAt.getTime(),
    message_id: text(entry.messageId),
    sender: text(entry.sender),
    sender_domain: text(entry.senderDomain),
    envelope_sender: text(entry.envelopeSender),
    user_id: entry.userId === undefined ? null : storedUserId(entry.userId),
    is_spam: entry.isSpam ? 1 : 0,
    spam_probability: entry.spamProbability,
    threshold: entry.threshold,
    bypass_reason: entry.bypassReason,
    classification: entry.classification,
    should_escalate: entry.shouldEscalate ? 1 : 0,
    reasons: JSON.stringify(entry.reasons.map(reasonRow)),
    elapsed_ms: entry.elapsedMs,
    queue_id: text(entry.queueId),
    message_key: entry.messageKey ?? null,
  }
}

/** A reason as it is stored; the third is there only of what a sender claims, where that was checked, of what a scanner found, and of a correction. */
type ReasonRow = [
  name: string,
  points: number,
  more?:
    | NonNullable<NamedReason['claim']>
    | { readonly signature: string }
    | { readonly correction: StoredCorrection },
]

/** With its time in milliseconds since 1970. */
type StoredCorrection = Omit<NamedCorrection, 'createdAt'> & { readonly createdAt: number }

function reasonRow({ name, points, claim, signature, correction }: NamedReason): ReasonRow {
  if (correction !== undefined) {
    const createdAt = correction.createdAt.getTime()
    return [name, points, { correction: { ...correction, createdAt } }]
  }
  const more = signature === undefined ? claim : { signature }
  return more === undefined ? [name, points] : [name, points, more]
}

function reasonOf([name, points, more]: ReasonRow): NamedReason {
  if (more === undefined) return { name, points }
  if (typeof more === 'string') return { name, points, claim: more }
  if ('signature' in more) return { name, points, ...more }
  const createdAt = new Date(more.correction.createdAt)
  return { name, points, correction: { ...more.correction, createdAt } }
}

/** At most `limit` entries of `wanted`, newest first. */
export async function historyOf(
  db: Queries,
  _context: Context,
  wanted: HistoryQuery,
  limit: number,
): Promise<KeptEntry[]> {
  const { address } = wanted
  if (address === undefined) return (await selected(db, wanted, limit)).map(entryOf)
  // Each is a question to an index of its own; one with `or` would be to none.
  const ofFrom = await selected(db, wanted, limit, 'sender')
  const ofEnvelope = await selected(db, wanted, limit, 'envelope_sender')
  const bySeq = new Map([...ofFrom, ...ofEnvelope].map((row) => [row.seq, row]))
  return [...bySeq.values()]
    .sort((a, b) => b.judged_at - a.judged_at || b.seq - a.seq)
    .slice(0, limit)
    .map(entryOf)
}

async function selected(
  db: Queries,
  wanted: HistoryQuery,
  limit: number,
  column?: 'sender' | 'envelope_sender',
): Promise<Selectable<Tables['history']>[]> {
  const { messageId, address, senderDomain, userId, isSpam, shouldEscalate } = wanted
  const { queueId, needsReview = false, since, until, after, users } = wanted
  return await db
    .selectFrom('history')
    .selectAll()
    .$if(userId === undefined, (query) => query.where(isOf(users)))
    .$if(column !== undefined, (query) => query.where(column!, '=', storedText(address!)))
    .$if(messageId !== undefined, (query) => query.where('message_id', '=', storedText(messageId!)))
    .$if(queueId !== undefined, (query) => query.where('queue_id', '=', storedText(queueId!)))
    .$if(senderDomain !== undefined, (query) =>
      query.where('sender_domain', '=', storedText(senderDomain!)),
    )
    .$if(userId !== undefined, (query) => query.where('user_id', '=', storedUserId(userId!)))
    // Literals, by which the databases know that an index of such entries alone will do.
    .$if(isSpam !== undefined, (query) => query.where('is_spam', '=', sql.lit(isSpam ? 1 : 0)))
    .$if(shouldEscalate !== undefined || needsReview, (query) =>
      query.where('should_escalate', '=', sql.lit(shouldEscalate || needsReview ? 1 : 0)),
    )
    .$if(needsReview, (query) => query.where(NOT_CORRECTED))
    .$if(since !== undefined, (query) => query.where('judged_at', '>=', since!.getTime()))
    .$if(until !== undefined, (query) => query.where('judged_at', '<', until!.getTime()))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(judged_at, seq) < (${after!.judgedAt}, ${after!.seq})`),
    )
    .orderBy('judged_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(checkLimit(limit))
    .execute()
}

/** Whether an entry is of one of `users`. The expressions keep the databases from the index of users, which has no order of time. */
function isOf({ from, below }: HistoryQuery['users']) {
  return below === undefined
    ? sql<boolean>`(user_id is null or user_id || '' >= ${from})`
    : sql<boolean>`(user_id || '' >= ${from} and user_id || '' < ${below})`
}

function entryOf(row: Selectable<Tables['history']>): KeptEntry {
  return {
    place: { judgedAt: row.judged_at, seq: row.seq },
    judgedAt: date(row.judged_at),
    ...optional('messageId', row.message_id, String),
    ...optional('sender', row.sender, String),
    ...optional('senderDomain', row.sender_domain, String),
    ...optional('envelopeSender', row.envelope_sender, String),
    ...optional('userId', row.user_id, String),
    isSpam: row.is_spam === 1,
    spamProbability: row.spam_probability,
    threshold: row.threshold,
    bypassReason: row.bypass_reason,
    classification: row.classification,
    shouldEscalate: row.should_escalate === 1,
    reasons: (JSON.parse(row.reasons) as ReasonRow[]).map(reasonOf),
    elapsedMs: row.elapsed_ms,
    ...optional('queueId', row.queue_id, String),
  }
}

/** When the oldest of the newest `count` entries was judged; undefined if there are fewer. */
export async function historyReaches(
  db: Queries,
  _context: Context,
  count: number,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('history')
    .select('judged_at')
    .orderBy('judged_at', 'desc')
    .orderBy('seq', 'desc')
    .offset(checkLimit(count) - 1)
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : date(row.judged_at)
}

/** Removes entries of messages judged before `before`, up to a batch of them. */
export async function expireSomeHistory(
  db: Queries,
  _context: Context,
  before: Date,
): Promise<RemovedEntries> {
  return await removeSome(db, (entry) => entry('judged_at', '<', before.getTime()))
}

/** Removes entries of the user, up to a batch of them. */
export async function deleteSomeHistory(
  db: Queries,
  _context: Context,
  userId: string,
): Promise<RemovedEntries> {
  return await removeSome(db, (entry) => entry('user_id', '=', storedUserId(userId)))
}

async function removeSome(
  db: Queries,
  condition: (entry: ExpressionBuilder<Tables, 'history'>) => Expression<SqlBool>,
): Promise<RemovedEntries> {
  const batch = db.selectFrom('history').select('seq').where(condition).limit(REMOVE_BATCH)
  const { numDeletedRows } = await db
    .deleteFrom('history')
    .where('seq', 'in', batch)
    .executeTakeFirstOrThrow()
  const removed = Number(numDeletedRows)
  return { removed, more: removed === REMOVE_BATCH }
}
