/**
 * The metadata of a message: what a caller knows about it besides its bytes, such as who sent it and
 * to whom it goes. It comes in headers with the stream forms and in JSON with the path forms; the
 * values are the same in both.
 */
import type { Metadata } from '../analyse-body.ts'
import { invalidField, invalidHeader } from './field-errors.ts'
import { canonicalIp } from './ip-address.ts'
import { canonicalMailbox } from './mailbox.ts'

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
