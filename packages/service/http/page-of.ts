/** Pages of a list: how many entries, and where the next page begins. */
import { Type } from '../json-schema.ts'
import { invalidField } from './field-errors.ts'

/** Entries of a page: the default fills a few screens, the largest some 300 KB. */
const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000

/** The longest cursor in characters: one that has a user id of 256 characters, in base64url. */
const CURSOR_LENGTH_MAX = 2_000

/** How many entries a caller may ask for where the list has a size of its own. */
export const Limit = (maximum: number, preset: number, what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      default: preset,
      description: `Maximum number of ${what} in the answer`,
    }),
  )

export const PAGE_FIELDS = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMIT_MAX,
      description: `Maximum number in the answer; ${LIMIT_DEFAULT} by default`,
      examples: [LIMIT_DEFAULT],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: CURSOR_LENGTH_MAX,
      description: 'Start of the page: `next` of the previous page',
    }),
  ),
}

export const NEXT_FIELD = Type.Of<string | null>({
  type: ['string', 'null'],
  description: 'The `cursor` of the next page; null on the last one',
})

export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * A page of a list, and the cursor of the next.
 *
 * @param read gives at most `limit` entries after `place`; without one, from the beginning.
 * @param placeOf names the place of an entry, in plain JSON.
 * @param readPlace gives the place that a cursor names; undefined for what is none.
 * @throws TamisError FIELD_INVALID for a cursor that is none.
 */
export async function pageOf<Entry, Place>(
  { limit = LIMIT_DEFAULT, cursor }: PageQuery,
  read: (limit: number, place: Place | undefined) => Promise<readonly Entry[]>,
  placeOf: (entry: Entry) => readonly (string | number)[],
  readPlace: (parts: readonly unknown[]) => Place | undefined,
): Promise<{ readonly entries: readonly Entry[]; readonly next: string | null }> {
  const place = cursor === undefined ? undefined : placeIn(cursor, readPlace)
  const { shown, last } = shownOf(await read(limit + 1, place), limit)
  return { entries: shown, next: last === undefined ? null : cursorOf(placeOf(last)) }
}

/** What is shown of `found`, where one more than `limit` was asked for; `last` is the last of it if there are more. */
export function shownOf<Entry>(found: readonly Entry[], limit: number) {
  const shown = found.slice(0, limit)
  return { shown, last: found.length > limit ? shown.at(-1) : undefined }
}

function cursorOf(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

function placeIn<Place>(
  cursor: string,
  readPlace: (parts: readonly unknown[]) => Place | undefined,
): Place {
  const parts = partsIn(cursor)
  const place = Array.isArray(parts) ? readPlace(parts) : undefined
  if (place !== undefined) return place
  throw invalidField('cursor', 'is not the `next` of a page')
}

function partsIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
