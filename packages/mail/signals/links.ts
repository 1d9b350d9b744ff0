/**
 * Signals from the links: where they lead, against who sends and against what they say.
 *
 * Bulk mail counts clicks, so that its links lead to the mailing service or to a subdomain made
 * for it; link text that names the sender's site over such a target is no deceit, and has a name
 * of its own (LINK_TEXT_OTHER_HOST_TRACKED).
 */

import { domainToUnicode } from 'node:url'
import { hostOf } from '../message/domain.ts'
import type { Message } from '../message/message.ts'
import { brandInLabel, brandNear, ownsDomain } from './brands.ts'
import { domainOf, ownLabel } from './domains.ts'
import {
  isCheapTopLevel,
  isFreeHosting,
  isMailService,
  isMessenger,
  isShortener,
} from './host-lists.ts'
import { type LinkTarget, linkTargets, webTargets } from './link-targets.ts'
import { isOriginDomain } from './origin.ts'
import { type Signal, signal } from './signal.ts'
import { looksAscii } from './skeleton.ts'

/** More than a newsletter that points at others' articles; digests have some twenty. */
const MANY_DOMAINS_MIN = 10

const MANY_LINKS_MIN = 50

/** A message all of whose links, this many at least, are one: wherever the reader clicks. */
const SAME_LINKS_MIN = 4

/** Beyond what an address bar shows and most trackers need. */
const LONG_LINK_MIN = 1_000

export function linkSignals(message: Message): Signal[] {
  const found = new Map<string, Signal>()
  for (const it of [
    ...wholeSignals(message),
    ...hostSignals(message),
    ...linkTargets(message).flatMap((target) => targetSignals(message, target)),
  ]) {
    // The first link that raises a signal is evidence enough.
    if (!found.has(it.name)) found.set(it.name, it)
  }
  return [...found.values()]
}

/** Registrable domains of the web links of `message`, each once. */
export function linkDomains(message: Message): ReadonlySet<string> {
  return new Set(webTargets(message).map((target) => target.domain))
}

function wholeSignals(message: Message): Signal[] {
  const targets = webTargets(message)
  if (targets.length === 0) return [signal('LINK_NONE')]

  const found: Signal[] = []
  const domains = linkDomains(message)
  const own = [...domains].filter((domain) => isOriginDomain(message, domain)).length
  if (own === 0) found.push(signal('LINK_NONE_OWN_DOMAIN', [...domains].slice(0, 5).join(' ')))
  else if (own === domains.size) found.push(signal('LINK_ALL_OWN_DOMAIN'))
  if (domains.size >= MANY_DOMAINS_MIN)
    found.push(signal('LINK_MANY_DOMAINS', String(domains.size)))
  if (targets.length >= MANY_LINKS_MIN) found.push(signal('LINK_MANY', String(targets.length)))
  if (targets.length === 1) found.push(signal('LINK_SINGLE', targets[0]!.host))
  if (targets.length >= SAME_LINKS_MIN && targets.every((it) => it.href === targets[0]!.href)) {
    found.push(signal('LINK_ALL_THE_SAME', targets[0]!.host))
  }
  if (targets.every((target) => target.scheme === 'http')) found.push(signal('LINK_UNENCRYPTED'))
  return found
}

/** Extensions of files that a click downloads and a second click runs or opens. */
const DOWNLOAD = /\.(?:exe|scr|msi|apk|jar|js|vbs|hta|lnk|iso|img|zip|rar|7z|dmg|pkg|docm|xlsm)$/i

/** Where an extension begins at the latest, from the end of a path. */
const EXTENSION_LENGTH_MAX = 6

/** A web address as a parameter, plain or percent-encoded. */
const REDIRECT = /[?&][a-z_]{1,20}=https?(?::\/\/|%3a%2f%2f)/i

