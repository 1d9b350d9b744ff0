/**
 * What is taken from the log-odds of spam where the models are sure on little evidence: of a message without text, of
 * one that is encrypted, of the confirmation that a new account asks for, and of the appeal of a charity or a party to
 * its supporters.
 *
 * Each part of the text model's vector has its length however few words are in it, so that the two words of a subject,
 * or the one on a button, weigh as much as a letter does. And training has hardly any mail of these kinds but the frauds
 * in the same dress. So the weights are stated (docs/decisions/0029-allowances.md): each has conditions that tell the
 * one from the other, and a bound, and takes no more than the models have found. Where they find nothing there is
 * nothing to take, so that no allowance speaks for ham by itself. None counts where the sender is not who it claims to be.
 */

import type { Attachment, Message } from '../message/message.ts'
import { weigher } from '../models/logistic.ts'
import type { Models } from '../models/models.ts'
import type { ScoredReading, Worst } from '../models/worst-reading.ts'
import { kindPhrasesIn } from '../signals/content/kind-phrases.ts'
import type { CountName } from '../signals/counts.ts'
import { isEncrypted } from '../signals/encrypted.ts'
import { isMailService } from '../signals/host-lists.ts'
import { webTargets } from '../signals/link-targets.ts'
import { originOf } from '../signals/origin.ts'
import type { Signal } from '../signals/signal.ts'
import { type SignalName, signalSet } from '../signals/table.ts'
import { hasMoreWords, readerText } from '../signals/text.ts'
import type { SenderFinding } from './sender-term.ts'

/** Why something is taken. */
type AllowanceReason = 'NO_TEXT' | 'ENCRYPTED' | 'CONFIRMATION' | 'APPEAL'

/** What one allowance adds to the log-odds of spam. */
export interface Allowance {
  readonly kind: 'allowance'
  readonly reason: AllowanceReason
  /** At most 0, and at least that of ALLOWANCE_LOGITS. */
  readonly logit: number
}

/**
 * Bounds, in log-odds.
 *
 * - NO_TEXT: what the lack of a text adds (2.2 for a photo, 3.3 for one without subject), and of the words of the subject
 *   what is above SUBJECT_LOGIT_MAX. Spam in pictures has as much again for how it is made.
 * - ENCRYPTED: the same, and all that the words of the subject add. What can be read by nobody but whose key it was made
 *   for harms nobody else; it is escalated.
 * - CONFIRMATION: what the words add, and that there is one link, at a domain that few know. Real ones have up to 5.7 for
 *   their words, nearly all for the one on the button.
 * - APPEAL: the same. 'Donate today' stands in the appeal and in the fraud.
 */
export const ALLOWANCE_LOGITS: Readonly<Record<AllowanceReason, number>> = {
  NO_TEXT: -3.5,
  ENCRYPTED: -6,
  CONFIRMATION: -5,
  APPEAL: -2.5,
}

/** The allowance of a message; none where it is of none of the kinds. An encrypted one is of no other. */
export function allowanceOf(
  message: Message,
  { whole, decided }: Worst,
  models: Models,
): Allowance | undefined {
  const reason = reasonOf(message, whole.signals)
  if (reason === undefined) return undefined
  const words = models.fusion.textWeight * decided.text.logit
  const least = reason === 'NO_TEXT' ? SUBJECT_LOGIT_MAX : 0
  const taken =
    Math.max(0, words - least) + Math.max(0, metaLogit(decided, models, OF_KIND[reason]))
  return { kind: 'allowance', reason, logit: Math.max(ALLOWANCE_LOGITS[reason], -taken) }
}

/** What the allowance adds for this recipient. */
export function allowanceLogit(
  allowance: Allowance | undefined,
  sender: SenderFinding | undefined,
): number {
  return sender?.result === 'failed' ? 0 : (allowance?.logit ?? 0)
}

function reasonOf(message: Message, signals: readonly Signal[]): AllowanceReason | undefined {
  if (isEncrypted(message)) return 'ENCRYPTED'
  const has = (names: ReadonlySet<SignalName>) => signals.some(({ name }) => names.has(name))
  if (has(IMPOSTURE)) return undefined
  const hasUnsubscribe = signals.some(({ name }) => name === 'LIST_UNSUBSCRIBE')
  if (isWithoutText(message) && has(PERSONAL) && !has(BULK) && !has(LOUD_SUBJECT)) return 'NO_TEXT'
  if (!leadsHome(message)) return undefined
  if (!has(MONEY) && isConfirmation(message)) return 'CONFIRMATION'
  return hasUnsubscribe && !has(SELLING) && isAppeal(message) ? 'APPEAL' : undefined
}

