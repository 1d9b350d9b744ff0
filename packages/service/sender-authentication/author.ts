/**
 * The domain whose message it is, as far as that can be authenticated: the one domain that From names
 * (the Author Domain, RFC 9989 §5.3.1); and which other domains vouch for it.
 *
 * Programs differ in which of two From fields, or of two addresses, they show, and a group (RFC 6854)
 * shows a name that the sender chooses. A sender could authenticate one and be shown as the other, so
 * such a message has no author domain and proves nothing.
 */

import { getDomain } from 'tldts'
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

/** 'strict': the same domain. 'relaxed': a domain of the same organisation. */
export type AlignmentMode = 'strict' | 'relaxed'

/**
 * The private part of the Public Suffix List counts: customers of a hosting company are
 * organisations of their own, and one must not vouch for the other. (Domains of links are
 * another matter, see message/domain.ts.)
 */
const WITH_PRIVATE_SUFFIXES = { allowPrivateDomains: true, extractHostname: false } as const

/**
 * Whether an authenticated `domain`, of a signature or of the envelope, vouches for `author` (RFC 7489
 * §3.1); both as comparedHost gives them. It is needed only when the domain of From publishes no DMARC
 * record, or none was asked for; a record has its own modes, and mailauth follows them.
 */
export function isAligned(
  domain: string | undefined,
  author: string,
  mode: AlignmentMode,
): boolean {
  if (domain === undefined) return false
  if (domain === author) return true
  return mode === 'relaxed' && organisationalDomain(domain) === organisationalDomain(author)
}

/** The domain one label below a public suffix; `domain` itself when it is a suffix or an address. */
export function organisationalDomain(domain: string): string {
  return getDomain(domain, WITH_PRIVATE_SUFFIXES) ?? domain
}
