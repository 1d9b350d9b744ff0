/**
 * Whose message it is as far as it can be proved: the one domain that From names (the Author
 * Domain, RFC 9989 §5.3.1).
 *
 * Programs differ in which of two From fields, or of two addresses, they show, and a group
 * (RFC 6854) shows a name of the sender's choice. A sender could prove the one and be read as
 * the other, so that such a message has no author domain and proves nothing.
 */
import { hasGroup, parseAddresses } from '../../mail/message/address.ts'
import type { Message } from '../../mail/message/message.ts'
import { comparedHost } from '../../mail/personalization/sender-address.ts'

/** Characters of a From field that are read. Stops a From of half a megabyte; the longest honest ones have some 300. */
const FROM_LENGTH_MAX = 4 * 1024

/** The author domain, as comparedHost gives it; undefined when From does not name one and only one. */
export function authorDomain(message: Pick<Message, 'fields'>): string | undefined {
  const [from, ...others] = message.fields.filter(({ name }) => name === 'from')
  if (from === undefined || others.length > 0 || from.rawBody.length > FROM_LENGTH_MAX) {
    return undefined
  }
  if (hasGroup(from.rawBody)) return undefined
  const domains = parseAddresses(from.rawBody).map(({ domain }) => comparedHost(domain))
  const [first] = domains
  if (first === undefined || first.startsWith('[')) return undefined
  return domains.every((domain) => domain === first) ? first : undefined
}

/** True when the message has more From fields than the one it may have (RFC 5322 §3.6). */
export function hasRepeatedFrom(message: Pick<Message, 'fields'>): boolean {
  return message.fields.filter(({ name }) => name === 'from').length > 1
}
