/**
 * The correspondents of users: what was learned of them from mail, and what users state. A user has at most
 * CORRESPONDENTS_MAX of each kind; those leave that were learned longest ago.
 */
import { sql } from 'kysely'
import {
  CORRESPONDENTS_MAX,
  type CorrespondentKind,
  type LearnedCorrespondent,
  type ListedCorrespondent,
  type StatedCorrespondent,
} from '../users/correspondent.ts'
import type { Tx } from './changes.ts'
import { withoutDeleted } from './deleted-users.ts'
import { fromRow, storedUserId } from './rows.ts'
import type { Queries, Tables } from './tables.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Days with a message, and the time from the first to the last, after which a sender is long received. */
const RECEIVED_TIMES_MIN = 3
const RECEIVED_MS_MIN = 14 * DAY_MS

/** Whether a row counts in a verdict: a sender does once long received. */
export const COUNTS = sql<boolean>`(
  kind <> 'received' or (
    times >= ${sql.lit(RECEIVED_TIMES_MIN)} and last_at - first_at >= ${sql.lit(RECEIVED_MS_MIN)}
  )
)`

/** The kinds of those of `keys` that count in a verdict. */
export async function correspondentKinds(
  db: Queries,
  keys: readonly Uint8Array[],
): Promise<CorrespondentKind[]> {
  const rows = await db
    .selectFrom('correspondents')
    .select('kind')
    .distinct()
    .where('key', 'in', keys)
    .where(COUNTS)
    .execute()
  return rows.map(({ kind }) => kind)
}

/** All correspondents of a user, in the order of kinds and keys. */
export async function correspondentsOf(
  db: Queries,
  userId: string,
): Promise<ListedCorrespondent[]> {
  const rows = await db
    .selectFrom('correspondents')
    .select(['key', 'kind', 'times', 'first_at', 'last_at'])
    .where('user_id', '=', storedUserId(userId))
    .orderBy('kind')
    .orderBy('key')
    .execute()
  return rows.map((row) => fromRow(row))
}

/** Rows removed in one transaction, so that others need not wait long. */
const REMOVE_BATCH = 500

type Row = Readonly<Tables['correspondents']>

/** Writes what was learned from mail, but for users who were deleted since. */
export async function learnCorrespondents(
  tx: Tx,
  learned: readonly LearnedCorrespondent[],
): Promise<void> {
  await write(tx, await withoutDeleted(tx, learned, ({ at }) => at))
}

/** Writes what a user states. Returns how many correspondents are new. */
export async function addCorrespondents(
  tx: Tx,
  userId: string,
  stated: readonly StatedCorrespondent[],
): Promise<number> {
  const learned = stated.map((each) => ({ ...each, userId, at: tx.now }))
  return await write(tx, learned)
}

async function write({ db }: Tx, learned: readonly LearnedCorrespondent[]): Promise<number> {
  if (learned.length === 0) return 0
  const rows = new Map<string, Row>()
  for (const each of learned) rows.set(nameOf(each), learnedAgain(rows.get(nameOf(each)), each))
  const written = await db
    .insertInto('correspondents')
    .values([...rows.values()])
    .onConflict((conflict) =>
      conflict
        .columns(['key', 'kind'])
        .doUpdateSet(({ eb, ref }) => ({
          times: eb('correspondents.times', '+', ref('excluded.times')),
          last_at: sql<number>`case when excluded.last_at > correspondents.last_at then excluded.last_at else correspondents.last_at end`,
        }))
        .where(
          sql<boolean>`(excluded.kind <> 'received' or excluded.last_at - correspondents.last_at >= ${sql.lit(DAY_MS)})`,
        ),
    )
    .returning(['key', 'kind', 'user_id', 'times'])
    .execute()
  const added = written.filter((row) => row.times === rows.get(nameOf(row))!.times)
  await trim(db, new Set(added.map(({ user_id }) => user_id)))
  return added.length
}

/** Messages received on one day count as one: a thousand in an hour make nobody known. */
function learnedAgain(row: Row | undefined, learned: LearnedCorrespondent): Row {
  const { userId, kind, key } = learned
  const at = learned.at.getTime()
  if (row === undefined)
    return { key, kind, user_id: storedUserId(userId), times: 1, first_at: at, last_at: at }
  if (kind === 'received' && at - row.last_at < DAY_MS) return row
  return { ...row, times: row.times + 1, last_at: Math.max(row.last_at, at) }
}

/** Removes what `users` have too much of. */
async function trim(db: Queries, users: ReadonlySet<string>): Promise<void> {
  if (users.size === 0) return
  const full = await db
    .selectFrom('correspondents')
    .select(['user_id', 'kind'])
    .where('user_id', 'in', [...users])
    .groupBy(['user_id', 'kind'])
    .having((column) => column.fn.countAll(), '>', CORRESPONDENTS_MAX)
    .execute()
  for (const { user_id, kind } of full) {
    const oldest = db
      .selectFrom('correspondents')
      .select('key')
      .where('user_id', '=', user_id)
      .where('kind', '=', kind)
      .orderBy(COUNTS, 'desc')
      .orderBy('last_at', 'desc')
      .orderBy('key')
      // More than one call can add are never too many. SQLite takes no offset without a limit.
      .limit(CORRESPONDENTS_MAX)
      .offset(CORRESPONDENTS_MAX)
    await db
      .deleteFrom('correspondents')
      .where('kind', '=', kind)
      .where('key', 'in', oldest)
      .execute()
  }
}

/** Removes the user's correspondents with `keys`, of all kinds; all of them where none are given. How many there were. */
export async function removeCorrespondents(
  tx: Tx,
  userId: string,
  keys?: readonly Uint8Array[],
): Promise<number> {
  if (keys?.length === 0) return 0
  const { numDeletedRows } = await tx.db
    .deleteFrom('correspondents')
    .where('user_id', '=', storedUserId(userId))
    .$if(keys !== undefined, (query) => query.where('key', 'in', keys!))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Removes a batch of the correspondents that were last learned before `before`, and of the senders not yet long received
 * before `newBefore`. How many; 0 when none is left.
 */
export async function expireCorrespondents(
  { db }: Tx,
  before: Date,
  newBefore: Date,
): Promise<number> {
  const old = db
    .selectFrom('correspondents')
    .select(['key', 'kind'])
    .where(({ eb, and, or, not }) =>
      or([
        eb('last_at', '<', before.getTime()),
        and([not(COUNTS), eb('last_at', '<', newBefore.getTime())]),
      ]),
    )
    .limit(REMOVE_BATCH)
  const { numDeletedRows } = await db
    .deleteFrom('correspondents')
    .where(({ eb, refTuple }) => eb(refTuple('key', 'kind'), 'in', old.$asTuple('key', 'kind')))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

function nameOf({ kind, key }: Pick<Row, 'kind' | 'key'>): string {
  return `${kind} ${Buffer.from(key).toString('base64')}`
}
