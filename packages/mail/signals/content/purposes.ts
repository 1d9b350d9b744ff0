/**
 * Signals from set phrases that say what a message is for: what is asked of the reader, what is
 * told, and whether a person or a machine tells it.
 *
 * Each joins the languages, so that what is learned of mail in one is known of the others.
 */
import { type Signal, signal } from '../signal.ts'
import { type Content, matchesOf, type PhraseGroup, pushPhrase } from './phrases.ts'

/** The signals of which a phrase anywhere is enough. */
const BY_PHRASE: readonly (readonly [string, PhraseGroup])[] = [
  ['ASKS_TO_BUY', 'buyCall'],
  ['ASKS_TO_GIVE', 'donationCall'],
  ['ASKS_TO_JOIN', 'subscribeCall'],
  ['ASKS_TO_READ', 'readCall'],
  ['ASKS_TO_CONFIRM', 'confirmCall'],
  ['INVITES_READER', 'invitation'],
  ['SALE_WORDING', 'saleText'],
  ['NEWSLETTER_WORDING', 'newsletter'],
  ['PASSWORD_WORDING', 'password'],
  ['SIGN_IN_WORDING', 'signIn'],
  ['IF_NOT_YOU', 'notYou'],
  ['PAYMENT_DUE', 'paymentDue'],
  ['PURCHASE_WORDING', 'purchase'],
  ['ACTIVITY_WORDING', 'activity'],
  ['SERVICE_WORDING', 'serviceNotice'],
  ['NO_REPLY_WORDING', 'noReply'],
  ['RECEIVED_BECAUSE', 'receivedBecause'],
  ['CASE_REFERENCE', 'caseReference'],
  ['ABSENCE_WORDING', 'absence'],
]

/** Where the number of a total ends at the latest, behind its word. */
const TOTAL_LENGTH_MAX = 40

/** A number with a currency before or behind it, or with two decimals. */
const AMOUNT =
  /[$£€¥₹₽₩₺]\s?\d|\d\s?[$£€¥₹₽₩₺円元원]|\d[.,]\d{2}(?!\d)|\d\s(?:kr|zł|kč|ft|lei|руб|грн|tl|rp|eur|usd|chf|sek|nok|dkk)/i

export const PURPOSE_SIGNALS = [
  ...BY_PHRASE.map(([name]) => name),
  'TOTAL_PRICE',
  'CLOSING_FORMULA',
]

export function purposeSignals(content: Content): Signal[] {
  const found: Signal[] = []
  for (const [name, group] of BY_PHRASE) pushPhrase(found, name, content, group)
  const { text } = content
  if (
    matchesOf(content, 'total').some(({ end }) =>
      AMOUNT.test(text.slice(end, end + TOTAL_LENGTH_MAX)),
    )
  ) {
    found.push(signal('TOTAL_PRICE'))
  }
  if (matchesOf(content, 'closing').some(({ start }) => isLineStart(text, start))) {
    found.push(signal('CLOSING_FORMULA'))
  }
  return found
}

function isLineStart(text: string, start: number): boolean {
  return start === 0 || /\n[ \t>]{0,3}$/.test(text.slice(Math.max(0, start - 4), start))
}
