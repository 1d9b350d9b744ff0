/** The history of judged messages. It is searched by one index at a time, and entries are removed in steps, so that no call blocks others for long. */

import { type Selectable, sql } from 'kysely'
import type { Reason } from '../../mail/verdict/reasons.ts'
import type { HistoryEntry, HistoryQuery, KeptEntry } from '../history/history-entry.ts'
import type { Tx } from './changes.ts'
import { withoutDeleted } from './deleted-users.ts'
import { fromRow, storedText, storedUserId, toRow } from './rows.ts'
import type { Queries, Tables } from './tables.ts'

/** Without its evidence, which quotes the message. */
function keptReason({ name, points, claim, signature, correction }: Reason): Reason {
  return { name, points, claim, signature, correction } as Reason
}

const NOT_CORRECTED = sql<boolean>`not exists (
  select 1 from corrections c
  where c.user_id = history.user_id and c.kind = 'spam'
    and c.message_key = history.message_key and c.ended_at is null
)`

/** At most `limit` entries of `wanted`, newest first. */
export async function historyOf(
  db: Queries,
  wanted: HistoryQuery,
  limit: number,
): Promise<KeptEntry[]> {
  const { messageId, queueId, userId, isSpam, needsReview = false, after, users } = wanted
  const shouldEscalate = needsReview || wanted.shouldEscalate
  const rows = await db
    .selectFrom('history')
    .selectAll()
    .$if(userId === undefined, (query) => query.where(isOf(users)))
    .$if(messageId !== undefined, (query) => query.where('message_id', '=', storedText(messageId!)))
    .$if(queueId !== undefined, (query) => query.where('queue_id', '=', storedText(queueId!)))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', storedUserId(userId!)))
    // Literals, by which the databases know that an index of such entries alone will do.
    .$if(isSpam !== undefined, (query) => query.where('is_spam', '=', sql.lit(isSpam ? 1 : 0)))
    .$if(shouldEscalate !== undefined, (query) =>
      query.where('should_escalate', '=', sql.lit(shouldEscalate ? 1 : 0)),
    )
    .$if(needsReview, (query) => query.where(NOT_CORRECTED))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(judged_at, seq) < (${after!.judgedAt}, ${after!.seq})`),
    )
    .orderBy('judged_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(entryOf)
}

/** Whether an entry is of one of `users`. The expressions keep the databases from the index of users, which has no order of time. */
function isOf({ from, below }: HistoryQuery['users']) {
  return below === undefined
    ? sql<boolean>`(user_id is null or user_id || '' >= ${from})`
    : sql<boolean>`(user_id || '' >= ${from} and user_id || '' < ${below})`
}

function entryOf({
  seq,
  message_key,
  bypass_reason: bypassReason,
  ...row
}: Selectable<Tables['history']>): KeptEntry {
  const reasons: Reason[] = JSON.parse(row.reasons, (name, value) =>
    name === 'createdAt' ? new Date(value) : value,
  )
  const place = { judgedAt: row.judged_at, seq }
  return { ...fromRow(row), place, bypassReason, reasons }
}

/** When the oldest of the newest `count` entries was judged; undefined if there are fewer. */
export async function historyReaches(db: Queries, count: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('history')
    .select('judged_at')
    .orderBy('judged_at', 'desc')
    .orderBy('seq', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row && new Date(row.judged_at)
}

/** Entries removed in one transaction: some ten milliseconds of it. */
const REMOVE_BATCH = 500

/**
 * Keeps `entries`, but those of users who were deleted since the message was judged, or up to a minute before.
 * How many were kept.
 */
export async function addHistory(tx: Tx, entries: readonly HistoryEntry[]): Promise<number> {
  const wanted = await withoutDeleted(tx, entries, ({ judgedAt }) => judgedAt)
  const rows = wanted.map(({ bypassReason, ...entry }) => ({
    ...toRow({ ...entry, reasons: JSON.stringify(entry.reasons.map(keptReason)) }),
    bypass_reason: bypassReason,
  }))
  if (rows.length > 0) await tx.db.insertInto('history').values(rows).execute()
  return rows.length
}

/** Removes a batch of the entries judged before `before`. How many; 0 when none is left. */
export async function expireHistory({ db }: Tx, before: Date): Promise<number> {
  const batch = db
    .selectFrom('history')
    .select('seq')
    .where('judged_at', '<', before.getTime())
    .limit(REMOVE_BATCH)
  const { numDeletedRows } = await db
    .deleteFrom('history')
    .where('seq', 'in', batch)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
