/**
 * The log of changes: what changed and for whom, in the order in which readers may see it.
 *
 * PostgreSQL numbers rows when they are written and shows them when they are committed, and a
 * reader who goes by numbers alone skips what is committed late. So the order is (transaction,
 * number), and the cursor stands before the first transaction that was still running: what is
 * behind it can change no more (pg_snapshot_xmin). What is visible beyond it is given too, and
 * again later. SQLite has one writer at a time and needs none of this; its transaction is 0.
 */
import { type RawBuilder, sql } from 'kysely'
import { userKeyOf } from '../users/message-keys.ts'
import {
  bytes,
  type Change,
  type ChangeCursor,
  type ChangesPage,
  type Context,
  checkLimit,
  type DatabaseKind,
  optional,
  type Queries,
} from './context.ts'

/** Changes after `cursor`. */
const AFTER: Record<DatabaseKind, (cursor: ChangeCursor) => RawBuilder<boolean>> = {
  postgres: ({ transaction, seq }) => sql`(transaction_id, seq) > (${transaction}, ${seq})`,
  // SQLite would compare the first column of the two alone by the index, and so read all there are.
  sqlite: ({ transaction, seq }) => sql`transaction_id = ${transaction} and seq > ${seq}`,
}

/** The oldest transaction that was running when the query began. */
const OLDEST_RUNNING: Record<DatabaseKind, RawBuilder<number>> = {
  postgres: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  sqlite: sql<number>`1`,
}

export async function appendChange(
  db: Queries,
  { now, changes }: Context,
  change: Omit<Change, keyof ChangeCursor>,
): Promise<void> {
  const { topic, userKey } = change
  const { seq, transaction_id } = await db
    .insertInto('changes')
    .values({ topic, user_key: userKey ?? null, created_at: now.getTime() })
    .returning(['seq', 'transaction_id'])
    .executeTakeFirstOrThrow()
  changes.push({ ...change, transaction: transaction_id, seq })
}

/** Appends a change of the user: of rules and memory, or of correspondents. */
export async function tellOfUser(
  db: Queries,
  context: Context,
  userId: string,
  topic: 'user' | 'correspondents' = 'user',
): Promise<void> {
  const userKey = userKeyOf(context.secret, userId)
  await appendChange(db, context, { topic, userKey })
}

/**
 * Changes after `cursor`, oldest first, without a gap; and the cursor to go on
 * from. A change beside which another is just being written comes again with the next call.
 */
export async function changesSince(
  db: Queries,
  { kind }: Context,
  cursor: ChangeCursor,
  limit: number,
): Promise<ChangesPage> {
  const rows = await db
    .selectFrom('changes')
    .select(['seq', 'transaction_id', 'user_key', 'topic'])
    .select(OLDEST_RUNNING[kind].as('oldest_running'))
    .where(AFTER[kind](cursor))
    .orderBy('transaction_id')
    .orderBy('seq')
    .limit(checkLimit(limit))
    .execute()
  const settled = rows.findLast((row) => row.transaction_id < row.oldest_running)
  return {
    changes: rows.map(({ seq, transaction_id, user_key, topic }) => ({
      transaction: transaction_id,
      seq,
      topic,
      ...optional('userKey', user_key, bytes),
    })),
    cursor:
      settled === undefined ? cursor : { transaction: settled.transaction_id, seq: settled.seq },
  }
}

/** The cursor after which only later changes come. */
export async function latestChange(db: Queries, { kind }: Context): Promise<ChangeCursor> {
  if (kind === 'postgres') {
    const oldest = await db
      .selectNoFrom(OLDEST_RUNNING.postgres.as('xid'))
      .executeTakeFirstOrThrow()
    return { transaction: oldest.xid, seq: 0 }
  }
  const { seq } = await db
    .selectFrom('changes')
    .select((column) => column.fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow()
  return { transaction: 0, seq: seq ?? 0 }
}

export async function deleteChanges(db: Queries, before: Date): Promise<void> {
  await db.deleteFrom('changes').where('created_at', '<', before.getTime()).execute()
}
