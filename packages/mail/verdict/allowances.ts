/**
 * What is taken from the log-odds of spam where the models are sure on little evidence: of a message without text, of
 * one that is encrypted, of the confirmation that a new account asks for, and of the appeal of a charity or a party.
 *
 * The two words of a subject weigh as much as a letter does, and training has hardly any mail of these kinds but the frauds in
 * the same dress. So the weights are stated (docs/decisions/0029-allowances.md): each has conditions that tell the one from the
 * other, and a bound, and takes no more than the models have found. None counts where the sender is not who it claims to be.
 */
import { readLists } from '../data-table.ts'
import type { Attachment, Message } from '../message/message.ts'
import { weigher } from '../models/logistic.ts'
import type { Models } from '../models/models.ts'
import type { MessageClass } from '../models/prediction.ts'
import type { ScoredReading, Worst } from '../models/worst-reading.ts'
import { kindPhrasesIn } from '../signals/content/phrases.ts'
import type { CountName } from '../signals/counts.ts'
import { isEncrypted } from '../signals/encrypted.ts'
import { isMailService } from '../signals/host-lists.ts'
import { webTargets } from '../signals/link-targets.ts'
import { originOf } from '../signals/origin.ts'
import type { Signal } from '../signals/signal.ts'
import { type SignalName, signalSet } from '../signals/table.ts'
import { hasMoreWords, readerText } from '../signals/text.ts'

const LISTS = readLists(new URL('allowances.tsv', import.meta.url), [
  'imposture',
  'personal',
  'bulk',
  'loud-subject',
  'money',
  'selling',
  'absence',
  'of-confirmation',
  'of-appeal',
])
// Each is a signal.
for (const names of Object.values(LISTS)) signalSet(...names)

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

function reasonOf(message: Message, signals: readonly Signal[]): AllowanceReason | undefined {
  if (isEncrypted(message)) return 'ENCRYPTED'
  const has = (names: ReadonlySet<SignalName>) => signals.some(({ name }) => names.has(name))
  if (has(LISTS.imposture)) return undefined
  const hasUnsubscribe = signals.some(({ name }) => name === 'LIST_UNSUBSCRIBE')
  if (
    isWithoutText(message) &&
    has(LISTS.personal) &&
    !has(LISTS.bulk) &&
    !has(LISTS['loud-subject'])
  )
    return 'NO_TEXT'
  if (!leadsHome(message)) return undefined
  if (!has(LISTS.money) && isConfirmation(message)) return 'CONFIRMATION'
  return hasUnsubscribe && !has(LISTS.selling) && isAppeal(message) ? 'APPEAL' : undefined
}

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
  ...LISTS.absence,
  ...([
    'subjectCharacters 0',
    'subjectWords 0',
    'subjectUpperShare 0',
  ] satisfies `${CountName} 0`[]),
])

/** By reason the features of how a message is made that are the same in the honest one and in the fraud. */
const OF_KIND: Readonly<Record<AllowanceReason, (name: string) => boolean>> = {
  NO_TEXT: isOfAbsence,
  ENCRYPTED: isOfAbsence,
  CONFIRMATION: (name) => LISTS['of-confirmation'].has(name),
  APPEAL: (name) => LISTS['of-appeal'].has(name),
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

// Kinds of mail whose class is stated, because training has most of their like in another: a security notice that asks
// its recipient to act is `primary`, not one of the notices of services, and the appeal of a charity or a party for
// donations is `promotions`, also where it reads like a letter (docs/verdict.md).

/** What is added to the log-odds of a class against the others. */
export interface ClassTerm {
  readonly class: MessageClass
  /** CLASS_TERM_LOGIT: the models' word stays where they are surer than 20 to 1. */
  readonly logit: number
}

const CLASS_TERM_LOGIT = 3

/** Characters of a notice at most, and of an appeal: what goes on is a manual or a policy, or a newsletter. */
const NOTICE_LENGTH_MAX = 2_000
const APPEAL_LENGTH_MAX = 1_000

/** News about security, an advisory of a list, an answer. */
const NO_NOTICE = signalSet(
  'LIST_ID',
  'LIST_UNSUBSCRIBE',
  'LIST_PRECEDENCE_BULK',
  'NEWSLETTER_WORDING',
  'SALE_WORDING',
  'ASKS_TO_BUY',
  'REPLY_REFERENCED',
  'THREAD_REFERENCED',
)

/** The term of `message`; undefined where it is of neither kind. */
export function classTermOf(
  message: Message,
  signals: readonly Signal[],
  allowance: Allowance | undefined,
): ClassTerm | undefined {
  const { length } = readerText(message)
  if (length > NOTICE_LENGTH_MAX) return undefined
  const names = new Set(signals.map(({ name }) => name))
  if (allowance?.reason === 'APPEAL' && length <= APPEAL_LENGTH_MAX) {
    return { class: 'promotions', logit: CLASS_TERM_LOGIT }
  }
  if ([...NO_NOTICE].some((name) => names.has(name))) return undefined
  if (webTargets(message).length === 0) return undefined
  const found = kindPhrasesIn(message)
  return found.has('credential') && found.has('mustAct')
    ? { class: 'primary', logit: CLASS_TERM_LOGIT }
    : undefined
}
