/**
 * The correspondents of users: what was learned of them from mail, and what users state. A user has at most
 * CORRESPONDENTS_MAX of each kind; those leave that were learned longest ago.
 *
 * Caches of correspondents are notified only of what changes a verdict: one that is new, is now long received, or is removed.
 */

import { heardAgain, isLongReceived } from '../../mail/personalization/correspondents.ts'
import {
  CORRESPONDENT_KINDS,
  CORRESPONDENTS_MAX,
  type CorrespondentKeys,
  type CorrespondentKind,
  type CorrespondentPlace,
  type LearnedCorrespondent,
  type ListedCorrespondent,
  type StatedCorrespondent,
} from '../users/correspondent.ts'
import { appendChange, type Tx } from './changes.ts'
import { withoutDeleted } from './deleted-users.ts'
import { checkLimit, fromRow, storedUserId } from './rows.ts'
import type { Queries, Tables } from './tables.ts'

/** The keys that count in a verdict. */
export async function correspondentKeys(db: Queries, userId: string): Promise<CorrespondentKeys> {
  const rows = await db
    .selectFrom('correspondents')
    .select(['kind', 'key'])
    .where('user_id', '=', storedUserId(userId))
    .where('kind', 'in', ['written', 'sent', 'received'])
    .orderBy('key')
    .execute()
  const keysOf = (kind: CorrespondentKind) =>
    new Uint8Array(Buffer.concat(rows.filter((row) => row.kind === kind).map(({ key }) => key)))
  return { written: keysOf('written'), sent: keysOf('sent'), received: keysOf('received') }
}

/** A user's correspondents after `after`, in the order of kinds and keys. */
export async function correspondentsOf(
  db: Queries,
  userId: string,
  limit: number,
  after?: CorrespondentPlace,
): Promise<ListedCorrespondent[]> {
  const rows = await db
    .selectFrom('correspondents')
    .select(['key', 'kind', 'times', 'first_at', 'last_at'])
    .where('user_id', '=', storedUserId(userId))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, and, or }) =>
        or([
          eb('kind', '>', after!.kind),
          and([eb('kind', '=', after!.kind), eb('key', '>', after!.key)]),
        ]),
      ),
    )
    .orderBy('kind')
    .orderBy('key')
    .limit(checkLimit(limit))
    .execute()
  return rows.map((row) => fromRow(row))
}

/** Rows removed in one transaction, so that others need not wait long. */
const REMOVE_BATCH = 500

type Row = Readonly<Tables['correspondents']>