/** A mail address in the part of a link that the server does not need to find the page. */
const RECIPIENT = /[?#&=/][^?#&=/@%]{1,64}(?:@|%40)[a-z0-9-]{1,63}\.[a-z]{2}/i

/** Signals from what follows the host. Few links have any of the signs, and looking for signs is cheap. */
function restSignals(host: string, href: string, rest: string): Signal[] {
  const found: Signal[] = []
  const path = rest.slice(0, endOfPath(rest))
  if (DOWNLOAD.test(path.slice(-EXTENSION_LENGTH_MAX))) found.push(signal('LINK_DOWNLOAD', href))
  if ((rest.includes('://') || /%3a%2f/i.test(rest)) && REDIRECT.test(rest)) {
    found.push(signal('LINK_REDIRECT', href))
  }
  if ((rest.includes('@') || rest.includes('%40')) && RECIPIENT.test(rest)) {
    found.push(signal('LINK_RECIPIENT', host))
  }
  if (href.length >= LONG_LINK_MIN) found.push(signal('LINK_LONG', `${host}, ${href.length}`))
  return found
}

function endOfPath(rest: string): number {
  const query = rest.indexOf('?')
  const fragment = rest.indexOf('#')
  if (query < 0) return fragment < 0 ? rest.length : fragment
  return fragment < 0 ? query : Math.min(query, fragment)
}

function targetSignals(message: Message, target: LinkTarget): Signal[] {
  const { href, host, scheme } = target
  if (scheme === 'data') return [signal('LINK_DATA', href.slice(0, SHOWN_DATA_LENGTH))]
  if (scheme === 'javascript' || scheme === 'vbscript') return [signal('LINK_SCRIPT', scheme)]
  if (scheme === 'mailto') return [signal('LINK_MAILTO')]
  if (scheme === 'tel' || scheme === 'sms') return [signal('LINK_PHONE')]
  if (scheme === 'file' || scheme === 'ftp' || scheme === 'smb') return [signal('LINK_FILE', href)]
  if (host === '') return []

  const path = href.indexOf('/', href.indexOf('//') + 2)
  const authority = path < 0 ? href : href.slice(0, path)
  const found = path < 0 ? [] : restSignals(host, href, href.slice(path))
  if (authority.includes('@')) found.push(signal('LINK_USERINFO', href))
  if (/:\d{1,5}$/.test(authority) && !/:(?:80|443)$/.test(authority)) {
    found.push(signal('LINK_PORT', authority))
  }
  if (/[%\\]/.test(authority)) found.push(signal('LINK_AUTHORITY_DISGUISED', href))
  const named = namedOther(message, target)
  if (named !== undefined) found.push(named)
  return found
}

/** Enough of a data: link to see its type. */
const SHOWN_DATA_LENGTH = 40

/** Text that is a web address as a whole, not a sentence with one in it. */
const HOST_TEXT = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})(?:[:/?#]\S{0,2000})?$/i

/** A link whose text is an address at another domain than its target. */
function namedOther(message: Message, target: LinkTarget): Signal | undefined {
  const named = otherHostShown(message, target)
  if (named === undefined) return undefined
  const { host, domain } = target
  const tracked = isMailService(domain) || isOriginDomain(message, domain)
  return signal(
    tracked ? 'LINK_TEXT_OTHER_HOST_TRACKED' : 'LINK_TEXT_OTHER_HOST',
    `${named}, ${host}`,
  )
}

/** The host that the text of a link names, where it is of another domain than the link. */
export function otherHostShown(
  message: Message,
  { link, host, domain }: LinkTarget,
): string | undefined {
  if (link.source !== 'html' || !link.text.includes('.')) return undefined
  const named = HOST_TEXT.exec(link.text.trim())?.[1]?.toLowerCase()
  if (named === undefined || named === host) return undefined
  // 'report.pdf' is a file, and only what begins like a web address need have a known ending.
  const namedDomain = domainOf(message, named)
  if (namedDomain === domain || hostOf(`https://${named}`) === undefined) return undefined
  return FILE_NAME.test(named) && !link.text.includes('/') ? undefined : named
}

/** Endings that files and no hosts have. */
const FILE_NAME =
  /\.(?:pdf|docx?|xlsx?|pptx?|txt|csv|jpe?g|png|gif|html?|php|exe|js|json|xml|md|log|conf|c|h|patch)$/

/**
 * Signals from the hosts that links lead to: how a host is spelled, and whose it is when it is not
 * the sender's.
 */

/** Labels of a host: 'a.b.c.example.com' has five. */
const DEEP_HOST_LABELS_MIN = 6

/** Longer hosts do not fit the address bar of a phone. */
const LONG_HOST_MIN = 50

/** Different hosts that are looked at one by one. */
const HOSTS_MAX = 100

/** Labels of one host that are looked at. */
const HOST_LABELS_MAX = 10

/** Signals that rest on a host, each different host looked at once. */
function hostSignals(message: Message): Signal[] {
  const domainOfHost = new Map<string, string>()
  for (const { host, domain } of webTargets(message)) {
    if (domainOfHost.size < HOSTS_MAX) domainOfHost.set(host, domain)
  }
  return [...domainOfHost].flatMap(([host, domain]) =>
    isOriginDomain(message, domain)
      ? formSignals(host)
      : [...formSignals(host), ...strangerSignals(host, domain)],
  )
}

/** Signals from the form of a host, whether or not it is the sender's. */
function formSignals(host: string): Signal[] {
  if (host.startsWith('[') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) {
    return [signal('LINK_IP_HOST', host)]
  }
  const found: Signal[] = []
  if (host.includes('xn--')) found.push(...unicodeSignals(host))
  if (isCheapTopLevel(host)) found.push(signal('LINK_TOP_LEVEL_CHEAP', host))
  if (host.length >= LONG_HOST_MIN) found.push(signal('LINK_HOST_LONG', host))
  if (host.split('.', DEEP_HOST_LABELS_MIN).length >= DEEP_HOST_LABELS_MIN) {
    found.push(signal('LINK_HOST_DEEP', host))
  }
  return found
}

function unicodeSignals(host: string): Signal[] {
  const unicodeHost = domainToUnicode(host)
  const found = [signal('LINK_PUNYCODE', `${host} ${unicodeHost}`)]
  if (unicodeHost.split('.').some(looksAscii)) found.push(signal('LINK_LOOKS_ASCII', unicodeHost))
  return found
}

/** Signals from a host that is not the sender's. */
function strangerSignals(host: string, domain: string): Signal[] {
  const found: Signal[] = []
  if (isShortener(host)) found.push(signal('LINK_SHORTENER', host))
  if (isMessenger(host)) found.push(signal('LINK_MESSENGER', host))
  if (isFreeHosting(host)) found.push(signal('LINK_FREE_HOSTING', host))
  if (isMailService(domain)) {
    found.push(signal('LINK_MAIL_SERVICE', host))
    return found
  }
  const brand = brandSignal(host, domain)
  if (brand !== undefined) found.push(brand)
  return found
}

function brandSignal(host: string, domain: string): Signal | undefined {
  const unicodeHost = host.includes('xn--') ? domainToUnicode(host) : host
  for (const label of unicodeHost.split('.', HOST_LABELS_MAX)) {
    const mention = brandInLabel(label)
    if (mention === undefined || ownsDomain(mention.brand, domain)) continue
    const name = mention.lookAlike ? 'LINK_LOOKS_LIKE_BRAND' : 'LINK_HOLDS_BRAND'
    return signal(name, `${unicodeHost}, ${mention.brand.name}`)
  }
  const near = brandNear(ownLabel(domain))
  if (near === undefined || ownsDomain(near, domain)) return undefined
  return signal('LINK_NEAR_BRAND', `${host}, ${near.name}`)
}
