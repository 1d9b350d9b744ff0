/**
 * The metadata of a message: what a caller knows about it besides its bytes, such as who sent it and
 * to whom it goes. It comes in headers with the stream forms and in JSON with the path forms; the
 * values are the same in both.
 */
import { isIPv4, isIPv6 } from 'node:net'
import type { Metadata } from '../request.ts'
import { invalidField, invalidHeader } from './field-errors.ts'

/** The values as they were sent; undefined if there is none. */
export interface RawMetadata {
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
