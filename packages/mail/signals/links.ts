/**
 * Signals from the links: where they lead, against who sends and against what they say. Bulk mail counts clicks, so that its links
 * lead to the mailing service; text that names the sender's site over such a target is no deceit (LINK_TEXT_OTHER_HOST_TRACKED).
 */
import { domainToUnicode } from 'node:url'
import { hostOf } from '../message/domain.ts'
import type { Message } from '../message/message.ts'
import { borrowedBrandSignals } from './brands.ts'
import {
  isCheapTopLevel,
  isFreeHosting,
  isMailService,
  isMessenger,
  isShortener,
} from './host-lists.ts'
import { type LinkTarget, linkTargets, webTargets } from './link-targets.ts'
import { isOriginDomain } from './origin.ts'
import { domainOf } from './per-message.ts'
import { firstOfEachName, raised, type Signal } from './signal.ts'
import { looksAscii } from './skeleton.ts'

/** More than a newsletter that points at others' articles; digests have some twenty. */
const MANY_DOMAINS_MIN = 10

const MANY_LINKS_MIN = 50

/** A message all of whose links, this many at least, are one: wherever the reader clicks. */
const SAME_LINKS_MIN = 4

/** Beyond what an address bar shows and most trackers need. */
const LONG_LINK_MIN = 1_000

export function linkSignals(message: Message): Signal[] {
  return firstOfEachName([
    ...wholeSignals(message),
    ...hostSignals(message),
    ...linkTargets(message).flatMap((target) => targetSignals(message, target)),
  ])
}

/** Registrable domains of the web links of `message`, each once. */
export function linkDomains(message: Message): ReadonlySet<string> {
  return new Set(webTargets(message).map((target) => target.domain))
}

function wholeSignals(message: Message): Signal[] {
  const targets = webTargets(message)
  const [first] = targets
  if (first === undefined) return raised({ LINK_NONE: true })
  const domains = linkDomains(message)
  const own = [...domains].filter((domain) => isOriginDomain(message, domain)).length
  const isSame =
    targets.length >= SAME_LINKS_MIN && targets.every(({ href }) => href === first.href)
  return raised({
    LINK_NONE_OWN_DOMAIN: own === 0 && [...domains].slice(0, 5).join(' '),
    LINK_ALL_OWN_DOMAIN: own === domains.size,
    LINK_MANY_DOMAINS: domains.size >= MANY_DOMAINS_MIN && domains.size,
    LINK_MANY: targets.length >= MANY_LINKS_MIN && targets.length,
    LINK_SINGLE: targets.length === 1 && first.host,
    LINK_ALL_THE_SAME: isSame && first.host,
    LINK_UNENCRYPTED: targets.every(({ scheme }) => scheme === 'http'),
  })
}

/** Extensions of files that a click downloads and a second click runs or opens. */
const DOWNLOAD = /\.(?:exe|scr|msi|apk|jar|js|vbs|hta|lnk|iso|img|zip|rar|7z|dmg|pkg|docm|xlsm)$/i

/** Where an extension begins at the latest, from the end of a path. */
const EXTENSION_LENGTH_MAX = 6

/** A web address as a parameter, plain or percent-encoded. */
const REDIRECT = /[?&][a-z_]{1,20}=https?(?::\/\/|%3a%2f%2f)/i

/** A mail address in the part of a link that the server does not need to find the page. */
const RECIPIENT = /[?#&=/][^?#&=/@%]{1,64}(?:@|%40)[a-z0-9-]{1,63}\.[a-z]{2}/i

/** Enough of a data: link to see its type. */
const SHOWN_DATA_LENGTH = 40

function targetSignals(message: Message, target: LinkTarget): Signal[] {
  const { href, host, scheme, domain } = target
  switch (scheme) {
    case 'data':
      return raised({ LINK_DATA: href.slice(0, SHOWN_DATA_LENGTH) })
    case 'javascript':
    case 'vbscript':
      return raised({ LINK_SCRIPT: scheme })
    case 'mailto':
      return raised({ LINK_MAILTO: true })
    case 'tel':
    case 'sms':
      return raised({ LINK_PHONE: true })
    case 'file':
    case 'ftp':
    case 'smb':
      return raised({ LINK_FILE: href })
  }
  if (host === '') return []
  const path = href.indexOf('/', href.indexOf('//') + 2)
  const authority = path < 0 ? href : href.slice(0, path)
  const rest = path < 0 ? '' : href.slice(path)
  const file = rest.slice(0, rest.search(/[?#]|$/)).slice(-EXTENSION_LENGTH_MAX)
  const isPorted = /:\d{1,5}$/.test(authority) && !/:(?:80|443)$/.test(authority)
  const shown = otherHostShown(message, target)
  const isTracked =
    shown !== undefined && (isMailService(domain) || isOriginDomain(message, domain))
  const named = shown && `${shown}, ${host}`
  return raised({
    LINK_DOWNLOAD: DOWNLOAD.test(file) && href,
    LINK_REDIRECT: REDIRECT.test(rest) && href,
    LINK_RECIPIENT: (rest.includes('@') || rest.includes('%40')) && RECIPIENT.test(rest) && host,
    LINK_LONG: path >= 0 && href.length >= LONG_LINK_MIN && `${host}, ${href.length}`,
    LINK_USERINFO: authority.includes('@') && href,
    LINK_PORT: isPorted && authority,
    LINK_AUTHORITY_DISGUISED: /[%\\]/.test(authority) && href,
    LINK_TEXT_OTHER_HOST_TRACKED: isTracked && named,
    LINK_TEXT_OTHER_HOST: !isTracked && named,
  })
}

/** Text that is a web address as a whole, not a sentence with one in it. */
const HOST_TEXT = /^(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})(?:[:/?#]\S{0,2000})?$/i

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

/** Labels of a host: 'a.b.c.example.com' has five. */
const DEEP_HOST_LABELS_MIN = 6

/** Longer hosts do not fit the address bar of a phone. */
const LONG_HOST_MIN = 50

/** Different hosts that are looked at one by one. */
const HOSTS_MAX = 100

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
    return raised({ LINK_IP_HOST: host })
  }
  const isPunycode = host.includes('xn--')
  const unicodeHost = unicodeOf(host)
  return raised({
    LINK_PUNYCODE: isPunycode && `${host} ${unicodeHost}`,
    LINK_LOOKS_ASCII: isPunycode && unicodeHost.split('.').some(looksAscii) && unicodeHost,
    LINK_TOP_LEVEL_CHEAP: isCheapTopLevel(host) && host,
    LINK_HOST_LONG: host.length >= LONG_HOST_MIN && host,
    LINK_HOST_DEEP: host.split('.', DEEP_HOST_LABELS_MIN).length >= DEEP_HOST_LABELS_MIN && host,
  })
}

const BORROWED_BRAND = {
  holds: 'LINK_HOLDS_BRAND',
  looksLike: 'LINK_LOOKS_LIKE_BRAND',
  near: 'LINK_NEAR_BRAND',
}

/** Signals from a host that is not the sender's. */
function strangerSignals(host: string, domain: string): Signal[] {
  const isService = isMailService(domain)
  return [
    ...raised({
      LINK_SHORTENER: isShortener(host) && host,
      LINK_MESSENGER: isMessenger(host) && host,
      LINK_FREE_HOSTING: isFreeHosting(host) && host,
      LINK_MAIL_SERVICE: isService && host,
    }),
    ...(isService ? [] : borrowedBrandSignals(unicodeOf(host), domain, BORROWED_BRAND)),
  ]
}

function unicodeOf(host: string): string {
  return host.includes('xn--') ? domainToUnicode(host) : host
}
