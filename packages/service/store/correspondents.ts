/**
 * The correspondents of users: what was learned of them from mail, and what users state. A user has at most
 * CORRESPONDENTS_MAX of each kind; those leave that were learned longest ago.
 *
 * Only what changes a verdict is told to those who keep correspondents in memory: one that is new, is long
 * received from now on, or is gone.
 */
import { heardAgain, isLongReceived } from '../../mail/personalization/heard.ts'
import {
  CORRESPONDENTS_MAX,
  type CorrespondentCounts,
  type CorrespondentKeys,
  type CorrespondentKind,
  type CorrespondentPlace,
  type LearnedCorrespondent,
  type ListedCorrespondent,
  type StatedCorrespondent,
} from '../users/correspondent.ts'
import { tellOfUser } from './changes.ts'
import { bytes, type Context, checkLimit, date, type Queries, storedUserId } from './context.ts'
import { withoutDeleted } from './deleted-users.ts'
import type { Tables } from './tables.ts'

/** Rows removed in one transaction, so that others need not wait long. */
const REMOVE_BATCH = 500

/** Keys in one question: SQLite and PostgreSQL take some tens of thousands of parameters. */
const KEYS_AT_ONCE = 1_000

type Row = Readonly<Tables['correspondents']>

/** Writes what mail told, but for users who were deleted since. How many correspondents are new. */
export async function learnCorrespondents(
  db: Queries,
  context: Context,
  learned: readonly LearnedCorrespondent[],
): Promise<number> {
  const wanted = await withoutDeleted(db, context, learned, ({ at }) => at)
  return await write(db, context, wanted)
}

/** Writes what a user states. How many correspondents are new. */
export async function addCorrespondents(
  db: Queries,
  context: Context,
  userId: string,
  stated: readonly StatedCorrespondent[],
): Promise<number> {
  const learned = stated.map((each) => ({ ...each, userId, at: context.now }))
  return await write(db, context, learned)
}

async function write(
  db: Queries,
  context: Context,
  learned: readonly LearnedCorrespondent[],
): Promise<number> {
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
    await tellOfUser(db, context, userId, 'correspondents')
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
  const found = new Map<string, Row>()
  for (const keys of inParts(learned.map(({ key }) => key))) {
    const rows = await db
      .selectFrom('correspondents')
      .select(['key', 'kind', 'user_id', 'times', 'first_at', 'last_at'])
      .where('key', 'in', keys)
      .execute()
    for (const row of rows) found.set(nameOf(row), { ...row, key: bytes(row.key) })
  }
  return found
}

async function upsert(db: Queries, rows: readonly Row[]): Promise<void> {
  for (const part of inParts(rows)) {
    await db
      .insertInto('correspondents')
      .values(part.map((row) => ({ ...row })))
      .onConflict((conflict) =>
        conflict.columns(['key', 'kind']).doUpdateSet((column) => ({
          times: column.ref('excluded.times'),
          last_at: column.ref('excluded.last_at'),
        })),
      )
      .execute()
  }
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

/** The keys that count in a verdict. */
export async function correspondentKeys(
  db: Queries,
  _context: Context,
  userId: string,
): Promise<CorrespondentKeys> {
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
  _context: Context,
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
  return rows.map((row) => ({
    kind: row.kind,
    key: bytes(row.key),
    times: row.times,
    firstAt: date(row.first_at),
    lastAt: date(row.last_at),
  }))
}

/** Removes the user's correspondents with `keys`, of all kinds; all of them where none are given. How many there were. */
export async function removeCorrespondents(
  db: Queries,
  context: Context,
  userId: string,
  keys?: readonly Uint8Array[],
): Promise<number> {
  let removed = 0
  const ofUser = db.deleteFrom('correspondents').where('user_id', '=', storedUserId(userId))
  if (keys === undefined) removed = Number((await ofUser.executeTakeFirst()).numDeletedRows)
  for (const part of inParts(keys ?? [])) {
    const { numDeletedRows } = await ofUser.where('key', 'in', part).executeTakeFirst()
    removed += Number(numDeletedRows)
  }
  if (removed > 0) await tellOfUser(db, context, userId, 'correspondents')
  return removed
}

/** Removes correspondents of the kind that were last learned before `before`, up to a batch of them. */
export async function expireSomeCorrespondents(
  db: Queries,
  context: Context,
  kind: CorrespondentKind,
  before: Date,
): Promise<{ readonly removed: number; readonly more: boolean }> {
  const rows = await db
    .selectFrom('correspondents')
    .select(['key', 'user_id'])
    .where('kind', '=', kind)
    .where('last_at', '<', before.getTime())
    .limit(REMOVE_BATCH)
    .execute()
  const keys = rows.map(({ key }) => key)
  await deleteKeys(db, kind, keys)
  // Those that are counted are in no verdict.
  if (kind === 'heard') return { removed: rows.length, more: rows.length === REMOVE_BATCH }
  for (const userId of new Set(rows.map(({ user_id }) => user_id))) {
    await tellOfUser(db, context, userId, 'correspondents')
  }
  return { removed: rows.length, more: rows.length === REMOVE_BATCH }
}

/** How many correspondents users have. */
export async function countCorrespondents(
  db: Queries,
  _context: Context,
): Promise<CorrespondentCounts> {
  const rows = await db
    .selectFrom('correspondents')
    .select((column) => ['kind', column.fn.countAll<number | string>().as('count')])
    .groupBy('kind')
    .execute()
  const none = { written: 0, sent: 0, received: 0, heard: 0 }
  // PostgreSQL counts in 64 bits, which come as text.
  return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)])) }
}

async function deleteKeys(
  db: Queries,
  kind: CorrespondentKind,
  keys: readonly Uint8Array[],
): Promise<void> {
  for (const part of inParts(keys)) {
    await db
      .deleteFrom('correspondents')
      .where('kind', '=', kind)
      .where('key', 'in', part)
      .execute()
  }
}

function nameOf({ kind, key }: CorrespondentPlace): string {
  return `${kind} ${Buffer.from(key).toString('base64')}`
}

function inParts<Value>(values: readonly Value[]): Value[][] {
  const parts: Value[][] = []
  for (let at = 0; at < values.length; at += KEYS_AT_ONCE) {
    parts.push(values.slice(at, at + KEYS_AT_ONCE))
  }
  return parts
}
