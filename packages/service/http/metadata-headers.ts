/** The metadata headers of the stream forms. Their values are UTF-8. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { ARRIVAL_FALLBACKS } from '../../mail/signals/signal.ts'
import { QUEUE_ID_PATTERN } from '../history/history-entry.ts'
import { oneOf } from '../json-schema.ts'
import type { Metadata } from '../request.ts'
import { invalidHeader } from './field-errors.ts'
import { isUserId, type MetadataNames, readMetadata, USER_ID_RULE } from './metadata.ts'
import { DIRECTIONS, type Direction, FLAGS } from './schemas.ts'

const HEADERS: MetadataNames = {
  kind: 'header',
  senderIp: 'X-Sender-IP',
  senderEmail: 'X-Sender-Email',
  userId: 'X-User-ID',
}

const USER_IDS = 'X-User-IDs'

const ARRIVAL_FALLBACK = 'X-Arrival-Fallback'

const DIRECTION = 'X-Direction'

const QUEUE_ID = 'X-Queue-ID'

/** The most users in one request: a hundred addresses of common length fit in the header of a request. */
export const USER_IDS_MAX = 100

const USER_IDS_RULE = `a JSON array of at most ${USER_IDS_MAX} user ids, each ${USER_ID_RULE}`

/** A header with other characters than ASCII must be decoded. */
const NON_ASCII = /[^\0-\x7f]/

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws TamisError HEADER_INVALID naming the header. */
export function metadataFromHeaders(headers: IncomingHttpHeaders): Metadata {
  const metadata = readMetadata(
    {
      senderIp: headerText(headers, HEADERS.senderIp),
      senderEmail: headerText(headers, HEADERS.senderEmail),
      userId: headerText(headers, HEADERS.userId),
    },
    HEADERS,
  )
  const queueId = queueIdFromHeader(headers)
  const arrivalFallback = isAbsent(headers, ARRIVAL_FALLBACK)
    ? undefined
    : choiceFromHeader(headers, ARRIVAL_FALLBACK, ARRIVAL_FALLBACKS)
  return {
    ...metadata,
    ...(queueId !== undefined && { queueId }),
    ...(arrivalFallback && { arrivalFallback }),
  }
}

function queueIdFromHeader(headers: IncomingHttpHeaders): string | undefined {
  if (isAbsent(headers, QUEUE_ID)) return undefined
  const text = headerText(headers, QUEUE_ID)!
  if (QUEUE_ID_PATTERN.test(text)) return text
  throw invalidHeader(QUEUE_ID, 'must be 1 to 64 printable ASCII characters')
}

/**
 * Whether a user sends the message, or it comes in, as it does by default.
 *
 * @throws TamisError HEADER_INVALID naming the header.
 */
export function directionFromHeader(headers: IncomingHttpHeaders): Direction {
  if (isAbsent(headers, DIRECTION)) return 'incoming'
  return choiceFromHeader(headers, DIRECTION, DIRECTIONS)
}

/**
 * The `metadata` of a request that is about one user.
 *
 * @throws TamisError HEADER_INVALID when it names none.
 */
export function requireUser(metadata: Metadata): Metadata & { readonly userId: string } {
  const { userId } = metadata
  if (userId === undefined)
    throw invalidHeader(HEADERS.userId, `is missing; it must be ${USER_ID_RULE}`)
  return { ...metadata, userId }
}

/**
 * The users that `X-User-IDs` names, in its order: a JSON array of at most USER_IDS_MAX texts.
 *
 * @throws TamisError HEADER_INVALID
 */
export function userIdsFromHeader(headers: IncomingHttpHeaders): string[] {
  const text = headerText(headers, USER_IDS)
  if (text === undefined) throw invalidHeader(USER_IDS, `is missing; it must be ${USER_IDS_RULE}`)
  const ids = jsonOf(text)
  if (!Array.isArray(ids) || ids.length > USER_IDS_MAX || !ids.every(isUserId)) {
    throw invalidHeader(USER_IDS, `must be ${USER_IDS_RULE}`)
  }
  return ids
}

/** The value of `text`; undefined if it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The value of a header that must be one of `choices`, in the same spelling.
 *
 * @throws TamisError HEADER_INVALID naming the header.
 */
export function choiceFromHeader<Choice extends string>(
  headers: IncomingHttpHeaders,
  name: string,
  choices: readonly Choice[],
): Choice {
  const text = headerText(headers, name)?.trim()
  if (text === undefined) throw invalidHeader(name, `is missing; it must be ${oneOf(choices)}`)
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw invalidHeader(name, `must be ${oneOf(choices)}`)
  return choice
}

/**
 * The value of a flag header: false if it is absent or empty.
 *
 * @throws TamisError HEADER_INVALID naming the header.
 */
export function flagFromHeader(headers: IncomingHttpHeaders, name: string): boolean {
  if (isAbsent(headers, name)) return false
  return choiceFromHeader(headers, name, FLAGS) === 'true'
}

/** An optional header may be sent empty by a client that fills in a form for all requests. */
function isAbsent(headers: IncomingHttpHeaders, name: string): boolean {
  return (headerText(headers, name) ?? '') === ''
}

/**
 * Each value of a header that may be repeated.
 *
 * @throws TamisError HEADER_INVALID naming the header.
 */
export function headerTexts({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders
    .filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name.toLowerCase())
    .map((text) => decoded(text, name))
}

function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  // Node joins a repeated header into one value, which the rules then refuse.
  const text = Array.isArray(value) ? value.join(', ') : value
  return text === undefined ? undefined : decoded(text, name)
}

/** Node gives each byte of a header as one code unit. */
function decoded(text: string, name: string): string {
  if (!NON_ASCII.test(text)) return text
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch (cause) {
    throw invalidHeader(name, 'is not UTF-8', cause)
  }
}
