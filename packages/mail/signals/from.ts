/**
 * Signals from From and Reply-To. Readers see the display name and often nothing else, while the address can be anybody's. So most
 * of what is here compares the two: a name that is another address, a brand, or looks like one.
 */
import { domainToUnicode } from 'node:url'
import { isPublicAddress } from '../knowledge/network-table.ts'
import type { Mailbox } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { borrowedBrandSignals, brandInName, ownsDomain } from './brands.ts'
import { tally } from './characters.ts'
import { fieldBodies, hostOfMailbox, isEncodedNeedlessly } from './fields.ts'
import { isCheapTopLevel, isFreeMail } from './host-lists.ts'
import { isOwnDomain, type Origin, originOf, recipientDomains } from './origin.ts'
import { domainOf, ownLabel } from './per-message.ts'
import { type Arrived, raised, type Signal } from './signal.ts'
import { looksAscii, skeleton } from './skeleton.ts'
import { wordList } from './word-lists.ts'

/** 'anna1987' is a person; five digits and more come from a generator. */
const LOCAL_DIGITS_MIN = 5

/** Consonants in a row that no word has ('Angstschweiß' has eight, but across two words). */
const CONSONANTS = /[b-df-hj-np-tv-xz]{6}/i

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
  const { fromFields, from, mailbox } = origin
  const found = raised({
    FROM_MISSING: fromFields === 0,
    FROM_REPEATED: fromFields > 1 && fromFields,
    FROM_SEVERAL: fromFields === 1 && from.length > 1 && from.length,
    FROM_UNREADABLE: fromFields > 0 && mailbox === undefined,
  })
  if (mailbox !== undefined) {
    found.push(
      ...addressSignals(origin, mailbox),
      ...domainSignals(origin),
      ...displayNameSignals(message, origin, mailbox),
      ...impostorSignals(message, origin, mailbox, facts),
    )
  }
  return [...found, ...replyToSignals(message, origin)]
}

function addressSignals({ isFreeMail, isSigned }: Origin, mailbox: Mailbox): Signal[] {
  const { address, localPart } = mailbox
  const isNoReply = NO_REPLY.test(localPart)
  const isOther = !isOfService(localPart)
  const digits = localPart.match(/\d/g)?.length ?? 0
  return raised({
    FROM_FREE_MAIL: isFreeMail && isSigned && address,
    FROM_FREE_MAIL_UNSIGNED: isFreeMail && !isSigned && address,
    FROM_NO_REPLY: isNoReply && address,
    FROM_ROLE: !isNoReply && ROLE.test(localPart) && address,
    FROM_ADDRESS_DIGITS: isOther && digits >= LOCAL_DIGITS_MIN && address,
    FROM_ADDRESS_RANDOM: isOther && CONSONANTS.test(localPart) && address,
  })
}

/** Characters of a local part that are looked at (RFC 5321 §4.5.3.1.1). */
const LOCAL_LENGTH_MAX = 64

/** What divides the words of a local part; of digits it divides none. */
const BETWEEN_WORDS = /[-_.+=]/

/**
 * Whether a service that numbers its messages writes from there: 'noreply-010203', 'ticket+84719'. A generator puts its digits
 * behind a name.
 */
function isOfService(localPart: string): boolean {
  const start = localPart.slice(0, LOCAL_LENGTH_MAX)
  return (
    NO_REPLY.test(start) ||
    start.split(BETWEEN_WORDS).some((word) => ROLE.test(word) || NUMBERED.test(word))
  )
}

const BORROWED_BRAND = {
  holds: 'FROM_DOMAIN_HOLDS_BRAND',
  looksLike: 'FROM_DOMAIN_LOOKS_LIKE_BRAND',
  near: 'FROM_DOMAIN_NEAR_BRAND',
}

function domainSignals({ host, domain }: Origin): Signal[] {
  if (!/^[^.\s[\]]+(?:\.[^.\s[\]]+)+$/.test(host) || /\.\d+$/.test(host)) {
    return raised({ FROM_DOMAIN_INVALID: host })
  }
  const isPunycode = host.includes('xn--')
  const unicodeHost = isPunycode ? domainToUnicode(host) : host
  return [
    ...raised({
      FROM_SUBDOMAIN: host !== domain && host,
      FROM_TOP_LEVEL_CHEAP: isCheapTopLevel(host) && host,
      FROM_DOMAIN_PUNYCODE: isPunycode && `${host} ${unicodeHost}`,
      FROM_DOMAIN_LOOKS_ASCII: unicodeHost.split('.').some(looksAscii) && unicodeHost,
    }),
    ...borrowedBrandSignals(unicodeHost, domain, BORROWED_BRAND),
  ]
}

/** Letters a name needs for capitals to be shouting: 'IBM', 'ADAC' and initials are shorter. */
const CAPITALS_MIN = 6

/** Characters of a display name or local part that are looked at. Mail programs show some forty. */
const NAME_LENGTH_MAX = 256

