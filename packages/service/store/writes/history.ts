/** Adds entries to the history, and removes them in steps, so that no call blocks others for long. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { HistoryEntry } from '../../history/history-entry.ts'
import type { Tx } from '../changes.ts'
import { storedUserId, toRow } from '../rows.ts'
import { reasonRow } from '../stored-reasons.ts'
import type { Queries, Tables } from '../tables.ts'
import { withoutDeleted } from './deleted-users.ts'

/** Entries removed in one transaction: some ten milliseconds of it. */
const REMOVE_BATCH = 500

/**
 * Keeps `entries`, but those of users who were deleted since the message was judged, or up to a minute before.
 * How many were kept.
 */
export async function addHistory(tx: Tx, entries: readonly HistoryEntry[]): Promise<number> {
  const wanted = await withoutDeleted(tx, entries, ({ judgedAt }) => judgedAt)
  const rows = wanted.map((entry) => {
    const { messageId, sender, senderDomain, envelopeSender, userId, queueId, messageKey } = entry
    const optional = {
      messageId,
      sender,
      senderDomain,
      envelopeSender,
      userId,
      queueId,
      messageKey,
    }
    const { bypassReason, ...fields } = entry
    return {
      ...toRow({ ...fields, ...optional, reasons: JSON.stringify(entry.reasons.map(reasonRow)) }),
      bypass_reason: bypassReason,
    }
  })
  if (rows.length > 0) await tx.db.insertInto('history').values(rows).execute()
  return rows.length
}

/** Removes a batch of the entries judged before `before`. How many; 0 when none is left. */
export async function expireHistory({ db }: Tx, before: Date): Promise<number> {
  return await removeSome(db, (entry) => entry('judged_at', '<', before.getTime()))
}

/** Removes a batch of the user's entries. How many; 0 when none is left. */
export async function deleteHistoryOf({ db }: Tx, userId: string): Promise<number> {
  return await removeSome(db, (entry) => entry('user_id', '=', storedUserId(userId)))
}

async function removeSome(
  db: Queries,
  condition: (entry: ExpressionBuilder<Tables, 'history'>) => Expression<SqlBool>,
): Promise<number> {
  const batch = db.selectFrom('history').select('seq').where(condition).limit(REMOVE_BATCH)
  const { numDeletedRows } = await db
    .deleteFrom('history')
    .where('seq', 'in', batch)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
