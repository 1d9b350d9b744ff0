/**
 * Signals from what a message contains: facts by which mail of one class is known, an order number,
 * a one-time code, a price, a quoted reply, a patch.
 *
 * They serve the class of a message more than its being spam: spam imitates them all. Evidence is
 * the phrase that gave it away and never what stood beside it: codes and amounts are the reader's.
 */
import type { Message } from '../../message/message.ts'
import { fieldBody } from '../fields.ts'
import { type Signal, signal } from '../signal.ts'
import { subjectOf } from '../text.ts'
import type { PhraseMatch } from './phrase-scanner.ts'
import {
  type Content,
  contentOf,
  matchesOf,
  type PhraseGroup,
  phraseAt,
  purposeSignals,
  pushPhrase,
} from './phrases.ts'

export function contentSignals(message: Message): Signal[] {
  const content = contentOf(message)
  return [
    ...priceSignals(content),
    ...numberSignals(content),
    ...wordingSignals(content),
    ...purposeSignals(content),
    ...markupSignals(message),
    ...reportSignals(message),
    ...threadSignals(message, content),
  ]
}

/** Signals from set phrases: footers, greetings, requests, the signature. */
function wordingSignals(content: Content): Signal[] {
  const found: Signal[] = []
  pushPhrase(found, 'UNSUBSCRIBE_TEXT', content, 'unsubscribe')
  pushPhrase(found, 'COPYRIGHT_TEXT', content, 'copyright')
  pushPhrase(found, 'VIEW_IN_BROWSER', content, 'viewInBrowser')
  pushPhrase(found, 'GREETING_GENERIC', content, 'genericGreeting')
  pushPhrase(found, 'ACCOUNT_CONFIRMATION', content, 'accountConfirmation')
  if (matchesOf(content, 'sentFromPhone').some(({ start }) => isLineStart(content.text, start))) {
    found.push(signal('SENT_FROM_PHONE'))
  }
  // Two hyphens and a space on a line of their own (RFC 3676 §4.3); the space is often lost.
  if (content.text.includes('\n-- \n') || content.text.includes('\n--\n')) {
    found.push(signal('SIGNATURE_DELIMITER'))
  }
  return found
}

function isLineStart(text: string, start: number): boolean {
  return start === 0 || text[start - 1] === '\n'
}

/** schema.org types and their kin -> the signal, https://schema.org/docs/gs.html and Gmail's markup. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^(?:Order|OrderStatus|OrderItem)$/, 'ORDER_MARKUP'],
  [/^ParcelDelivery$/, 'PARCEL_MARKUP'],
  [/^Invoice$/, 'INVOICE_MARKUP'],
  [/Reservation$|^BoardingPass$|^Flight$/, 'RESERVATION_MARKUP'],
  [/^RsvpAction$|^(?:[A-Z][a-z]+)?Event$/, 'EVENT_MARKUP'],
  [/^(?:DiscountOffer|PromotionCard|SaleEvent)$/, 'OFFER_MARKUP'],
  [/Action$/, 'ACTION_MARKUP'],
]

/** Signals from markup for machines in HTML: an order, a parcel, a booking. */
function markupSignals(message: Message): Signal[] {
  const found: Signal[] = []
  const types = new Set(message.texts.flatMap((body) => body.html?.schemaTypes ?? []))
  if (types.size === 0) return found
  for (const [pattern, name] of MARKUP) {
    const type = [...types].find((candidate) => pattern.test(candidate))
    if (type !== undefined) found.push(signal(name, type))
  }
  return found
}

/** Subjects of automatic replies that say so nowhere else. */
const AUTO_REPLY_SUBJECT =
  /^\s*(?:auto(?:matic)?[ -]?(?:reply|response|matisch)|out of (?:the )?office|abwesenheit|automatische antwort|réponse automatique|respuesta automática|risposta automatica|automatisch antwoord|autosvar|автоответ|自动回复)/i

/** Signals from what programs answer: bounces, receipts, automatic replies, appointments. */
function reportSignals(message: Message): Signal[] {
  const found: Signal[] = []
  const types = new Set(message.parts.map((part) => part.type))
  if (types.has('message/delivery-status') || reportType(message) === 'delivery-status') {
    found.push(signal('DELIVERY_STATUS', 'report'))
  } else if (types.has('message/disposition-notification')) {
    found.push(signal('DISPOSITION_NOTIFICATION'))
  } else if (isPlainBounce(message)) {
    found.push(signal('DELIVERY_STATUS', 'subject'))
  }
  if (
    fieldBody(message, 'auto-submitted')?.toLowerCase().includes('auto-replied') ||
    fieldBody(message, 'x-autoreply') !== undefined ||
    fieldBody(message, 'x-autorespond') !== undefined ||
    AUTO_REPLY_SUBJECT.test(subjectOf(message))
  ) {
    found.push(signal('AUTO_REPLY'))
  }
  if (types.has('text/calendar') || message.attachments.some((it) => /\.ics$/i.test(it.fileName))) {
    found.push(signal('CALENDAR_INVITE'))
  }
  return found
}