/** Writes what was learned from mail, but for users who were deleted since. Returns how many correspondents are new. */
export async function learnCorrespondents(
  tx: Tx,
  learned: readonly LearnedCorrespondent[],
): Promise<number> {
  const wanted = await withoutDeleted(tx, learned, ({ at }) => at)
  return await write(tx, wanted)
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

async function write(tx: Tx, learned: readonly LearnedCorrespondent[]): Promise<number> {
  const { db } = tx
  const before = await rowsOf(db, learned)
  const rows = new Map(before)
  const changed = new Map<string, Row>()
  const put = (row: Row) => {
    rows.set(nameOf(row), row)
    changed.set(nameOf(row), row)
  }
  for (const each of learned) {
    if (each.kind === 'heard') countHeard(rows, each, put)
    else put(writtenAgain(rows.get(nameOf(each)), each))
  }
  const added = [...changed.values()].filter((row) => !before.has(nameOf(row)))
  const received = added.filter(({ kind }) => kind === 'received')
  await upsert(db, [...changed.values()])
  // Who is long received is no longer counted.
  const receivedKeys = received.map(({ key }) => key)
  await deleteKeys(db, 'heard', receivedKeys)
  await trim(db, new Set(added.map(({ user_id }) => user_id)))
  const counting = added.filter(({ kind }) => kind !== 'heard')
  for (const userId of new Set(counting.map(({ user_id }) => user_id))) {
    await appendChange(tx, 'correspondents', userId)
  }
  return counting.length
}

/** Counts a message of a sender; the one that makes it long received gives a row of that kind. */
function countHeard(
  rows: ReadonlyMap<string, Row>,
  { userId, key, at }: LearnedCorrespondent,
  put: (row: Row) => void,
): void {
  const received = rows.get(nameOf({ kind: 'received', key }))
  const row = received ?? rows.get(nameOf({ kind: 'heard', key }))
  const heard = row && { times: row.times, firstAt: row.first_at, lastAt: row.last_at }
  const next = heardAgain(heard, at.getTime())
  if (next === undefined) return
  const kind = received !== undefined || isLongReceived(next) ? 'received' : 'heard'
  const { times, firstAt, lastAt } = next
  const user_id = storedUserId(userId)
  put({ key, kind, user_id, times, first_at: firstAt, last_at: lastAt })
}

function writtenAgain(row: Row | undefined, learned: LearnedCorrespondent): Row {
  const { userId, kind, key } = learned
  const at = learned.at.getTime()
  if (row !== undefined) return { ...row, times: row.times + 1, last_at: Math.max(row.last_at, at) }
  return { key, kind, user_id: storedUserId(userId), times: 1, first_at: at, last_at: at }
}

/** The rows with the keys of `learned`, of all kinds, by their names. */
async function rowsOf(
  db: Queries,
  learned: readonly LearnedCorrespondent[],
): Promise<Map<string, Row>> {
  if (learned.length === 0) return new Map()
  const keys = learned.map(({ key }) => key)
  const rows = await db
    .selectFrom('correspondents')
    .select(['key', 'kind', 'user_id', 'times', 'first_at', 'last_at'])
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map((row) => [nameOf(row), { ...row, key: new Uint8Array(row.key) }]))
}

async function upsert(db: Queries, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('correspondents')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['key', 'kind']).doUpdateSet((column) => ({
        times: column.ref('excluded.times'),
        last_at: column.ref('excluded.last_at'),
      })),
    )
    .execute()
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
  const removed = Number(numDeletedRows)
  if (removed > 0) await appendChange(tx, 'correspondents', userId)
  return removed
}

/**
 * Removes a batch of the correspondents that were last learned before `before`, and of those only counted so far (`heard`)
 * before `heardBefore`. How many; 0 when none is left.
 */
export async function expireCorrespondents(
  tx: Tx,
  before: Date,
  heardBefore: Date,
): Promise<number> {
  const old = await tx.db
    .selectFrom('correspondents')
    .select(['key', 'kind', 'user_id'])
    .where(({ eb, and, or }) =>
      or([
        and([
          eb('kind', 'in', ['written', 'sent', 'received']),
          eb('last_at', '<', before.getTime()),
        ]),
        and([eb('kind', '=', 'heard'), eb('last_at', '<', heardBefore.getTime())]),
      ]),
    )
    .limit(REMOVE_BATCH)
    .execute()
  for (const kind of CORRESPONDENT_KINDS) {
    const keys = old.filter((row) => row.kind === kind).map(({ key }) => key)
    await deleteKeys(tx.db, kind, keys)
  }
  // Those that are counted are in no verdict.
  const counting = old.filter(({ kind }) => kind !== 'heard')
  for (const userId of new Set(counting.map(({ user_id }) => user_id))) {
    await appendChange(tx, 'correspondents', userId)
  }
  return old.length
}

async function deleteKeys(
  db: Queries,
  kind: CorrespondentKind,
  keys: readonly Uint8Array[],
): Promise<void> {
  if (keys.length === 0) return
  await db.deleteFrom('correspondents').where('kind', '=', kind).where('key', 'in', keys).execute()
}

function nameOf({ kind, key }: CorrespondentPlace): string {
  return `${kind} ${Buffer.from(key).toString('base64')}`
}
