/**
 * Signals from set phrases that say what a message is for: what is asked of the reader, what is
 * told, and whether a person or a machine tells it.
 *
 * Each joins the languages, so that what is learned of mail in one is known of the others.
 */
import type { SignalDeclarations } from '../aspect.ts'
import { type Signal, signal } from '../signal.ts'
import type { SignalName } from '../signals.ts'
import type { PhraseGroup } from './phrases.ts'
import { type Content, matchesOf, pushPhrase } from './phrases-found.ts'

export const PURPOSE_SIGNALS = {
  ASKS_TO_BUY: {
    description: 'The reader is asked to buy or to book.',
    example: 'Shop now',
    since: '0.1.0',
  },
  ASKS_TO_GIVE: {
    description: 'The reader is asked for a donation.',
    example: 'Donate',
    since: '0.1.0',
  },
  ASKS_TO_JOIN: {
    description: 'The reader is asked to sign up, to try or to come back.',
    example: 'Start your free trial',
    since: '0.1.0',
  },
  ASKS_TO_READ: {
    description: 'The reader is asked to read, hear or watch on.',
    example: 'Continue reading',
    since: '0.1.0',
  },
  ASKS_TO_CONFIRM: {
    description: 'The reader is asked to follow a link to confirm, activate or reset something.',
    example: 'Click the link below to reset your password',
    since: '0.1.0',
  },
  INVITES_READER: {
    description: 'Somebody invites the reader or shares something with the reader.',
    example: 'Anna invited you to a project',
    since: '0.1.0',
  },
  SALE_WORDING: {
    description: 'The text presses the reader with an offer, its end or free delivery.',
    example: 'Last chance: free shipping',
    since: '0.1.0',
  },
  NEWSLETTER_WORDING: {
    description: 'The text calls itself a newsletter, a digest or an edition.',
    example: 'In this issue',
    since: '0.1.0',
  },
  PASSWORD_WORDING: {
    description: 'The text speaks of a password.',
    example: 'Your password was changed',
    since: '0.1.0',
  },
  SIGN_IN_WORDING: {
    description: 'The text tells of a login, a device or an IP address.',
    example: 'New sign-in from a new device',
    since: '0.1.0',
  },
  IF_NOT_YOU: {
    description: 'The text says what to do if the reader has not asked for it.',
    example: 'If you did not request this, ignore this email',
    since: '0.1.0',
  },
  PAYMENT_DUE: {
    description: 'The text says what is to be paid, or by when.',
    example: 'Amount due',
    since: '0.1.0',
  },
  TOTAL_PRICE: {
    description: 'A total or an amount stands before a number with a currency or cents.',
    example: 'Total: $19.99',
    since: '0.1.0',
  },
  PURCHASE_WORDING: {
    description: "The text is about the reader's order, payment, booking or bill.",
    example: 'Your order has shipped',
    since: '0.1.0',
  },
  ACTIVITY_WORDING: {
    description: 'The text tells what others wrote or did on a platform.',
    example: 'Anna commented on your post',
    since: '0.1.0',
  },
  SERVICE_WORDING: {
    description: 'The text is about terms, privacy, maintenance or an outage.',
    example: 'Scheduled maintenance',
    since: '0.1.0',
  },
  NO_REPLY_WORDING: {
    description: 'The text says that a machine wrote it or that nobody reads replies.',
    example: 'Please do not reply to this email',
    since: '0.1.0',
  },
  RECEIVED_BECAUSE: {
    description: 'The text says why the reader receives it, or at which address.',
    example: 'You are receiving this because you signed up',
    since: '0.1.0',
  },
  CASE_REFERENCE: {
    description: 'The text gives the reference of a case or a file, as offices do.',
    example: 'Our ref: 2025/118',
    since: '0.1.0',
  },
  ABSENCE_WORDING: {
    description: 'The text tells of an absence.',
    example: 'I am out of the office until Monday',
    since: '0.1.0',
  },
  CLOSING_FORMULA: {
    description: 'A line begins with the formula by which letters close.',
    example: 'Kind regards',
    since: '0.1.0',
  },
} satisfies SignalDeclarations

/** The signals of which a phrase anywhere is enough. */
const BY_PHRASE: readonly (readonly [SignalName, PhraseGroup])[] = [
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