/** What a sender has who passes for another, and a link or a page that is not what it seems. */
const IMPOSTURE = signalSet(
  'FROM_MISSING',
  'FROM_REPEATED',
  'FROM_UNREADABLE',
  'FROM_DOMAIN_INVALID',
  'FROM_TOP_LEVEL_CHEAP',
  'FROM_DOMAIN_LOOKS_ASCII',
  'FROM_DOMAIN_HOLDS_BRAND',
  'FROM_DOMAIN_LOOKS_LIKE_BRAND',
  'FROM_DOMAIN_NEAR_BRAND',
  'FROM_NAME_OTHER_ADDRESS',
  'FROM_NAME_OTHER_DOMAIN',
  'FROM_NAME_OTHER_BRAND',
  'FROM_NAME_LOOKS_LIKE_BRAND',
  'FROM_NAME_SCRIPTS_MIXED',
  'FROM_NAME_STYLED',
  'FROM_NAME_INVISIBLE',
  'REPLY_TO_FREE_MAIL',
  'REPLY_TO_OTHER_FREE_MAIL',
  'REPLY_TO_LOOKS_LIKE_FROM',
  'KNOWN_FROM_DISPOSABLE',
  'KNOWN_FROM_REPLY_ELSEWHERE',
  'KNOWN_FROM_SHARED_HOST',
  'LINK_IP_HOST',
  'LINK_LOOKS_ASCII',
  'LINK_LOOKS_LIKE_BRAND',
  'LINK_NEAR_BRAND',
  'LINK_USERINFO',
  'LINK_AUTHORITY_DISGUISED',
  'LINK_DOWNLOAD',
  'LINK_TEXT_OTHER_HOST',
  'LINK_DATA',
  'LINK_SCRIPT',
  'LINK_FILE',
  'HTML_FORM',
  'HTML_SCRIPT',
  'HTML_HIDDEN_LONG',
  'HTML_HIDDEN_MOST',
  'WORDS_INVISIBLE',
  'WORDS_STYLED',
  'WORDS_SCRIPTS_MIXED',
)

/** A sign that a mail program sent it, or that it is an answer; spam in pictures from programs of its own has none. */
const PERSONAL = signalSet(
  'MAILER_PERSONAL',
  'DKIM_ALIGNED',
  'REPLY_REFERENCED',
  'THREAD_REFERENCED',
)

/** What no person sends who sends a photo. */
const BULK = signalSet(
  'LIST_ID',
  'LIST_UNSUBSCRIBE',
  'LIST_PRECEDENCE_BULK',
  'LIST_FEEDBACK_ID',
  'LIST_CAMPAIGN_FIELD',
  'MAILER_PHP_SCRIPT',
  'MAILER_OBSOLETE',
  'RECIPIENTS_UNDISCLOSED',
  'RECIPIENTS_NONE',
)

/** A subject that says what the picture is to sell: it is the text. */
const LOUD_SUBJECT = signalSet(
  'SUBJECT_CURRENCY',
  'SUBJECT_PERCENT',
  'SUBJECT_EXCLAMATIONS',
  'SUBJECT_LINK',
  'SUBJECT_INVISIBLE',
  'SUBJECT_STYLED',
  'SUBJECT_SCRIPTS_MIXED',
  'SUBJECT_GAPPY',
  'SUBJECT_GAP',
  'FORTUNE_MENTIONED',
  'DISCOUNT_MENTIONED',
)

/** What nobody is owed who has just signed up. */
const MONEY = signalSet(
  'PRICE_MENTIONED',
  'PRICES_MANY',
  'TOTAL_PRICE',
  'PAYMENT_DUE',
  'FORTUNE_MENTIONED',
  'DISCOUNT_MENTIONED',
  'COUPON_CODE',
  'SUBJECT_CURRENCY',
  'CRYPTOCURRENCY_ADDRESS',
  'GREETING_GENERIC',
  'ATTACHMENT_ANY',
)

/** What is no appeal but a sale, a fraud about an account, or an answer to nothing. */
const SELLING = signalSet(
  'ASKS_TO_BUY',
  'COUPON_CODE',
  'DISCOUNT_MENTIONED',
  'CRYPTOCURRENCY_ADDRESS',
  'ACCOUNT_CONFIRMATION',
  'PASSWORD_WORDING',
  'SIGN_IN_WORDING',
  'SUBJECT_REPLY_UNREFERENCED',
  'SUBJECT_FORWARD_UNREFERENCED',
  'ATTACHMENT_ANY',
)

/** How much of the words of a message without text counts for spam: a subject alone makes none. */
const SUBJECT_LOGIT_MAX = 1

/** Words beside a file: a caption, or the line of a phone, 'Von meinem Samsung Galaxy Smartphone gesendet.'. Without a file they are the message. */
const CAPTION_WORDS_MAX = 8

/** Where the line leads that a phone's mail program puts below a message: pages of its maker. */
const PHONE_LINE_HOSTS: ReadonlySet<string> = new Set([
  'aka.ms',
  'go.microsoft.com',
  'proton.me',
  'overview.mail.yahoo.com',
])

