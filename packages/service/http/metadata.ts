/**
 * The metadata of a message: what a caller knows about it besides its bytes, such as who sent it and
 * to whom it goes. It comes in headers with the stream forms and in JSON with the path forms; the
 * values are the same in both.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import { ARRIVAL_FALLBACKS } from '../../mail/signals/signal.ts'
import { QUEUE_ID_PATTERN } from '../history/history-entry.ts'
import { oneOf } from '../json-schema.ts'
import type { Metadata } from '../request.ts'
import { invalidField, invalidHeader } from './field-errors.ts'
import { DIRECTIONS, type Direction, FLAGS } from './schemas.ts'

/** The values as they were sent; undefined if there is none. */
interface RawMetadata {
  readonly senderIp: string | undefined
  readonly senderEmail: string | undefined
  readonly userId: string | undefined
}

/** The names that the caller uses for the values, for errors: header fields or fields of the JSON body. */
export interface MetadataNames extends Record<keyof RawMetadata, string> {
  readonly kind: 'header' | 'field'
}

/** Between 1 and 256 visible characters: no white space, control or format characters. */
const USER_ID = /^[^\p{Z}\p{Cc}\p{Cf}\p{Cs}]{1,256}$/u

export const USER_ID_RULE = 'a text of 1 to 256 visible characters'

/** @throws TamisError FIELD_INVALID for a field `userId` that no user can have. */
export function checkUserId(userId: string): string {
  if (isUserId(userId)) return userId
  throw invalidField('userId', `must be ${USER_ID_RULE}`)
}

/** @throws TamisError FIELD_INVALID for a field with which no user id can begin. */
export function checkUserIdStart(text: string, field: string): string {
  if (text === '' || isUserId(text)) return text
  throw invalidField(field, 'must be at most 256 visible characters')
}

export function isUserId(text: unknown): text is string {
  return typeof text === 'string' && USER_ID.test(text)
}

/** The value that Postfix and Sendmail send if they do not know the client. */
const UNKNOWN = /^unknown$/i

/**
 * The metadata in `raw`.
 *
 * @throws TamisError HEADER_INVALID or FIELD_INVALID, naming the header or field.
 */
export function readMetadata(raw: RawMetadata, names: MetadataNames): Metadata {
  // An error says what is allowed and not what was sent: that may be somebody's address, and errors are logged.
  const refuse = (name: keyof RawMetadata, rule: string): never => {
    const invalid = names.kind === 'header' ? invalidHeader : invalidField
    throw invalid(names[name], `must be ${rule}`)
  }
  const senderIp = isAbsentIp(raw.senderIp)
    ? undefined
    : (canonicalIp(raw.senderIp.trim()) ?? refuse('senderIp', 'an IPv4 or IPv6 address'))
  const mailFrom =
    raw.senderEmail === undefined
      ? undefined
      : (readSender(raw.senderEmail) ??
        refuse('senderEmail', 'an email address (RFC 5321), or empty'))
  // A client that knows no user may send the field with an empty value.
  const userId = raw.userId === '' ? undefined : raw.userId
  if (userId !== undefined && !isUserId(userId)) refuse('userId', USER_ID_RULE)
  return {
    ...(senderIp === undefined ? {} : { senderIp }),
    ...(mailFrom === undefined ? {} : { mailFrom }),
    ...(userId === undefined ? {} : { userId }),
  }
}

function isAbsentIp(text: string | undefined): text is undefined {
  return text === undefined || text.trim() === '' || UNKNOWN.test(text.trim())
}

/** The sender; '' for the null sender, which is `<>` or an empty value. */
export function readSender(text: string): string | undefined {
  const trimmed = text.trim()
  const bare = trimmed.startsWith('<') && trimmed.endsWith('>') ? trimmed.slice(1, -1) : trimmed
  return bare === '' ? '' : canonicalMailbox(bare)
}

/** The IPv6 tag of an address literal, RFC 5321 §4.1.3; tags are case-insensitive. */
const IPV6_TAG = /^ipv6:/i

