/** The links of a message by the host that they lead to, each host with what is wrong with it. */
import type { DiagnosticAnswer } from '../api.ts'

type Link = DiagnosticAnswer['urlScanner']['links'][number]
type Signals = NonNullable<DiagnosticAnswer['explanation']>['signals']

export interface LinkGroup {
  /** The host; for links that lead to none, what they do. */
  readonly name: string
  readonly links: readonly Link[]
  /** None twice. */
  readonly warnings: readonly Warning[]
}

export interface Warning {
  readonly tone: 'spam' | 'warn'
  readonly words: string
  /** Who or what `words` speak of; these words may be the sender's. */
  readonly quoted?: string
}

interface Hostless {
  readonly name: string
  readonly warning?: string
}

/** What links do that lead to no host. */
const HOSTLESS: ReadonlyMap<string, Hostless> = new Map([
  ['javascript', { name: 'javascript:', warning: 'runs a script' }],
  ['vbscript', { name: 'vbscript:', warning: 'runs a script' }],
  ['data', { name: 'data:', warning: 'contains its whole page' }],
  ['file', { name: 'file:', warning: 'opens a file share' }],
  ['smb', { name: 'smb:', warning: 'opens a file share' }],
  ['mailto', { name: 'Starts an email' }],
  ['tel', { name: 'Starts a call' }],
  ['sms', { name: 'Starts a text message' }],
])

/** Signals that speak of one host or link, and what they say of it; `brand` where they name a company. */
const SIGNAL_WARNINGS: Readonly<Record<string, { words: string; brand?: true }>> = {
  LINK_LOOKS_LIKE_BRAND: { words: 'look-alike letters imitate', brand: true },
  LINK_NEAR_BRAND: { words: 'nearly the name of', brand: true },
  LINK_HOLDS_BRAND: { words: 'contains the name of', brand: true },
  LINK_LOOKS_ASCII: { words: 'look-alike letters' },
  LINK_USERINFO: { words: 'has a user name before the host' },
  LINK_AUTHORITY_DISGUISED: { words: 'disguises its host' },
  LINK_DOWNLOAD: { words: 'a program or an archive' },
  LINK_SHORTENER: { words: 'hides where it leads' },
}

const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/

/** Groups of `links` in order of appearance, those with warnings first. */
export function linkGroups(links: readonly Link[], signals: Signals): LinkGroup[] {
  const groups = Map.groupBy(links, nameOf)
  return Array.from(groups, ([name, group]) => ({
    name,
    links: group,
    warnings: warningsOf(name, group, signals),
  })).toSorted((a, b) => Number(b.warnings.length > 0) - Number(a.warnings.length > 0))
}

function nameOf({ leadsTo, host }: Link): string {
  const scheme = schemeOf(leadsTo)
  const hostless = HOSTLESS.get(scheme)
  if (hostless !== undefined) return hostless.name
  return hostOf(leadsTo) || host || (scheme === '' ? 'No web address' : `${scheme}:`)
}

function schemeOf(address: string): string {
  return /^\s*([a-z][a-z0-9+.-]{0,20}):/i.exec(address)?.[1]?.toLowerCase() ?? ''
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : ''
}

function warningsOf(name: string, links: readonly Link[], signals: Signals): Warning[] {
  const told = signals.flatMap((signal) => signalWarning(signal, name, links, signals))
  const isLookAlike = told.some(({ words }) => words.includes('look-alike'))
  const found: Warning[] = [
    ...links.flatMap(feedWarning),
    ...hostWarnings(name),
    ...told,
    ...(name.includes('xn--') && !isLookAlike
      ? [{ tone: 'warn', words: 'has letters beyond ASCII' } as const]
      : []),
    ...links.flatMap(shownWarning),
    ...links.flatMap(wrapperWarning),
  ]
  return [...new Map(found.map((it) => [`${it.words} ${it.quoted}`, it])).values()]
}

function hostWarnings(name: string): Warning[] {
  if (IP_ADDRESS.test(name)) return [{ tone: 'spam', words: 'bare IP address' }]
  const words = [...HOSTLESS.values()].find((entry) => entry.name === name)?.warning
  return words === undefined ? [] : [{ tone: 'spam', words }]
}

function feedWarning({ match }: Link): Warning[] {
  if (match === null) return []
  return [{ tone: 'spam', words: 'in the feed', quoted: `${match.feed}: ${match.expression}` }]
}

/** The host that the text of a link names, where it leads to another domain. */
function shownWarning({ shows }: Link): Warning[] {
  return shows === null ? [] : [{ tone: 'spam', words: 'says', quoted: shows }]
}

/** The site that a link goes through before it leads to its host. */
function wrapperWarning({ leadsToDomain, registrableDomain, href }: Link): Warning[] {
  if (leadsToDomain === registrableDomain) return []
  return [{ tone: 'warn', words: 'via', quoted: registrableDomain || href.slice(0, 60) }]
}

function signalWarning(
  { name, evidence = '' }: Signals[number],
  host: string,
  links: readonly Link[],
  signals: Signals,
): Warning[] {
  const warning = SIGNAL_WARNINGS[name]
  if (warning === undefined) return []
  const [subject = '', brand] = evidence.split(', ')
  const isOurs =
    subject === host ||
    subject === unicodeOf(host, signals) ||
    links.some(
      ({ host: own, href, leadsTo }) =>
        own === subject || isCutOf(evidence, href) || isCutOf(evidence, leadsTo),
    )
  if (!isOurs) return []
  const { words } = warning
  return [{ tone: 'spam', words, ...(warning.brand && brand !== undefined && { quoted: brand }) }]
}

/** Whether `evidence` is `address`, or its beginning: evidence is cut. */
function isCutOf(evidence: string, address: string): boolean {
  return evidence === address.slice(0, evidence.length) && evidence.includes(':')
}

/** `host` in its own letters, as the signal says; a browser has no function for it. */
function unicodeOf(host: string, signals: Signals): string | undefined {
  const evidence = signals.find(({ name }) => name === 'LINK_PUNYCODE')?.evidence
  const [ascii, unicode] = evidence?.split(' ') ?? []
  return ascii === host ? unicode : undefined
}
