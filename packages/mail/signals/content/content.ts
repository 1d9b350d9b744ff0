/**
 * Signals from what a message contains: facts by which mail of one class is known, an order number, a one-time code, a price, a quoted
 * reply. Evidence is the phrase that gave it away and never what stood beside it: codes and amounts are the reader's.
 */
import type { Message } from '../../message/message.ts'
import { fieldBody } from '../fields.ts'
import { raised, type Signal } from '../signal.ts'
import { subjectOf } from '../text.ts'
import type { PhraseMatch } from './phrase-scanner.ts'
import {
  type Content,
  contentOf,
  firstPhrase,
  matchesOf,
  phraseAt,
  purposeSignals,
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
  const { text } = content
  return raised({
    UNSUBSCRIBE_TEXT: firstPhrase(content, 'unsubscribe'),
    COPYRIGHT_TEXT: firstPhrase(content, 'copyright'),
    VIEW_IN_BROWSER: firstPhrase(content, 'viewInBrowser'),
    GREETING_GENERIC: firstPhrase(content, 'genericGreeting'),
    ACCOUNT_CONFIRMATION: firstPhrase(content, 'accountConfirmation'),
    SENT_FROM_PHONE: matchesOf(content, 'sentFromPhone').some(({ start }) =>
      /^$|\n/.test(text.slice(Math.max(0, start - 1), start)),
    ),
    // Two hyphens and a space on a line of their own (RFC 3676 §4.3); the space is often lost.
    SIGNATURE_DELIMITER: text.includes('\n-- \n') || text.includes('\n--\n'),
  })
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
function markupSignals({ texts }: Message): Signal[] {
  const types = [...new Set(texts.flatMap(({ html }) => html?.schemaTypes ?? []))]
  return MARKUP.flatMap(([pattern, name]) =>
    raised({ [name]: types.find((type) => pattern.test(type)) }),
  )
}

/** Subjects of automatic replies that say so nowhere else. */
const AUTO_REPLY_SUBJECT =
  /^\s*(?:auto(?:matic)?[ -]?(?:reply|response|matisch)|out of (?:the )?office|abwesenheit|automatische antwort|réponse automatique|respuesta automática|risposta automatica|automatisch antwoord|autosvar|автоответ|自动回复)/i

/** Signals from what programs answer: bounces, receipts, automatic replies, appointments. */
function reportSignals(message: Message): Signal[] {
  const types = new Set(message.parts.map(({ type }) => type))
  const reportType = message.root.parameters.get('report-type')?.toLowerCase()
  const isReport = types.has('message/delivery-status') || reportType === 'delivery-status'
  const isReceipt = !isReport && types.has('message/disposition-notification')
  const field = (name: string) => fieldBody(message, name)
  return raised({
    DELIVERY_STATUS: isReport ? 'report' : !isReceipt && isPlainBounce(message) && 'subject',
    DISPOSITION_NOTIFICATION: isReceipt,
    AUTO_REPLY:
      field('auto-submitted')?.toLowerCase().includes('auto-replied') ||
      field('x-autoreply') !== undefined ||
      field('x-autorespond') !== undefined ||
      AUTO_REPLY_SUBJECT.test(subjectOf(message)),
    CALENDAR_INVITE:
      types.has('text/calendar') ||
      message.attachments.some(({ fileName }) => /\.ics$/i.test(fileName)),
  })
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
  const isReply = fieldBody(message, 'in-reply-to') !== undefined
  return raised({
    QUOTED_REPLY: quotes(content),
    REPLY_REFERENCED: isReply,
    THREAD_REFERENCED: !isReply && fieldBody(message, 'references') !== undefined,
    PATCH_OR_DIFF: holdsPatch(content.text),
  })
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

/** Bitcoin (legacy and bech32) and Ethereum. */
const CRYPTOCURRENCY_ADDRESS =
  /\b(?:[13][a-km-zA-HJ-NP-Z1-9]{25,34}|bc1[a-z0-9]{25,59}|0x[0-9a-fA-F]{40})\b/

/** Signals from the numbers of an order, an invoice, a parcel, a login, a wallet. */
function numberSignals(content: Content): Signal[] {
  const { text } = content
  const hasWallet = matchesOf(content, 'cryptocurrency').length > 0
  return raised({
    ORDER_NUMBER: numberedWord(content, 'order', NUMBER_DIGITS_MIN),
    INVOICE_NUMBER: numberedWord(content, 'invoice', NUMBER_DIGITS_MIN),
    TRACKING_NUMBER:
      numberedWord(content, 'tracking', TRACKING_DIGITS_MIN) ??
      (text.includes('1Z') && UPS_NUMBER.test(text)),
    ONE_TIME_CODE: oneTimeCodeWord(content),
    // Long tokens of letters and digits are everywhere; near these words they are addresses.
    CRYPTOCURRENCY_ADDRESS: hasWallet && CRYPTOCURRENCY_ADDRESS.test(text),
  })
}

/** The first word of `group` with a number of so many digits behind it. */
function numberedWord(content: Content, group: string, digitsMin: number): string | undefined {
  const match = matchesOf(content, group).find(({ end }) => {
    const token = NUMBER_BEHIND.exec(content.text.slice(end, end + NUMBER_LENGTH_MAX))?.[0] ?? ''
    const number = /[a-z0-9-]*$/i.exec(token)?.[0] ?? ''
    return number.replace(/[^0-9]+/g, '').length >= digitsMin && !YEAR.test(number)
  })
  return match && phraseAt(content, match)
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
  return match && phraseAt(content, match)
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
  const currencies = [...matchesOf(content, 'currencySign'), ...matchesOf(content, 'currencyWord')]
  const prices = currencies.filter((match) => isPrice(text, match))
  const isFortunate = matchesOf(content, 'fortune').length > 0
  return raised({
    PRICE_MENTIONED: prices.length > 0,
    PRICES_MANY: prices.length >= MANY_PRICES_MIN,
    FORTUNE_MENTIONED: isFortunate || prices.some((match) => isFortune(text, match)),
    DISCOUNT_MENTIONED: matchesOf(content, 'discount').some((it) => isDigitBefore(text, it.start)),
    COUPON_CODE: firstPhrase(content, 'coupon'),
  })
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