/** Hardly a word, no picture from the web, nothing to follow, and no file but what a camera or a microphone makes. */
function isWithoutText(message: Message): boolean {
  return (
    !message.bodyUnread &&
    !hasMoreWords(readerText(message), message.attachments.length > 0 ? CAPTION_WORDS_MAX : 0) &&
    message.attachments.every(isPictureOrRecording) &&
    webTargets(message).every(({ host }) => PHONE_LINE_HOSTS.has(host)) &&
    message.texts.every(
      ({ html }) => html?.images.every(({ src }) => !/^\s*(?:https?:)?\/\//i.test(src)) ?? true,
    )
  )
}

/** The contact of a person counts too. Animated pictures do not: they were the paper of spam in pictures, and no camera makes them. */
function isPictureOrRecording({ type, fileName }: Attachment): boolean {
  if (type === 'application/octet-stream') {
    return /\.(?:jpe?g|png|hei[cf]|mp4|mov|m4a)$/i.test(fileName)
  }
  return /^(?:image\/(?!gif|svg)|audio\/|video\/|text\/(?:x-)?vcard$)/.test(type)
}

/** Every link leads to the sender's own domain, or counts clicks at a company that sends mail for others; there is one. */
function leadsHome(message: Message): boolean {
  const targets = webTargets(message)
  const { domain, isFreeMail } = originOf(message)
  return (
    domain !== '' &&
    !isFreeMail &&
    targets.every((target) => target.domain === domain || isMailService(target.domain)) &&
    targets.some((target) => target.domain === domain)
  )
}

/** A confirmation is short, in characters, and has one thing to do: its button, the same as an address, the sender's page, a way to get help. */
const CONFIRMATION_LENGTH_MAX = 1_000
const CONFIRMATION_LINKS_MAX = 6

function isConfirmation(message: Message): boolean {
  if (webTargets(message).length > CONFIRMATION_LINKS_MAX) return false
  if (readerText(message).length > CONFIRMATION_LENGTH_MAX) return false
  const found = kindPhrasesIn(message)
  return found.has('confirmAddress') && found.has('signedUp') && !found.has('accountThreat')
}

function isAppeal(message: Message): boolean {
  const found = kindPhrasesIn(message)
  return found.has('appeal') && !found.has('untraceablePayment')
}

/** Counts of a text that say nothing where there is none. */
const TEXT_COUNTS: readonly CountName[] = [
  'visibleCharacters',
  'words',
  'upperShare',
  'digitsShare',
  'spacesShare',
  'markupPerVisible',
]

/** What says that there is no text or no subject, or has to do with the link that a phone's line has. */
function isOfAbsence(name: string): boolean {
  return ABSENCE.has(name) || TEXT_COUNTS.some((count) => name.startsWith(`${count} `))
}

const ABSENCE: ReadonlySet<string> = new Set([
  ...signalSet(
    'MIME_IMAGE_ONLY',
    'MIME_BODY_EMPTY',
    'MIME_ENCRYPTED',
    'ATTACHMENT_LITTLE_TEXT',
    'SUBJECT_EMPTY',
    'SUBJECT_MISSING',
    'MIME_TINY_WITH_LINK',
    'LINK_SHORTENER',
    'LINK_NONE_OWN_DOMAIN',
    'KNOWN_LINKS_FEW',
    'KNOWN_LINK_REDIRECTOR',
  ),
  ...([
    'subjectCharacters 0',
    'subjectWords 0',
    'subjectUpperShare 0',
  ] satisfies `${CountName} 0`[]),
])

/** What every confirmation has: one thing to follow, at a domain that few know. */
const OF_CONFIRMATION = signalSet(
  'MIME_TINY_WITH_LINK',
  'KNOWN_LINKS_FEW',
  'LINK_SINGLE',
  'ASKS_TO_CONFIRM',
  'ACCOUNT_CONFIRMATION',
)

/** What every appeal has. */
const OF_APPEAL = signalSet(
  'MIME_TINY_WITH_LINK',
  'KNOWN_LINKS_FEW',
  'LINK_SINGLE',
  'ASKS_TO_GIVE',
  'PRICE_MENTIONED',
)

/** By reason the features of how a message is made that are the same in the honest one and in the fraud. */
const OF_KIND: Readonly<Record<AllowanceReason, (name: string) => boolean>> = {
  NO_TEXT: isOfAbsence,
  ENCRYPTED: isOfAbsence,
  CONFIRMATION: (name) => OF_CONFIRMATION.has(name),
  APPEAL: (name) => OF_APPEAL.has(name),
}

/** What the features that `isOfKind` picks add to the log-odds. */
function metaLogit(
  { metaVector }: ScoredReading,
  models: Models,
  isOfKind: (name: string) => boolean,
): number {
  const weightOf = weigher(models.meta)
  const perWeight = models.fusion.metaWeight * models.meta.calibration.slope
  let sum = 0
  for (const index of metaVector.indices) {
    if (isOfKind(models.metaNumbering.names[index]!)) sum += perWeight * weightOf(index)
  }
  return sum
}
