/**
 * Signals from the hosts that links lead to: how a host is spelled, and whose it is when it is not
 * the sender's.
 */
import { domainToUnicode } from 'node:url'
import type { Message } from '../../message/message.ts'
import { brandInLabel, brandNear, ownsDomain } from '../brands.ts'
import { ownLabel } from '../domains.ts'
import {
  isCheapTopLevel,
  isFreeHosting,
  isMailService,
  isMessenger,
  isShortener,
} from '../host-lists.ts'
import { webTargets } from '../link-targets.ts'
import { isOriginDomain } from '../origin.ts'
import { type Signal, signal } from '../signal.ts'
import { looksAscii } from '../skeleton.ts'

/** Labels of a host: 'a.b.c.example.com' has five. */
const DEEP_HOST_LABELS_MIN = 6

/** Longer hosts do not fit the address bar of a phone. */
const LONG_HOST_MIN = 50

/** Different hosts that are looked at one by one. */
const HOSTS_MAX = 100

/** Labels of one host that are looked at. */
const HOST_LABELS_MAX = 10

/** Signals that rest on a host, each different host looked at once. */
export function hostSignals(message: Message): Signal[] {
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
