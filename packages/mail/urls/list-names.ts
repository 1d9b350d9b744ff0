/**
 * The names of a message that DNS lists are asked about: the domain in From and those that the links lead
 * to, each as it was registered, and the IP addresses that links name in place of a host.
 *
 * A list knows owners. So a host gives the domain that somebody registered, in either part of the Public
 * Suffix List; below a host that strangers share it gives the name of one of them, and the shared host
 * itself is not asked about (shared-hosts.ts).
 */
import { getDomain } from 'tldts'
import { wordSet } from '../data-table.ts'
import { authorsOf } from '../message/authors.ts'
import { asciiDomain } from '../message/domain.ts'
import type { Message } from '../message/message.ts'
import { browserReading, canonicalUrl } from './canonical.ts'
import { isSharedHost } from './shared-hosts.ts'
import { unwrapped } from './unwrap.ts'

/** Names that lists are asked about, each once. */
export interface ListNames {
  /** In lower case and ASCII; at most DOMAINS_MAX. */
  readonly domains: readonly string[]
  /** IPv4 addresses as four decimal numbers; at most ADDRESSES_MAX. */
  readonly addresses: readonly string[]
}

/**
 * Domains asked about: the first and the last of a message, so that links put before or after the one
 * that counts do not hide it. Stops a thousand links from becoming a thousand questions.
 */
export const DOMAINS_MAX = 12

/** IP addresses in links asked about. Honest mail has none. */
export const ADDRESSES_MAX = 4

/** Authors in From that are asked about. Honest mail has one. */
const AUTHORS_MAX = 4

/** Longest name that is asked about: 253 characters in all (RFC 1035 §2.3.4) less a dot and a zone of 92. */
const NAME_LENGTH_MAX = 160

/** A name of a host on the internet. DNS has underscores in names too. */
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A link that names a host: `logo.png` names none. */
const ABSOLUTE = /^(?:(?:https?|ftp):)?\/\/|^www\./i

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Top-level names that nobody registers names under (RFC 2606, 6761, 6762, 7686, 8375, and by habit). */
const LOCAL_TOP_LEVELS = wordSet(
  'arpa corp home internal invalid lan local localdomain localhost onion',
)

/** Both parts of the Public Suffix List: customers of a hosting company own what they have there. */
const ALL_SUFFIXES = { allowPrivateDomains: true, extractHostname: false } as const

/** What DNS lists can be asked about `message`. */
export function listNames(message: Pick<Message, 'fields' | 'links'>): ListNames {
  const domains = new Set<string>()
  const addresses = new Set<string>()
  const hosts = new Set([...authorHosts(message), ...linkHosts(message)])
  for (const host of hosts) {
    const domain = IPV4.test(host) ? undefined : ownedDomain(host)
    if (domain !== undefined) domains.add(domain)
    else if (IPV4.test(host)) addresses.add(host)
  }
  return {
    domains: ends([...domains], DOMAINS_MAX),
    addresses: ends([...addresses], ADDRESSES_MAX),
  }
}

function authorHosts(message: Pick<Message, 'fields'>): string[] {
  return authorsOf(message)
    .mailboxes.slice(0, AUTHORS_MAX)
    .map(({ domain }) => asciiDomain(domain))
}

/** The hosts that links lead to, once wrappers are opened. */
function linkHosts({ links }: Pick<Message, 'links'>): string[] {
  return [...new Set(links.map(({ href }) => href))].flatMap((href) => {
    const reading = browserReading(unwrapped(href).at(-1) ?? href)
    return ABSOLUTE.test(reading) ? (canonicalUrl(reading)?.host ?? []) : []
  })
}

/** The part of `host` that has one owner, undefined when there is none to ask about. */
function ownedDomain(host: string): string | undefined {
  if (host.length > NAME_LENGTH_MAX || !NAME.test(host)) return undefined
  if (LOCAL_TOP_LEVELS.has(host.slice(host.lastIndexOf('.') + 1))) return undefined
  const domain = getDomain(host, ALL_SUFFIXES)
  if (domain === null) return undefined
  if (!isSharedHost(domain)) return domain
  const below = host.slice(0, -domain.length - 1)
  const owned = below === '' ? domain : `${below.slice(below.lastIndexOf('.') + 1)}.${domain}`
  return isSharedHost(owned) ? undefined : owned
}

/** The first and the last of `names`, `max` in all. */
function ends(names: readonly string[], max: number): readonly string[] {
  if (names.length <= max) return names
  return [...names.slice(0, Math.ceil(max / 2)), ...names.slice(-Math.floor(max / 2))]
}