function reportType(message: Message): string | undefined {
  return message.root.parameters.get('report-type')?.toLowerCase()
}

/** Bounces of old systems: no report inside, but from the mail system and saying so. */
function isPlainBounce(message: Message): boolean {
  const from = fieldBody(message, 'from') ?? ''
  return (
    /mailer-daemon@|postmaster@|mail delivery (?:sub)?system/i.test(from) &&
    /undeliver|failure|failed|returned|delivery|unzustellbar|non remis|delayed|warning/i.test(
      subjectOf(message),
    )
  )
}

/** Signals from what a message goes on from: a quotation, a thread, a patch under discussion. */
function threadSignals(message: Message, content: Content): Signal[] {
  const found: Signal[] = []
  if (quotes(content)) found.push(signal('QUOTED_REPLY'))
  if (fieldBody(message, 'in-reply-to') !== undefined) found.push(signal('REPLY_REFERENCED'))
  else if (fieldBody(message, 'references') !== undefined) found.push(signal('THREAD_REFERENCED'))
  if (holdsPatch(content.text)) found.push(signal('PATCH_OR_DIFF'))
  return found
}

/** 'Anna wrote:' at the end of a line, the rule above an original message, Outlook's head, or '>' lines. */
function quotes(content: Content): boolean {
  const { text } = content
  return (
    matchesOf(content, 'wrote').some(({ end }) =>
      /^[ \t\u00a0]{0,3}(?:\n|$)/.test(text.slice(end, end + 4)),
    ) ||
    matchesOf(content, 'forwarded').some(({ start }) =>
      /[-_]\s?$/.test(text.slice(Math.max(0, start - 2), start)),
    ) ||
    matchesOf(content, 'sentLine').some(({ end }) =>
      /\n\s?(?:to|an|à|para|a|aan|till|кому)\s?:/i.test(text.slice(end, end + OUTLOOK_LINE_MAX)),
    ) ||
    isInTwice(text, '\n>')
  )
}

function isInTwice(text: string, piece: string): boolean {
  const first = text.indexOf(piece)
  return first >= 0 && text.includes(piece, first + 1)
}

/** From the Sent line of a quoted head to the beginning of its To line. */
const OUTLOOK_LINE_MAX = 120

/** A unified diff, or the head of a patch that git made. */
function holdsPatch(text: string): boolean {
  return (
    text.includes('\ndiff --git a/') ||
    (text.includes('\nIndex: ') && text.includes('\n+++ ')) ||
    (text.includes('\n@@ -') && /\n@@ -\d{1,7}(?:,\d{1,7})? \+\d{1,7}/.test(text))
  )
}

/**
 * Signals from numbers that stand for something: an order, an invoice, a parcel, a login, a wallet, a price.
 * The number itself is never evidence: it is the reader's.
 */

