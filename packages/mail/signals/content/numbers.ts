/**
 * Signals from numbers that stand for something: an order, an invoice, a parcel, a login, a wallet, a price.
 * The number itself is never evidence: it is the reader's.
 */
import { type Signal, signal } from '../signal.ts'
import type { PhraseMatch } from './phrase-scanner.ts'
import { type Content, matchesOf, type PhraseGroup, phraseAt, pushPhrase } from './phrases.ts'

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

export function numberSignals(content: Content): Signal[] {
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
export function priceSignals(content: Content): Signal[] {
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