/** An IPv4-mapped IPv6 address, RFC 4291 §2.5.5.2, as WHATWG URLs print it: ::ffff:c000:201. */
const IPV4_MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/**
 * The canonical text (RFC 5952) of the IPv4 or IPv6 address that `text` is, with or without
 * brackets and, for IPv6, the tag `IPv6:`. An IPv4-mapped address gives the IPv4 address.
 * Undefined if `text` is not an address. One with a zone (fe80::1%eth0) means nothing on other
 * machines, and does not count as an address.
 */
export function canonicalIp(text: string): string | undefined {
  const literal = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (isIPv4(literal)) return literal
  const address = literal.replace(IPV6_TAG, '')
  if (!isIPv6(address) || address.includes('%')) return undefined
  return unmapped(new URL(`http://[${address}]`).hostname.slice(1, -1))
}

function unmapped(address: string): string {
  const [, high, low] = IPV4_MAPPED.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** A MAIL command with it has to fit in an SMTP line, RFC 5321 §4.5.3.1.4. */
const MAILBOX_LENGTH_MAX = 512

/** RFC 1035 §2.3.4. */
const LABEL_LENGTH_MAX = 63

const NON_ASCII = '\\u{80}-\\u{10FFFF}'
const ATOM = `[A-Za-z0-9!#$%&'*+\\-/=?^_\`{|}~${NON_ASCII}]+`
const DOT_STRING = `${ATOM}(?:\\.${ATOM})*`
const QUOTED_STRING = `"(?:[ !#-\\[\\]-~${NON_ASCII}]|\\\\[ -~])*"`
const LET_DIG = `[A-Za-z0-9${NON_ASCII}]`
const LABEL = `${LET_DIG}(?:[A-Za-z0-9\\-${NON_ASCII}]*${LET_DIG})?`
const DOMAIN = `${LABEL}(?:\\.${LABEL})*`
const LITERAL = '\\[[!-Z^-~]+\\]'

/** Mailbox of RFC 5321 §4.1.2, with the letters of all scripts that RFC 6531 §3.3 adds. */
const MAILBOX = new RegExp(
  `^(?<local>${DOT_STRING}|${QUOTED_STRING})@(?:(?<domain>${DOMAIN})|(?<literal>${LITERAL}))$`,
  'u',
)

/** Any tag but the standard one, RFC 5321 §4.1.3: Ldh-str ":" 1*dcontent. */
const GENERAL_LITERAL = /^[A-Za-z0-9-]*[A-Za-z0-9]:[!-Z^-~]+$/

/** `text` with its domain in lower case; undefined if it is not a mailbox. */
export function canonicalMailbox(text: string): string | undefined {
  if (text.length > MAILBOX_LENGTH_MAX) return undefined
  const { local, domain, literal } = MAILBOX.exec(text)?.groups ?? {}
  if (domain?.split('.').every((name) => name.length <= LABEL_LENGTH_MAX)) {
    return `${local}@${domain.toLowerCase()}`
  }
  if (literal !== undefined && isAddressLiteral(literal.slice(1, -1))) {
    return `${local}@${literal.toLowerCase()}`
  }
  return undefined
}

function isAddressLiteral(content: string): boolean {
  if (isIPv4(content)) return true
  const [tag] = content.split(':', 1)
  if (tag?.toLowerCase() === 'ipv6') return isIPv6(content.slice('IPv6:'.length))
  return GENERAL_LITERAL.test(content)
}

/** The metadata headers of the stream forms. Their values are UTF-8. */

const HEADERS: MetadataNames = {
  kind: 'header',
  senderIp: 'X-Sender-IP',
  senderEmail: 'X-Sender-Email',
  userId: 'X-User-ID',
}

const ARRIVAL_FALLBACK = 'X-Arrival-Fallback'

const DIRECTION = 'X-Direction'

const QUEUE_ID = 'X-Queue-ID'

/** A header with other characters than ASCII must be decoded. */
const HAS_NON_ASCII = /[^\0-\x7f]/

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
  if (!HAS_NON_ASCII.test(text)) return text
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch (cause) {
    throw invalidHeader(name, 'is not UTF-8', cause)
  }
}
