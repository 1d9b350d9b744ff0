/**
 * The domains whose message it says it is (the Author Domain, RFC 9989 §5.3.1), and which other domains vouch for one.
 *
 * A sender could authenticate one author and be shown as another. So each domain in From is checked and the worst result
 * counts; several prove nothing; and a message whose author cannot be told fails like a forged one.
 */

import { getDomain } from 'tldts'
import { authorsOf } from '../../mail/message/authors.ts'
import { ADDRESSES_MAX } from '../../mail/message/limits.ts'
import type { Message } from '../../mail/message/message.ts'
import { comparedHost } from '../../mail/personalization/sender-address.ts'

/** Domains in From that are checked. Honest mail has one, of two authors at most two; each may take eight questions. */
const DOMAINS_MAX = 4

export interface AuthorDomains {
  /** Each once, as comparedHost gives them, at most DOMAINS_MAX. An address literal is one too, which nothing vouches for. */
  readonly domains: readonly string[]
  /** True when nobody can tell the author: no From or several, an address at no host, or too many to be checked. No honest mail is. */
  readonly isDisguised: boolean
  /** True when programs show the name of a group, which the sender gave it, in place of its member (RFC 6854). */
  readonly isGroup: boolean
}

/** Those of the messages that are being checked, many at a time: a From of half a megabyte is read once. */
const remembered = new WeakMap<Pick<Message, 'fields'>, AuthorDomains>()

/** The domains in From. */
export function authorDomains(message: Pick<Message, 'fields'>): AuthorDomains {
  const known = remembered.get(message) ?? readDomains(message)
  remembered.set(message, known)
  return known
}

function readDomains(message: Pick<Message, 'fields'>): AuthorDomains {
  const { fields, mailboxes, hasGroup } = authorsOf(message)
  const hosts = new Set(mailboxes.map(({ domain }) => comparedHost(domain)))
  const isReadable = fields === 1 && hosts.size > 0 && !hosts.has(undefined)
  const isWhole = hosts.size <= DOMAINS_MAX && mailboxes.length < ADDRESSES_MAX
  return {
    domains: [...hosts].filter((host) => host !== undefined).slice(0, DOMAINS_MAX),
    isDisguised: !isReadable || !isWhole,
    isGroup: hasGroup,
  }
}

/** The one domain in From for which something could vouch; undefined for none, for several, and for a group. */
export function authorDomain(message: Pick<Message, 'fields'>): string | undefined {
  const { domains, isDisguised, isGroup } = authorDomains(message)
  const [domain, ...others] = domains
  if (domain === undefined || others.length > 0 || isLiteral(domain)) return undefined
  return isDisguised || isGroup ? undefined : domain
}

/** True for an address literal, '[192.0.2.1]'. */
export function isLiteral(host: string): boolean {
  return host.startsWith('[')
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
 * Whether an authenticated `domain` vouches for `author` (RFC 7489 §3.1). It is needed only when the domain of From publishes
 * no DMARC record, or none was asked for; mailauth follows the modes of a record.
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
