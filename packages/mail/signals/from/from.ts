/**
 * Signals from From and Reply-To: who is named, at which address, and where the answer would go.
 *
 * Readers see the display name and often nothing else; the address can be anybody's. So most of
 * what is here compares the two: a name that is another address, a brand, or looks like one.
 */
import { domainToUnicode } from 'node:url'
import type { Mailbox } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { brandInLabel, brandNear, ownsDomain } from '../brands.ts'
import { ownLabel } from '../domains.ts'
import { isCheapTopLevel } from '../host-lists.ts'
import { type Origin, originOf } from '../origin.ts'
import { type Arrived, type Signal, signal } from '../signal.ts'
import { looksAscii } from '../skeleton.ts'
import { displayNameSignals } from './display-name.ts'
import { impostorSignals } from './impostor.ts'
import { replyToSignals } from './reply-to.ts'

/** 'anna1987' is a person; five digits and more come from a generator. */
const LOCAL_DIGITS_MIN = 5

/** Consonants in a row that no word has ('Angstschweiß' has eight, but across two words). */
const CONSONANTS_MIN = 6

/** Addresses that nobody reads. */
const NO_REPLY =
  /^(?:no|do-?not|donot|not)[-_.]?reply|[-_.]no-?reply$|^mailer-daemon$|^noresponder/i

/** Addresses of an office and not of a person. */
const ROLE =
  /^(?:info|support|sales|admin|administrator|contact|service|services|help|helpdesk|hello|team|office|news|newsletter|marketing|billing|account|accounts|security|notifications?|alerts?|updates?|mail|mailer|webmaster|postmaster|root|customer\W?service|kundenservice|orders?|shop|store|offers?|promo|promotions|press|jobs|hr|careers|members?|subscriptions?|invoice|notify|reply)$/i

/** What services number, beside the addresses of offices. */
const NUMBERED =
  /^(?:noreply|bounces?|tickets?|cases?|receipts?|statements?|calendar|reminders?|messages?|booking|bookings|reservations?)$/i

export function fromSignals(message: Message, facts: Arrived): Signal[] {
  const origin = originOf(message)
  if (origin.fromFields === 0) return [signal('FROM_MISSING'), ...replyToSignals(message, origin)]

  const found: Signal[] = []
  if (origin.fromFields > 1) found.push(signal('FROM_REPEATED', String(origin.fromFields)))
  if (origin.fromFields === 1 && origin.from.length > 1) {
    found.push(signal('FROM_SEVERAL', String(origin.from.length)))
  }
  if (origin.mailbox === undefined) found.push(signal('FROM_UNREADABLE'))
  else {
    found.push(...addressSignals(origin, origin.mailbox))
    found.push(...domainSignals(origin))
    found.push(...displayNameSignals(message, origin, origin.mailbox))
    found.push(...impostorSignals(message, origin, origin.mailbox, facts))
  }
  return [...found, ...replyToSignals(message, origin)]
}

function addressSignals(origin: Origin, mailbox: Mailbox): Signal[] {
  const found: Signal[] = []
  const { address, localPart } = mailbox
  if (origin.isFreeMail) {
    found.push(signal(origin.isSigned ? 'FROM_FREE_MAIL' : 'FROM_FREE_MAIL_UNSIGNED', address))
  }
  if (NO_REPLY.test(localPart)) found.push(signal('FROM_NO_REPLY', address))
  else if (ROLE.test(localPart)) found.push(signal('FROM_ROLE', address))
  if (isOfService(localPart)) return found
  if ((localPart.match(/\d/g)?.length ?? 0) >= LOCAL_DIGITS_MIN) {
    found.push(signal('FROM_ADDRESS_DIGITS', address))
  }
  if (hasConsonantRun(localPart)) found.push(signal('FROM_ADDRESS_RANDOM', address))
  return found
}

/** Characters of a local part that are looked at (RFC 5321 §4.5.3.1.1). */
const LOCAL_LENGTH_MAX = 64

/** What divides the words of a local part; of digits it divides none. */
const BETWEEN_WORDS = /[-_.+=]/

/**
 * Whether a service that numbers its messages, customers or cases writes from there: 'noreply-010203', 'ticket+84719'. A word
 * of an office stands by itself there, while a generator puts its digits behind a name.
 */
function isOfService(localPart: string): boolean {
  const start = localPart.slice(0, LOCAL_LENGTH_MAX)
  return (
    NO_REPLY.test(start) ||
    start.split(BETWEEN_WORDS).some((word) => ROLE.test(word) || NUMBERED.test(word))
  )
}

function hasConsonantRun(localPart: string): boolean {
  let run = 0
  for (const letter of localPart.toLowerCase()) {
    run = letter >= 'a' && letter <= 'z' && !'aeiouy'.includes(letter) ? run + 1 : 0
    if (run >= CONSONANTS_MIN) return true
  }
  return false
}

function domainSignals(origin: Origin): Signal[] {
  const found: Signal[] = []
  const { host } = origin
  const unicodeHost = host.includes('xn--') ? domainToUnicode(host) : host
  if (!/^[^.\s[\]]+(?:\.[^.\s[\]]+)+$/.test(host) || /\.\d+$/.test(host)) {
    return [signal('FROM_DOMAIN_INVALID', host)]
  }
  if (host !== origin.domain) found.push(signal('FROM_SUBDOMAIN', host))
  if (isCheapTopLevel(host)) found.push(signal('FROM_TOP_LEVEL_CHEAP', host))
  if (host.includes('xn--')) found.push(signal('FROM_DOMAIN_PUNYCODE', `${host} ${unicodeHost}`))
  if (unicodeHost.split('.').some(looksAscii)) {
    found.push(signal('FROM_DOMAIN_LOOKS_ASCII', unicodeHost))
  }
  const borrowed = borrowedBrand(unicodeHost, origin.domain)
  if (borrowed !== undefined) found.push(borrowed)
  return found
}

/** A brand in a domain that is not the brand's: as such, by look-alike letters, or by a slip. */
function borrowedBrand(host: string, domain: string): Signal | undefined {
  for (const label of host.split('.', HOST_LABELS_MAX)) {
    const mention = brandInLabel(label)
    if (mention === undefined || ownsDomain(mention.brand, domain)) continue
    const name = mention.lookAlike ? 'FROM_DOMAIN_LOOKS_LIKE_BRAND' : 'FROM_DOMAIN_HOLDS_BRAND'
    return signal(name, `${host}, ${mention.brand.name}`)
  }
  const near = brandNear(ownLabel(domain))
  if (near === undefined || ownsDomain(near, domain)) return undefined
  return signal('FROM_DOMAIN_NEAR_BRAND', `${host}, ${near.name}`)
}

/** Labels of a host that are looked at; honest hosts have up to six. */
const HOST_LABELS_MAX = 8