/** Signals from the display name of `mailbox`, the one in From. */
function displayNameSignals(message: Message, origin: Origin, mailbox: Mailbox): Signal[] {
  const name = mailbox.displayName.slice(0, NAME_LENGTH_MAX).trim()
  if (name === '') return raised({ FROM_NAME_MISSING: mailbox.address })
  const named = addressInName(name)
  const isOwn = named === mailbox.address.toLowerCase()
  const domain = named === undefined ? otherDomainInName(message, name, origin.domain) : undefined
  const mention = brandInName(name)
  const isOwner = mention !== undefined && ownsDomain(mention.brand, origin.domain)
  const counted = tally(name)
  const asBrand = mention && `${name}, ${origin.domain}`
  return raised({
    FROM_NAME_IS_ADDRESS: isOwn && name,
    FROM_NAME_OTHER_ADDRESS: named !== undefined && !isOwn && `${named}, ${mailbox.address}`,
    FROM_NAME_OTHER_DOMAIN: domain && `${domain}, ${origin.domain}`,
    FROM_NAME_LOOKS_LIKE_BRAND: mention?.lookAlike && asBrand,
    FROM_NAME_OWN_BRAND: mention?.lookAlike === false && isOwner && asBrand,
    FROM_NAME_OTHER_BRAND: mention?.lookAlike === false && !isOwner && asBrand,
    FROM_NAME_CAPITALS: counted.upper >= CAPITALS_MIN && counted.lower === 0 && name,
    FROM_NAME_SCRIPTS_MIXED: counted.mixedWords.some(looksAscii) && name,
    FROM_NAME_STYLED: counted.styled > 0 && name,
    FROM_NAME_EMOJI: counted.pictographs > 0 && name,
    FROM_NAME_INVISIBLE: counted.invisibleInWords > 0 && name,
    FROM_ENCODED_NEEDLESSLY: isEncodedNeedlessly(message, 'from') && name,
    FROM_NAME_VIA: name.includes(' via ') && name,
  })
}

const ADDRESS_IN_NAME =
  /[\p{L}\p{N}._%+-]{1,64}@([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5})/u

function addressInName(name: string): string | undefined {
  const read = asRead(name)
  return read.includes('@') ? ADDRESS_IN_NAME.exec(read)?.[0] : undefined
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

const EXECUTIVE = wordList('executive')

/** Letters of a domain's name that no first name has by chance: 'anna' writes to anna.example. */
const LABEL_LENGTH_MIN = 5

/**
 * Signals of a sender who passes for somebody of the recipients' own organisation: the managing director who needs gift
 * cards, the payroll office that needs a new account (business email compromise). Evidence has nothing of To and Cc.
 */
function impostorSignals(
  message: Message,
  { isFreeMail, isSigned }: Origin,
  { address, displayName, localPart }: Mailbox,
  { senderIp }: Pick<Arrived, 'senderIp'>,
): Signal[] {
  const isOutside = senderIp !== undefined && isPublicAddress(senderIp)
  const [name = '', local = ''] = [displayName, localPart].map((text) =>
    text.slice(0, NAME_LENGTH_MAX).toLowerCase(),
  )
  return raised({
    FROM_OWN_DOMAIN_OUTSIDE: isOutside && !isSigned && isOwnDomain(message) && senderIp,
    FROM_FREE_MAIL_EXECUTIVE:
      isFreeMail && [name, local].some(claimsHead) && `${displayName} ${address}`,
    FROM_FREE_MAIL_AS_RECIPIENT: isFreeMail && beginsWithRecipient(message, name) && address,
  })
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

/** Signals from Reply-To: where an answer would go, against where the message says it is from. */
function replyToSignals(message: Message, origin: Origin): Signal[] {
  const fields = fieldBodies(message, 'reply-to').length
  if (fields === 0) return []
  const mailbox = origin.replyTo.find(({ domain }) => domain !== '')
  const found = raised({
    REPLY_TO_REPEATED: fields > 1 && fields,
    REPLY_TO_UNREADABLE: mailbox === undefined,
  })
  if (mailbox === undefined || origin.mailbox === undefined) return found
  return [...found, ...replyToAddressSignals(message, origin, mailbox, origin.mailbox)]
}

function replyToAddressSignals(
  message: Message,
  { domain: fromDomain, isFreeMail: isFromFreeMail, isSigned }: Origin,
  replyTo: Mailbox,
  from: Mailbox,
): Signal[] {
  const evidence = `${replyTo.address}, ${from.address}`
  if (replyTo.address.toLowerCase() === from.address.toLowerCase()) {
    return raised({ REPLY_TO_SAME: replyTo.address })
  }
  const host = hostOfMailbox(replyTo)
  const domain = domainOf(message, host)
  const isSame = domain === fromDomain
  const isFree = isSame ? isFromFreeMail : isFreeMail(host) || isFreeMail(domain)
  return raised({
    REPLY_TO_OTHER_FREE_MAIL: isFree && isFromFreeMail && evidence,
    REPLY_TO_SAME_DOMAIN: isSame && !isFree && evidence,
    REPLY_TO_FREE_MAIL: isFree && !isFromFreeMail && evidence,
    // Invitations and payment notices are sent for somebody else and say so by their signature.
    REPLY_TO_OTHER_DOMAIN_SIGNED: !isSame && isSigned && evidence,
    REPLY_TO_OTHER_DOMAIN: !isSame && !isSigned && evidence,
    REPLY_TO_LOOKS_LIKE_FROM:
      !isSame && looksTheSame(ownLabel(domain), ownLabel(fromDomain)) && evidence,
  })
}

function looksTheSame(a: string, b: string): boolean {
  return a !== b && skeleton(a) === skeleton(b)
}
