/**
 * Where the links of a message lead. Those that a gateway of the receiving side has rewritten (Safe Links, URL Defense) are read as
 * what the sender wrote. These two and no others: what the models have learned goes by it; urls/unwrap.ts has all.
 */
import { hostOf } from '../message/domain.ts'
import type { Link, Message } from '../message/message.ts'
import { domainOf, perMessage } from './per-message.ts'

/** Links looked at. Newsletters have up to some 200; a digest beyond that repeats itself. */
const LINKS_LOOKED_AT_MAX = 300

export interface LinkTarget {
  readonly link: Link
  /** As the sender wrote it. */
  readonly href: string
  /** In lower case without colon; '' when the link is relative. */
  readonly scheme: string
  /** In lower case, ASCII; '' when the link has none. */
  readonly host: string
  /** Registrable domain of `host`, '' when there is none. */
  readonly domain: string
}

/** Targets of the first LINKS_LOOKED_AT_MAX links, in order of appearance. */
export const linkTargets = perMessage((message: Message): readonly LinkTarget[] =>
  message.links.slice(0, LINKS_LOOKED_AT_MAX).map((link) => readTarget(message, link)),
)

/** Targets on the web: http, https or no scheme at all. */
export const webTargets = perMessage((message: Message): readonly LinkTarget[] =>
  linkTargets(message).filter((target) => target.host !== '' && isWebScheme(target.scheme)),
)

function isWebScheme(scheme: string): boolean {
  return scheme === 'http' || scheme === 'https' || scheme === ''
}

function readTarget(message: Message, link: Link): LinkTarget {
  const href = unwrapped(link.href)
  const scheme = schemeOf(href)
  const host =
    isWebScheme(scheme) || scheme === 'ftp' ? (plainHost(href) ?? hostOf(href) ?? '') : ''
  return { link, href, scheme, host, domain: host === '' ? '' : domainOf(message, host) }
}

function schemeOf(href: string): string {
  if (href.startsWith('https:')) return 'https'
  if (href.startsWith('http:')) return 'http'
  return /^\s*([a-z][a-z0-9+.-]{0,20}):/i.exec(href)?.[1]?.toLowerCase() ?? ''
}

/** The host of an ordinary web link, without the cost of reading the whole as a URL. */
function plainHost(href: string): string | undefined {
  return /^https?:\/\/((?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24})(?=[/?#]|$)/.exec(href)?.[1]
}

/** Gateways that put their own link before the sender's, and the parameter that holds the latter. */
const GATEWAYS: readonly { readonly host: string; readonly parameter: string }[] = [
  { host: 'safelinks.protection.outlook.com/', parameter: 'url=' },
  { host: 'urldefense.proofpoint.com/v2/url', parameter: 'u=' },
]

/** Gateway form 3 of URL Defense: https://urldefense.com/v3/__https://example.com/__;!!… */
const URL_DEFENSE_3 = /^https:\/\/urldefense\.(?:com|us|proofpoint\.com)\/v3\/__(.*?)__;/

/** How far into a link a gateway's host stands. */
const GATEWAY_HOST_END = 80

/** `href` as it was before a gateway on the receiving side rewrote it. */
function unwrapped(href: string): string {
  if (!href.startsWith('https://')) return href
  const defended = URL_DEFENSE_3.exec(href)?.[1]
  if (defended !== undefined) return defended

  const start = href.slice(0, GATEWAY_HOST_END)
  for (const { host, parameter } of GATEWAYS) {
    if (!start.includes(host)) continue
    const value = new RegExp(`[?&]${parameter}([^&]*)`).exec(href)?.[1]
    if (value === undefined) return href
    // URL Defense writes '-' for '%' and '_' for '/'.
    const encoded = parameter === 'u=' ? value.replaceAll('-', '%').replaceAll('_', '/') : value
    return decoded(encoded)
  }
  return href
}

/** Percent-decoded, or as it is where that is not possible. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
