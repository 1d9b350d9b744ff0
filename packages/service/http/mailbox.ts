/**
 * Reads the address of an envelope: Mailbox of RFC 5321 §4.1.2, with the letters of all scripts that
 * RFC 6531 §3.3 adds.
 */
import { isIPv4, isIPv6 } from 'node:net'

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
