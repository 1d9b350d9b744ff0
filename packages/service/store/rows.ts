/** How rows and the objects of the domain become each other, and which texts a column takes. */

/** `messageKey` for `message_key`. */
type Camel<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

/** `message_key` for `messageKey`. */
type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

/** Columns with truth values, which both databases have as 0 or 1. */
const FLAGS = ['is_learned', 'is_spam', 'should_escalate', 'unverified'] as const

type Value<Column, Stored> = Column extends `${string}_at`
  ? Date
  : Column extends (typeof FLAGS)[number]
    ? boolean
    : Stored

/** Columns that may be null are fields that may be absent. */
export type FromRow<Row> = {
  [Column in keyof Row as null extends Row[Column] ? never : Camel<Column>]: Value<
    Column,
    Row[Column]
  >
} & {
  [Column in keyof Row as null extends Row[Column] ? Camel<Column> : never]?: Value<
    Column,
    NonNullable<Row[Column]>
  >
}

type Stored<Field> =
  | Exclude<Field, Date | boolean | undefined>
  | (Date extends Field ? number : never)
  | (boolean extends Field ? number : never)

/** Fields that may be absent are columns that may be. */
export type ToRow<Fields> = {
  [Name in keyof Fields as object extends Pick<Fields, Name> ? never : Snake<Name>]: Stored<
    Fields[Name]
  >
} & {
  [Name in keyof Fields as object extends Pick<Fields, Name> ? Snake<Name> : never]?: Stored<
    Fields[Name]
  >
}

const camel = renamed((name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()))

const snake = renamed((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/**
 * A row as the domain has it: without nulls, times (`..._at`) as dates, and bytes in memory of their own, since pg gives views
 * into what it received and would keep all of it.
 */
export function fromRow<Row extends object>(row: Row): FromRow<Row> {
  const fields: Record<string, unknown> = {}
  for (const column in row) {
    const value = row[column]
    if (value !== null) fields[camel(column)] = fieldOf(column, value)
  }
  return fields as FromRow<Row>
}

function fieldOf(column: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (column.endsWith('_at')) return new Date(value as number)
  return (FLAGS as readonly string[]).includes(column) ? value === 1 : value
}

/** The columns for `fields`. */
export function toRow<Fields extends object>(fields: Fields): ToRow<Fields> {
  const row: Record<string, unknown> = {}
  for (const name in fields) row[snake(name)] = storedValue(name, fields[name])
  return row as ToRow<Fields>
}

function storedValue(name: string, value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string') return value
  if (name === 'userId') return storedUserId(value)
  return name === 'pattern' || name === 'rulePattern' ? storedPattern(value) : storedText(value)
}

/** `rename`, which is asked once for each name. */
function renamed(rename: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const found = known.get(name) ?? rename(name)
    known.set(name, found)
    return found
  }
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
