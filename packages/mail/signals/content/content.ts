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
import { numberSignals, priceSignals } from './numbers.ts'
import { type Content, contentOf, matchesOf, pushPhrase } from './phrases.ts'
import { purposeSignals } from './purposes.ts'

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
