/**
 * Signals from set phrases that say what a message is for: what is asked of the reader, what is
 * told, and whether a person or a machine tells it.
 *
 * Each joins the languages, so that what is learned of mail in one is known of the others.
 */
import type { SignalDeclarations } from '../aspect.ts'
import { type Signal, signal } from '../signal.ts'
import type { PhraseGroup } from './phrases.ts'
import { type Content, matchesOf, pushPhrase } from './phrases-found.ts'

export const PURPOSE_SIGNALS = {
  ASKS_TO_BUY: `The reader is asked to buy or to book.
    Shop now`,
  ASKS_TO_GIVE: `The reader is asked for a donation.
    Donate`,
  ASKS_TO_JOIN: `The reader is asked to sign up, to try or to come back.
    Start your free trial`,
  ASKS_TO_READ: `The reader is asked to read, hear or watch more.
    Continue reading`,
  ASKS_TO_CONFIRM: `The reader is asked to follow a link to confirm, activate or reset something.
    Click the link below to reset your password`,
  INVITES_READER: `Someone invites the reader or shares something with the reader.
    Anna invited you to a project`,
  SALE_WORDING: `The text presses the reader with an offer, its end or free delivery.
    Last chance: free shipping`,
  NEWSLETTER_WORDING: `The text calls itself a newsletter, a digest or an edition.
    In this issue`,
  PASSWORD_WORDING: `The text mentions a password.
    Your password was changed`,
  SIGN_IN_WORDING: `The text mentions a login, a device or an IP address.
    New sign-in from a new device`,
  IF_NOT_YOU: `The text says what to do if the reader has not asked for it.
    If you did not request this, ignore this email`,
  PAYMENT_DUE: `The text says what is to be paid, or by when.
    Amount due`,
  TOTAL_PRICE: `A total or an amount comes before a number with a currency or cents.
    Total: $19.99`,
  PURCHASE_WORDING: `The text is about the reader's order, payment, booking or bill.
    Your order has shipped`,
  ACTIVITY_WORDING: `The text reports what others wrote or did on a platform.
    Anna commented on your post`,
  SERVICE_WORDING: `The text is about terms, privacy, maintenance or an outage.
    Scheduled maintenance`,
  NO_REPLY_WORDING: `The text says that a machine wrote it or that nobody reads replies.
    Please do not reply to this email`,
  RECEIVED_BECAUSE: `The text says why the reader receives it, or at which address.
    You are receiving this because you signed up`,
  CASE_REFERENCE: `The text gives the reference of a case or a file, as offices do.
    Our ref: 2025/118`,
  ABSENCE_WORDING: `The text mentions an absence.
    I am out of the office until Monday`,
  CLOSING_FORMULA: `A line begins with the formula by which letters close.
    Kind regards`,
} satisfies SignalDeclarations

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
