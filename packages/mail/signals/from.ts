/**
 * Signals from From and Reply-To: who is named, at which address, and where the answer would go.
 *
 * Readers see the display name and often nothing else; the address can be anybody's. So most of
 * what is here compares the two: a name that is another address, a brand, or looks like one.
 */
import { domainToUnicode } from 'node:url'
import { wordSet } from '../data-table.ts'
import { isPublicAddress } from '../knowledge/network-table.ts'
import type { Mailbox } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { brandInLabel, brandInName, brandNear, ownsDomain } from './brands.ts'
import { tally } from './characters.ts'
import { domainOf, ownLabel } from './domains.ts'
import { fieldBodies, hostOfMailbox, isEncodedNeedlessly } from './fields.ts'
import { isCheapTopLevel, isFreeMail } from './host-lists.ts'
import { isOwnDomain, type Origin, originOf, recipientDomains } from './origin.ts'
import { type Arrived, type Signal, signal } from './signal.ts'
import { looksAscii, skeleton } from './skeleton.ts'

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

/**
 * Signals from the display name of From: most mail programs show it instead of the address.
 */

/** Letters a name needs for capitals to be shouting: 'IBM', 'ADAC' and initials are shorter. */
const CAPITALS_MIN = 6

/** Characters of a display name or local part that are looked at. Mail programs show some forty. */
const NAME_LENGTH_MAX = 256

/** Signals from the display name of `mailbox`, the one in From. */
function displayNameSignals(message: Message, origin: Origin, mailbox: Mailbox): Signal[] {
  const name = mailbox.displayName.slice(0, NAME_LENGTH_MAX).trim()
  if (name === '') return [signal('FROM_NAME_MISSING', mailbox.address)]

  const found: Signal[] = []
  const other = otherAddressInName(name, mailbox)
  if (other !== undefined) found.push(other)
  else {
    const named = otherDomainInName(message, name, origin.domain)
    if (named !== undefined)
      found.push(signal('FROM_NAME_OTHER_DOMAIN', `${named}, ${origin.domain}`))
  }
  found.push(...brandSignals(name, origin))

  const counted = tally(name)
  if (counted.upper >= CAPITALS_MIN && counted.lower === 0) {
    found.push(signal('FROM_NAME_CAPITALS', name))
  }
  if (counted.mixedWords.some(looksAscii)) found.push(signal('FROM_NAME_SCRIPTS_MIXED', name))
  if (counted.styled > 0) found.push(signal('FROM_NAME_STYLED', name))
  if (counted.pictographs > 0) found.push(signal('FROM_NAME_EMOJI', name))
  if (counted.invisibleInWords > 0) found.push(signal('FROM_NAME_INVISIBLE', name))
  if (isEncodedNeedlessly(message, 'from')) found.push(signal('FROM_ENCODED_NEEDLESSLY', name))
  if (name.includes(' via ')) found.push(signal('FROM_NAME_VIA', name))
  return found
}

const ADDRESS_IN_NAME =
  /[\p{L}\p{N}._%+-]{1,64}@([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5})/u

function otherAddressInName(name: string, mailbox: Mailbox): Signal | undefined {
  const read = asRead(name)
  const address = read.includes('@') ? ADDRESS_IN_NAME.exec(read)?.[0] : undefined
  if (address === undefined) return undefined
  return address === mailbox.address.toLowerCase()
    ? signal('FROM_NAME_IS_ADDRESS', name)
    : signal('FROM_NAME_OTHER_ADDRESS', `${address}, ${mailbox.address}`)
}

const PLAIN = /^[\x20-\x7e]*$/

/** `name` as people read it, in lower case: signs of other widths as plain ones, without what cannot be seen or stands around an '@'. */
function asRead(name: string): string {
  const shown = PLAIN.test(name)
    ? name
    : name
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .replaceAll('\u3002', '.')
  return shown.toLowerCase().replace(/ ?(?:@|\(at\)|\[at\]) ?/g, '@')
}

