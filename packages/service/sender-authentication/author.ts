/**
 * The domain whose message it is, as far as that can be authenticated: the one domain that From names
 * (the Author Domain, RFC 9989 §5.3.1).
 *
 * Programs differ in which of two From fields, or of two addresses, they show, and a group (RFC 6854)
 * shows a name that the sender chooses. A sender could authenticate one and be shown as the other, so
 * such a message has no author domain and proves nothing.
 */
import { hasGroup, parseAddresses } from '../../mail/message/address.ts'
import type { Message } from '../../mail/message/message.ts'
import { comparedHost } from '../../mail/personalization/sender-address.ts'

/** Characters of a From field that are read. Stops a From of half a megabyte; the longest honest ones have some 300. */
const FROM_LENGTH_MAX = 4 * 1024

/** The author domain, as comparedHost gives it; undefined when From does not name exactly one. */
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

/** True when the message has more than one From field, which RFC 5322 §3.6 forbids. */
export function hasRepeatedFrom(message: Pick<Message, 'fields'>): boolean {
  return message.fields.filter(({ name }) => name === 'from').length > 1
}
