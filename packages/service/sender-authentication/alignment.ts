/**
 * Alignment: whether an authenticated domain, of a signature or of the envelope, is the one that From
 * names (RFC 7489 §3.1).
 *
 * It is needed only when the domain of From publishes no DMARC record, or none was asked for; a record
 * has its own modes, and mailauth follows them.
 */
import { getDomain } from 'tldts'

/** 'strict': the same domain. 'relaxed': a domain of the same organisation. */
export type AlignmentMode = 'strict' | 'relaxed'

/**
 * The private part of the Public Suffix List counts: customers of a hosting company are
 * organisations of their own, and one must not vouch for the other. (Domains of links are
 * another matter, see message/domain.ts.)
 */
const WITH_PRIVATE_SUFFIXES = { allowPrivateDomains: true, extractHostname: false } as const

/** True when `domain` vouches for `author`; both as comparedHost gives them. */
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
function organisationalDomain(domain: string): string {
  return getDomain(domain, WITH_PRIVATE_SUFFIXES) ?? domain
}
