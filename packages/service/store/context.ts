/** What an operation on the database is given beside its arguments, and how columns and texts are read and written. */
import type { Kysely } from 'kysely'
import type { ChangeTopic, Tables } from './tables.ts'

export type Queries = Kysely<Tables>

export type DatabaseKind = 'sqlite' | 'postgres'

/** What an operation knows beside its arguments. */
export interface Context {
  readonly kind: DatabaseKind
  /** The secret of the installation; see `Store.secret`. */
  readonly secret: Uint8Array
  /** When the operation was asked for. */
  readonly now: Date
  /** What a write changes: it adds them (`appendChange`). */
  readonly changes: Change[]
}

/** A copy with its own memory: pg gives views into the received data, and would keep all of it. */
export function bytes(column: Uint8Array): Uint8Array {
  return new Uint8Array(column)
}

export function date(column: number): Date {
  return new Date(column)
}

/** An object with the field, or without it where the column is null. */
export function optional<Name extends string, Column, Value = Column>(
  name: Name,
  column: Column | null,
  read: (column: Column) => Value,
): { readonly [name in Name]?: Value } {
  return column === null ? {} : ({ [name]: read(column) } as { readonly [name in Name]?: Value })
}

/** @throws RangeError unless `limit` is a whole number of at least 1. */
export function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`A limit of ${limit}`)
  return limit
}

/** The longest user id in bytes of UTF-8: 256 characters, each with the most bytes that one can have, and a namespace. */
const USER_ID_BYTES_MAX = 1_024 + 66

/**
 * The longest line of a message (RFC 5322 §2.1.1): no address or Message-ID is longer. With the
 * user id it is below the 2,700 bytes that PostgreSQL allows in an index.
 */
const PATTERN_BYTES_MAX = 998

/** @throws RangeError when it is empty, too long or not Unicode. */
export function storedUserId(userId: string): string {
  if (userId === '' || !userId.isWellFormed() || userId.includes('\0')) {
    throw new RangeError(`Not a user id: ${JSON.stringify(userId)}`)
  }
  return bounded(userId, USER_ID_BYTES_MAX, 'user id')
}

/** @throws RangeError when it is too long. */
export function storedPattern(pattern: string): string {
  return bounded(storedText(pattern), PATTERN_BYTES_MAX, 'pattern')
}

/** PostgreSQL's text holds neither NUL nor a lone surrogate: both become U+FFFD, on the way in and in every comparison. */
export function storedText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

function bounded(text: string, bytesMax: number, name: string): string {
  const length = Buffer.byteLength(text)
  if (length > bytesMax) {
    throw new RangeError(`A ${name} of ${length} bytes is longer than ${bytesMax}`)
  }
  return text
}

/** Where a reader of the changes stands: after the change of this number in this transaction. */
export interface ChangeCursor {
  readonly transaction: number
  readonly seq: number
}

export interface Change extends ChangeCursor {
  readonly topic: ChangeTopic
  /** The key of the user, for the topics `user` and `correspondents`; see `userKeyOf`. Absent for all users. */
  readonly userKey?: Uint8Array
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  readonly cursor: ChangeCursor
}