/** Behind the word for what is numbered: 'number', a sign, and a token with four digits or more in it. */
const NUMBER_BEHIND =
  /^\p{L}{0,3}[\s.]{0,2}(?:confirmation\s?)?(?:number|no\b|nr\b|id\b|ref(?:erence)?\b|code|nummer|n[°ºo]|numéro|número|numero|номер|numarası|numarasi|番号)?[.:\s]{0,3}(?:is\s|lautet\s|est\s|es\s|è\s)?[#№]?\s?(?=[a-z0-9-]{0,12}\d)[a-z0-9-]{4,40}/iu

/** In such a token, so that '2025' or 'no-1' is none. */
const NUMBER_DIGITS_MIN = 4

/** Where such a token ends at the latest, behind the word. */
const NUMBER_LENGTH_MAX = 60

/** Carriers' numbers are long; years, ticket counts and sizes are not. */
const TRACKING_DIGITS_MIN = 8

/** A number with this many digits that begins with 19 or 20 is a year. */
const YEAR = /^(?:19|20)\d\d$/

/** UPS alone has numbers that are known by their form. */
const UPS_NUMBER = /\b1Z[A-Z0-9]{16}\b/

function numberSignals(content: Content): Signal[] {
  const { text } = content
  const found: Signal[] = []
  pushNumbered(found, 'ORDER_NUMBER', content, 'order', NUMBER_DIGITS_MIN)
  pushNumbered(found, 'INVOICE_NUMBER', content, 'invoice', NUMBER_DIGITS_MIN)
  pushNumbered(found, 'TRACKING_NUMBER', content, 'tracking', TRACKING_DIGITS_MIN)
  if (!found.some(({ name }) => name === 'TRACKING_NUMBER') && text.includes('1Z')) {
    if (UPS_NUMBER.test(text)) found.push(signal('TRACKING_NUMBER'))
  }
  const codeWord = oneTimeCodeWord(content)
  if (codeWord !== undefined) found.push(signal('ONE_TIME_CODE', codeWord))
  // Long tokens of letters and digits are everywhere; near these words they are addresses.
  if (matchesOf(content, 'cryptocurrency').length > 0 && CRYPTOCURRENCY_ADDRESS.test(text)) {
    found.push(signal('CRYPTOCURRENCY_ADDRESS'))
  }
  return found
}

/** Bitcoin (legacy and bech32) and Ethereum. */
const CRYPTOCURRENCY_ADDRESS =
  /\b(?:[13][a-km-zA-HJ-NP-Z1-9]{25,34}|bc1[a-z0-9]{25,59}|0x[0-9a-fA-F]{40})\b/

function pushNumbered(
  found: Signal[],
  name: string,
  content: Content,
  group: PhraseGroup,
  digitsMin: number,
): void {
  const match = matchesOf(content, group).find(({ end }) => {
    const token = NUMBER_BEHIND.exec(content.text.slice(end, end + NUMBER_LENGTH_MAX))?.[0]
    const number = token === undefined ? '' : (/[a-z0-9-]*$/i.exec(token)?.[0] ?? '')
    return number.replace(/[^0-9]+/g, '').length >= digitsMin && !YEAR.test(number)
  })
  if (match !== undefined) found.push(signal(name, phraseAt(content, match)))
}

/** How far from its word a code stands: a sentence or an empty line between. */
const CODE_DISTANCE_MAX = 80

/** Four to eight digits, alone, also in two groups of three; G-123456 as Google writes it. */
const CODE =
  /(?:^|[^\d$£€#.,:/-]|\bg-)(?:\d{4,8}|\d{3}[ -]\d{3})(?![\d/%-]|[.,:]\d|\s?(?:[%€$]|usd|eur))/i

function oneTimeCodeWord(content: Content): string | undefined {
  if (matchesOf(content, 'codePurpose').length === 0) return undefined
  const { text } = content
  const match = matchesOf(content, 'codeWord').find(({ start, end }) =>
    [
      text.slice(end, end + CODE_DISTANCE_MAX),
      text.slice(Math.max(0, start - CODE_DISTANCE_MAX), start),
    ].some(holdsCode),
  )
  return match === undefined ? undefined : phraseAt(content, match)
}

function holdsCode(piece: string): boolean {
  const code = CODE.exec(piece)?.[0]
  return code !== undefined && !YEAR.test(code.trim())
}

/** A receipt has a price, a tax and a total; a catalogue has more. */
const MANY_PRICES_MIN = 5

/** Before and behind the sign of a currency, what is looked at for a number. */
const AMOUNT_LENGTH_MAX = 24

/** Sums that no shop takes: seven digits, or a number with 'million'. */
const FORTUNE_BEHIND =
  /^\s?(?:\d{1,3}(?:[,. ]\d{3}){2}|\d{7,12}|\d{1,4}(?:[.,]\d{1,3})?\s?(?:m\b|mio|million|billion))/i
const FORTUNE_BEFORE = /(?:\b\d{1,3}(?:[,. ]\d{3}){2}|\b\d{7,12})(?:[.,]\d{2})?\s?$/

/** Signals from prices, discounts and sums of money. */
function priceSignals(content: Content): Signal[] {
  const { text } = content
  const found: Signal[] = []
  const currencies = [...matchesOf(content, 'currencySign'), ...matchesOf(content, 'currencyWord')]
  const prices = currencies.filter((match) => isPrice(text, match))
  if (prices.length > 0) found.push(signal('PRICE_MENTIONED'))
  if (prices.length >= MANY_PRICES_MIN) found.push(signal('PRICES_MANY'))
  if (prices.some((match) => isFortune(text, match)) || matchesOf(content, 'fortune').length > 0) {
    found.push(signal('FORTUNE_MENTIONED'))
  }
  if (matchesOf(content, 'discount').some(({ start }) => isDigitBefore(text, start))) {
    found.push(signal('DISCOUNT_MENTIONED'))
  }
  pushPhrase(found, 'COUPON_CODE', content, 'coupon')
  return found
}

/** A number stands right before or behind, with a space at most between. */
function isPrice(text: string, { start, end }: PhraseMatch): boolean {
  return isDigitBefore(text, start) || /^\s?\d/.test(text.slice(end, end + 2))
}

function isDigitBefore(text: string, start: number): boolean {
  return /\d\s?$/.test(text.slice(Math.max(0, start - 2), start))
}

function isFortune(text: string, { start, end }: PhraseMatch): boolean {
  return (
    FORTUNE_BEHIND.test(text.slice(end, end + AMOUNT_LENGTH_MAX)) ||
    FORTUNE_BEFORE.test(text.slice(Math.max(0, start - AMOUNT_LENGTH_MAX), start))
  )
}
