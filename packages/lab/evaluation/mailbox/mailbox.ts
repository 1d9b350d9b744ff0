/**
 * A new mailbox: its mail in some order, each message judged as the service judges it, and every
 * error corrected at once. What the user has corrected until then makes rules, a memory and, where
 * asked for, personal deltas.
 */
import {
  decodeEventFeatures,
  type EventFeatures,
  encodeEventFeatures,
} from '../../../mail/features/event-features.ts'
import type { LearningExample } from '../../../mail/learning/learn-event.ts'
import type { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { fuse } from '../../../mail/models/fusion.ts'
import { predict } from '../../../mail/models/logistic.ts'
import type { Models } from '../../../mail/models/models.ts'
import { CLASSES, type MessageClass } from '../../../mail/models/prediction.ts'
import { predictClasses } from '../../../mail/models/softmax-regression.ts'
import { packMemory, type StoredMemoryItem } from '../../../mail/personalization/memory.ts'
import { decodeMemoryItem } from '../../../mail/personalization/memory-item.ts'
import { classVote, memoryVote } from '../../../mail/personalization/memory-votes.ts'
import type { Patterns } from '../../../mail/personalization/patterns.ts'
import { personalShift } from '../../../mail/personalization/personal-deltas.ts'
import { indexRules } from '../../../mail/personalization/rule-index.ts'
import { matchRules, UNKNOWN_SENDER, undisputedRules } from '../../../mail/personalization/rules.ts'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import { decide } from '../../../mail/verdict/decide.ts'
import type { Evidence } from '../../../mail/verdict/evidence.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import { NO_SUMMARY } from '../../../mail/verdict/summary.ts'

export interface MailboxMessage extends EventFeatures {
  readonly spam: boolean
  /** The classes that a reader accepts, the best first; undefined where nobody has said. */
  readonly classes: readonly MessageClass[] | undefined
  readonly patterns: Patterns
  /** Embedding and terms, as the store keeps them. */
  readonly memory: Uint8Array
}

export interface MailboxVerdict {
  readonly spam: boolean
  readonly calledSpam: boolean
  /** Whether the class was one that a reader accepts; undefined for spam and where nobody has said. */
  readonly classRight: boolean | undefined
  /** How many corrections the user had made when the message came. */
  readonly corrections: number
}

/** The name of the one embedding that made all items. */
const EMBEDDING = 'measured'

/**
 * One verdict a message, in their order.
 *
 * @param training learns personal deltas; without it the user has rules and memory alone.
 */
export function walkMailbox(
  models: Models,
  policy: Policy,
  messages: readonly MailboxMessage[],
  training: PersonalTraining | undefined,
): MailboxVerdict[] {
  const spamErrors: MailboxMessage[] = []
  const classErrors: MailboxMessage[] = []
  let evidenceOf: (message: MailboxMessage) => Evidence = () => ({ senderAuthenticated: false })
  return messages.map((message) => {
    const { isSpam, classification } = decide(
      analysisOf(models, message),
      evidenceOf(message),
      policy,
    )
    const classRight = message.classes?.includes(classification)
    const corrections = spamErrors.length + classErrors.length
    if (isSpam !== message.spam) spamErrors.push(message)
    if (classRight === false) classErrors.push(message)
    if (spamErrors.length + classErrors.length > corrections) {
      evidenceOf = knownOf(spamErrors, classErrors, training)
    }
    return { spam: message.spam, calledSpam: isSpam, classRight, corrections }
  })
}

function analysisOf(models: Models, { text, meta }: MailboxMessage): Analysis {
  const textPrediction = predict(models.text, text)
  const metaPrediction = predict(models.meta, meta)
  const spam = fuse(models.fusion, textPrediction, metaPrediction)
  return {
    text: textPrediction,
    meta: metaPrediction,
    spam,
    wholeSpam: spam,
    unsignedShift: 0,
    tabs: predictClasses(models.tabs, [text, meta]),
    feedHits: [],
    summary: NO_SUMMARY,
    limitsReached: [],
    bodyUnread: false,
    textUnread: false,
    timing: { parse: 0, signals: 0, features: 0, models: 0 },
  }
}

/** What is known of a user who has made these corrections, as evidence about the next message. */
function knownOf(
  spamErrors: readonly MailboxMessage[],
  classErrors: readonly MailboxMessage[],
  training: PersonalTraining | undefined,
): (message: MailboxMessage) => Evidence {
  const spamItems = spamErrors.map((message, i) => storedItem(message, spamLabel(message), i))
  const spamMemory = packMemory(spamItems.toReversed())
  const classMemory = packMemory(
    classErrors.map((message, i) => storedItem(message, message.classes![0]!, i)).toReversed(),
  )
  const rules = rulesFrom(spamErrors)
  const deltas = training?.train({
    spam: spamErrors.map((message) => exampleOf(message, message.spam ? 1 : 0)),
    tabs: classErrors.map((message) => exampleOf(message, CLASSES.indexOf(message.classes![0]!))),
  })
  return (message) => {
    const query = { vector: vectorOf(message), embeddingModel: EMBEDDING, ...senderOf(message) }
    const spamVote = memoryVote(spamMemory, query, UNKNOWN_SENDER)
    const votedClass = classVote(classMemory, query)
    return {
      senderAuthenticated: false,
      ruleMatches: matchRules(rules, message.patterns, UNKNOWN_SENDER),
      ...(spamVote && { memoryVote: spamVote }),
      ...(votedClass && { classVote: votedClass }),
      ...(deltas && { shift: personalShift(deltas, message) }),
    }
  }
}

/** The Sender rules that the corrections make. */
function rulesFrom(corrected: readonly MailboxMessage[]) {
  const automatic = corrected.toReversed().flatMap((message, i) => {
    const { sender } = message.patterns
    if (sender === undefined) return []
    const made = { feedbackId: String(i), label: spamLabel(message), createdAt: new Date(0) }
    return [{ ...made, pattern: sender, senderKey: Buffer.from(sender) }]
  })
  return indexRules([], undisputedRules(automatic, automatic))
}

function spamLabel({ spam }: MailboxMessage): string {
  return spam ? 'spam' : 'ham'
}

function storedItem(message: MailboxMessage, label: string, position: number): StoredMemoryItem {
  const made = { feedbackId: String(position), embeddingModel: EMBEDDING, createdAt: new Date(0) }
  return { ...made, label, memory: message.memory, ...senderOf(message) }
}

function senderOf({ patterns: { sender } }: MailboxMessage): { readonly senderKey?: Uint8Array } {
  return sender === undefined ? {} : { senderKey: Buffer.from(sender) }
}

function vectorOf({ memory }: MailboxMessage) {
  const vector = decodeMemoryItem(memory)
  if (vector === undefined) throw new TypeError('An item that was just encoded cannot be decoded')
  return vector
}

/** What the log of corrections keeps of the message. */
function exampleOf({ text, meta }: MailboxMessage, label: number): LearningExample {
  return { ...decodeEventFeatures(encodeEventFeatures(text, meta), meta.size)!, label }
}
