/** The links of a message by the host that they lead to, each host with what is wrong with it. */
import type { DiagnosticAnswer } from '../api.ts'

export type Link = DiagnosticAnswer['urlScanner']['links'][number]

export interface LinkGroup {
  /** The host; for links that lead to none, what they do. */
  readonly name: string
  readonly links: readonly Link[]
  /** None twice. */
  readonly warnings: readonly Warning[]
}

interface Warning {
  readonly tone: 'spam' | 'warn'
  readonly words: string
  /** Who or what `words` speak of; these words may be the sender's. */
  readonly quoted?: string
}

/** What links do that lead to no host, by their scheme. */
const HOSTLESS: Readonly<Record<string, string>> = {
  mailto: 'Starts an email',
  tel: 'Starts a call',
  sms: 'Starts a text message',
}

const DANGEROUS: Readonly<Record<string, string>> = {
  javascript: 'runs a script',
  vbscript: 'runs a script',
  data: 'contains its whole page',
  file: 'opens a file share',
  smb: 'opens a file share',
}

const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/

/** Groups of `links` in order of appearance, those with warnings first. */
export function linkGroups(links: readonly Link[]): LinkGroup[] {
  const groups = Map.groupBy(links, nameOf)
  return Array.from(groups, ([name, group]) => {
    const warnings = [...hostWarnings(name), ...group.flatMap(linkWarnings)]
    const told = new Map(warnings.map((it) => [`${it.words} ${it.quoted}`, it]))
    return { name, links: group, warnings: [...told.values()] }
  }).toSorted((a, b) => Number(b.warnings.length > 0) - Number(a.warnings.length > 0))
}

function nameOf({ leadsTo, host }: Link): string {
  const scheme = /^\s*([a-z][a-z0-9+.-]{0,20}):/i.exec(leadsTo)?.[1]?.toLowerCase() ?? ''
  const hostless = HOSTLESS[scheme] ?? (scheme in DANGEROUS ? `${scheme}:` : undefined)
  if (hostless !== undefined) return hostless
  const own = URL.canParse(leadsTo) ? new URL(leadsTo).hostname : ''
  return own || host || (scheme === '' ? 'No web address' : `${scheme}:`)
}

function hostWarnings(name: string): Warning[] {
  if (IP_ADDRESS.test(name)) return [{ tone: 'spam', words: 'bare IP address' }]
  if (name.includes('xn--')) return [{ tone: 'warn', words: 'has letters beyond ASCII' }]
  const words = DANGEROUS[name.replace(/:$/, '')]
  return words === undefined ? [] : [{ tone: 'spam', words }]
}

function linkWarnings(link: Link): Warning[] {
  const { match, shows, leadsToDomain, registrableDomain, href } = link
  const warnings: Warning[] = []
  if (match !== null) {
    const quoted = `${match.feed}: ${match.expression}`
    warnings.push({ tone: 'spam', words: 'in the feed', quoted })
  }
  // The host that the text of a link names, where it leads to another domain.
  if (shows !== null) warnings.push({ tone: 'spam', words: 'says', quoted: shows })
  // The site that a link goes through before it leads to its host.
  if (leadsToDomain !== registrableDomain) {
    warnings.push({ tone: 'warn', words: 'via', quoted: registrableDomain || href.slice(0, 60) })
  }
  return warnings
}