const DOMAIN_IN_NAME =
  /(?:^|[\s("'/@])((?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|de|fr|co\.uk|it|es|nl|eu|io|gov|edu|info|biz|ru|jp|cn|br|pl))(?=$|[\s)"'/,!:])/i

/** A domain in the display name that is not the sender's: 'paypal.com', 'www.example.org'. */
function otherDomainInName(message: Message, name: string, domain: string): string | undefined {
  const host = name.includes('.') ? DOMAIN_IN_NAME.exec(name)?.[1]?.toLowerCase() : undefined
  if (host === undefined) return undefined
  const named = domainOf(message, host)
  return named === domain || ownLabel(named) === ownLabel(domain) ? undefined : host
}

function brandSignals(name: string, origin: Origin): Signal[] {
  const mention = brandInName(name)
  if (mention === undefined) return []
  const evidence = `${name}, ${origin.domain}`
  if (mention.lookAlike) return [signal('FROM_NAME_LOOKS_LIKE_BRAND', evidence)]
  if (ownsDomain(mention.brand, origin.domain)) return [signal('FROM_NAME_OWN_BRAND', evidence)]
  return [signal('FROM_NAME_OTHER_BRAND', evidence)]
}

/**
 * Signals of a sender who passes for somebody of the recipients' own organisation: the managing director
 * who needs gift cards, the payroll office that needs a new account (business email compromise).
 *
 * To and Cc are all that is known of the organisation. Evidence has nothing of them.
 */

/** Who heads an organisation, in the words of those who pass for them. */
const EXECUTIVE = wordSet(`
  ceo cfo coo cto chairman chairwoman chairperson president director executive
  geschäftsführer geschäftsführerin geschäftsführung geschaeftsfuehrer geschaeftsfuehrung
  geschäftsleitung geschaeftsleitung vorstand vorstandsvorsitzender
  pdg directeur directrice dirigeant presidente direttore amministratore gerente
  direktor prezes dyrektor
`)

/** Letters of a domain's name that no first name has by chance: 'anna' writes to anna.example. */
const LABEL_LENGTH_MIN = 5

/** Signals of an impostor with the mailbox `mailbox`, the one in From. */
function impostorSignals(
  message: Message,
  origin: Origin,
  mailbox: Mailbox,
  { senderIp }: Pick<Arrived, 'senderIp'>,
): Signal[] {
  const found: Signal[] = []
  const isOutside = senderIp !== undefined && isPublicAddress(senderIp)
  if (isOutside && !origin.isSigned && isOwnDomain(message)) {
    found.push(signal('FROM_OWN_DOMAIN_OUTSIDE', senderIp))
  }
  if (!origin.isFreeMail) return found
  const name = mailbox.displayName.slice(0, NAME_LENGTH_MAX).toLowerCase()
  const localPart = mailbox.localPart.slice(0, NAME_LENGTH_MAX).toLowerCase()
  if ([name, localPart].some(claimsHead)) {
    found.push(signal('FROM_FREE_MAIL_EXECUTIVE', `${mailbox.displayName} ${mailbox.address}`))
  }
  if (beginsWithRecipient(message, name)) {
    found.push(signal('FROM_FREE_MAIL_AS_RECIPIENT', mailbox.address))
  }
  return found
}

function claimsHead(text: string): boolean {
  return text.split(/[^\p{L}]+/u).some((word) => EXECUTIVE.has(word))
}

/** 'Keller Bau Payroll' for keller-bau.example. 'Keller, Anna' is a person of that name. */
function beginsWithRecipient(message: Message, name: string): boolean {
  const [start = '', ...rest] = name.split(',')
  const letters = start.replace(/[^\p{L}\p{N}]+/gu, '')
  if (letters.length < LABEL_LENGTH_MIN) return false
  const labels = [...recipientDomains(message)]
    .filter((domain) => !isFreeMail(domain))
    .map((domain) => ownLabel(domain).replaceAll('-', ''))
  return labels.some(
    (label) =>
      label.length >= LABEL_LENGTH_MIN &&
      letters.startsWith(label) &&
      (rest.length === 0 || letters !== label),
  )
}

/**
 * Signals from Reply-To: where an answer would go, against where the message says it is from.
 */

/** Signals from the Reply-To fields of `message`, which is from `origin`. */
function replyToSignals(message: Message, origin: Origin): Signal[] {
  const fields = fieldBodies(message, 'reply-to').length
  if (fields === 0) return []

  const found: Signal[] = []
  if (fields > 1) found.push(signal('REPLY_TO_REPEATED', String(fields)))
  const mailbox = origin.replyTo.find((candidate) => candidate.domain !== '')
  if (mailbox === undefined) return [...found, signal('REPLY_TO_UNREADABLE')]
  if (origin.mailbox === undefined) return found
  return [...found, ...replyToAddressSignals(message, origin, mailbox, origin.mailbox)]
}

function replyToAddressSignals(
  message: Message,
  origin: Origin,
  replyTo: Mailbox,
  from: Mailbox,
): Signal[] {
  const evidence = `${replyTo.address}, ${from.address}`
  if (replyTo.address.toLowerCase() === from.address.toLowerCase()) {
    return [signal('REPLY_TO_SAME', replyTo.address)]
  }
  const host = hostOfMailbox(replyTo)
  const domain = domainOf(message, host)
  if (domain === origin.domain) {
    return [
      signal(origin.isFreeMail ? 'REPLY_TO_OTHER_FREE_MAIL' : 'REPLY_TO_SAME_DOMAIN', evidence),
    ]
  }

  const found: Signal[] = []
  if (isFreeMail(host) || isFreeMail(domain)) {
    found.push(
      signal(origin.isFreeMail ? 'REPLY_TO_OTHER_FREE_MAIL' : 'REPLY_TO_FREE_MAIL', evidence),
    )
  }
  // Invitations and payment notices are sent for somebody else and say so by their signature.
  found.push(
    signal(origin.isSigned ? 'REPLY_TO_OTHER_DOMAIN_SIGNED' : 'REPLY_TO_OTHER_DOMAIN', evidence),
  )
  if (looksTheSame(ownLabel(domain), ownLabel(origin.domain))) {
    found.push(signal('REPLY_TO_LOOKS_LIKE_FROM', evidence))
  }
  return found
}

function looksTheSame(a: string, b: string): boolean {
  return a !== b && skeleton(a) === skeleton(b)
}
