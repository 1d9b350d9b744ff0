/** Signals from prices, discounts and sums of money. */
import { type Signal, signal } from '../signal.ts'
import type { PhraseMatch } from './phrase-scanner.ts'
import { type Content, matchesOf, pushPhrase } from './phrases-found.ts'

/** A receipt has a price, a tax and a total; a catalogue has more. */
const MANY_PRICES_MIN = 5

/** Before and behind the sign of a currency, what is looked at for a number. */
const AMOUNT_LENGTH_MAX = 24

/** Sums that no shop takes: seven digits, or a number with 'million'. */
const FORTUNE_BEHIND =
  /^\s?(?:\d{1,3}(?:[,. ]\d{3}){2}|\d{7,12}|\d{1,4}(?:[.,]\d{1,3})?\s?(?:m\b|mio|million|billion))/i
const FORTUNE_BEFORE = /(?:\b\d{1,3}(?:[,. ]\d{3}){2}|\b\d{7,12})(?:[.,]\d{2})?\s?$/

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
