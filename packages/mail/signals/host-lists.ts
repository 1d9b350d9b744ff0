/**
 * Domains and hosts by what they are (host-lists.tsv): free mail, companies that send mail for others, shorteners, free
 * hosting, messengers. Each is used by honest senders too; it is a fact, not a verdict.
 */
import { readLists } from '../data-table.ts'
import { type DomainKind, type DomainTable, kindOfHost } from '../knowledge/domain-table.ts'

const LISTS = readLists(new URL('host-lists.tsv', import.meta.url), [
  'free-mail',
  'mail-service',
  'shortener',
  'free-hosting',
  'messenger',
  'cheap-top-level',
])

/** True when `domain`, or for providers with several the registrable domain, is a free-mail one. */
export function isFreeMail(domain: string): boolean {
  return LISTS['free-mail'].has(domain)
}

/**
 * Of those, the ones that sign all that their users send, and publish SPF: Google, Microsoft, Apple, Yahoo and AOL. Mail that passes
 * neither was not sent there. Yahoo! JAPAN is another company.
 */
const SIGNING =
  /^(?:gmail\.com|googlemail\.com|(?:outlook|hotmail|live|yahoo)\.(?:com|de|fr|it|es|nl|be|ca|in|(?:co|com)\.[a-z]{2})|msn\.com|icloud\.com|me\.com|mac\.com|ymail\.com|aol\.com)$/

/** True for a free-mail domain whose provider signs all mail. */
export function signsAllMail(domain: string): boolean {
  return isFreeMail(domain) && SIGNING.test(domain) && domain !== 'yahoo.co.jp'
}

/** True for a company that sends mail for others: a link whose text names the sender and leads there is a click counter, no trick. */
export function isMailService(domain: string): boolean {
  return LISTS['mail-service'].has(domain)
}

/** Labels of a host that are looked at from the right; free hosts have at most five. */
const SUFFIX_LABELS_MAX = 6

export function isShortener(host: string): boolean {
  return LISTS.shortener.has(host.startsWith('www.') ? host.slice(4) : host)
}

/** True when `host` is, or is under, a host where anyone can put up a page. */
export function isFreeHosting(host: string): boolean {
  let suffix = host
  for (let labels = 0; labels < SUFFIX_LABELS_MAX; labels += 1) {
    if (LISTS['free-hosting'].has(suffix)) return true
    const dot = suffix.indexOf('.')
    if (dot < 0) return false
    suffix = suffix.slice(dot + 1)
  }
  return false
}

export function isMessenger(host: string): boolean {
  return LISTS.messenger.has(host.startsWith('www.') ? host.slice(4) : host)
}

/** True when the top-level domain of `host` is one in which names cost next to nothing. */
export function isCheapTopLevel(host: string): boolean {
  return LISTS['cheap-top-level'].has(host.slice(host.lastIndexOf('.') + 1))
}

/** The kind of `host`, whose registrable domain is `domain`; undefined for one that nobody knows. */
export function hostKind(
  domains: DomainTable,
  host: string,
  domain: string,
): DomainKind | undefined {
  const kind = kindOfHost(domains, host, domain)
  // Lists of what exists, and an operator's above all, have those that strangers use as well.
  return kind === undefined || kind === 'known' ? (strangersKind(host, domain) ?? kind) : kind
}

/** What `host` is when it is used by strangers as much as by its owner. */
export function strangersKind(host: string, domain: string): DomainKind | undefined {
  if (isMailService(domain)) return 'account'
  if (isFreeHosting(host)) return 'pages'
  if (isShortener(host)) return 'redirector'
  return isFreeMail(domain) ? 'mailbox' : undefined
}
