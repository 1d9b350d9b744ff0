/**
 * A new mailbox: its mail in some order, each message judged as the service judges it, and every
 * error corrected at once; some users also confirm verdicts that are right. What the user has corrected until then makes rules, a memory and, where
 * asked for, personal deltas.
 */
import {
  decodeEventFeatures,
  type EventFeatures,
  encodeEventFeatures,
} from '../../../mail/features/event-features.ts'
import type { PersonalExample, PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { predict } from '../../../mail/models/logistic.ts'
import type { Models } from '../../../mail/models/models.ts'
import { CLASSES, type MessageClass } from '../../../mail/models/prediction.ts'
import { predictClasses } from '../../../mail/models/softmax-regression.ts'
import { packMemory } from '../../../mail/personalization/memory.ts'
import { classVote, memoryVote } from '../../../mail/personalization/memory-votes.ts'
import { personalShift } from '../../../mail/personalization/personal-deltas.ts'
import { indexRules } from '../../../mail/personalization/rule-index.ts'
import { matchRules, UNKNOWN_SENDER, undisputedRules } from '../../../mail/personalization/rules.ts'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import { decide } from '../../../mail/verdict/decide.ts'
import type { Evidence } from '../../../mail/verdict/evidence.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import { NO_SUMMARY } from '../../../mail/verdict/summary.ts'
import { fused } from '../letters.ts'
import { queryOf, type Remembered, senderRules, storedItem } from '../memory-items.ts'
import { replay } from '../replay.ts'

export interface MailboxMessage extends EventFeatures, Remembered {
  readonly spam: boolean
  /** The classes that a reader accepts, the best first; undefined where nobody has said. */
  readonly classes: readonly MessageClass[] | undefined
}

export interface MailboxVerdict {
  readonly spam: boolean
  readonly calledSpam: boolean
  /** Whether the class was one that a reader accepts; undefined for spam and where nobody has said. */
  readonly classRight: boolean | undefined
  /** How many errors the user had corrected when the message came. */
  readonly corrections: number
}

/**
 * One verdict a message, in their order.
 *
 * @param training learns personal deltas; without it the user has rules and memory alone.
 * @param confirmEvery of so many right verdicts about spam the user confirms one; without it none.
 */
export function walkMailbox(
  models: Models,
  policy: Policy,
  messages: readonly MailboxMessage[],
  training: PersonalTraining | undefined,
  confirmEvery = Number.POSITIVE_INFINITY,
): MailboxVerdict[] {
  let [errors, right] = [0, 0]
  const spamCorrections: SpamCorrection[] = []
  const classErrors: MailboxMessage[] = []
  let evidenceOf: (message: MailboxMessage) => Evidence = () => ({ senderAuthenticated: false })
  return replay(messages, {
    judge: (message) => {
      const { isSpam, classification } = decide(
        analysisOf(models, message),
        evidenceOf(message),
        policy,
      )
      const classRight = message.classes?.includes(classification)
      return { spam: message.spam, calledSpam: isSpam, classRight, corrections: errors }
    },
    correct: (message, { spam, calledSpam, classRight }) => {
      const isConfirmed = calledSpam === spam && ++right % confirmEvery === 0
      if (calledSpam !== spam || isConfirmed) spamCorrections.push({ message, spam })
      if (classRight === false) classErrors.push(message)
      if (calledSpam !== spam) errors++
      if (classRight === false) errors++
      if (calledSpam !== spam || classRight === false || isConfirmed) {
        evidenceOf = evidenceAfter(spamCorrections, classErrors, training)
      }
    },
  })
}

function analysisOf(models: Models, { text, meta }: MailboxMessage): Analysis {
  const spam = fused(models, { text, meta })
  return {
    text: predict(models.text, text),
    meta: predict(models.meta, meta),
    spam,
    wholeSpam: spam,
    fromDomain: 'other',
    tabs: predictClasses(models.tabs, [text, meta]),
    feedHits: [],
    summary: NO_SUMMARY,
    limitsReached: [],
    bodyUnread: false,
    textUnread: false,
    timing: { parse: 0, signals: 0, features: 0, models: 0 },
  }
}

/** A message that a user has called spam or not. */
export interface SpamCorrection {
  readonly message: EventFeatures & Remembered
  readonly spam: boolean
}

/** What is known of a user who has made these corrections, oldest first, as evidence about a message. */
export function evidenceAfter(
  spamCorrections: readonly SpamCorrection[],
  classErrors: readonly MailboxMessage[],
  training: PersonalTraining | undefined,
): (message: EventFeatures & Remembered) => Evidence {
  const spamMemory = packMemory(
    spamCorrections
      .map(({ message, spam }, i) => storedItem(message, spamLabel(spam), String(i)))
      .toReversed(),
  )
  const classMemory = packMemory(
    classErrors
      .map((message, i) => storedItem(message, message.classes![0]!, String(i)))
      .toReversed(),
  )
  const newestFirst = spamCorrections
    .toReversed()
    .map(({ message, spam }) => ({ ...message, spam }))
  const automatic = senderRules(newestFirst, ({ spam }) => spamLabel(spam))
  const rules = indexRules([], undisputedRules(automatic, automatic))
  const deltas = training?.train({
    spam: spamCorrections.map(({ message, spam }) => exampleOf(message, spam ? 1 : 0)),
    tabs: classErrors.map((message) => exampleOf(message, CLASSES.indexOf(message.classes![0]!))),
  })
  return (message) => {
    const query = queryOf(message)
    const sender = message.authentication ?? UNKNOWN_SENDER
    const spamVote = memoryVote(spamMemory, query, sender)
    const votedClass = classVote(classMemory, query)
    return {
      senderAuthenticated: sender.result === 'pass',
      ruleMatches: matchRules(rules, message.patterns, sender),
      ...(spamVote && { memoryVote: spamVote }),
      ...(votedClass && { classVote: votedClass }),
      ...(deltas && { shift: personalShift(deltas, query.vector.sparse) }),
    }
  }
}

function spamLabel(spam: boolean): string {
  return spam ? 'spam' : 'ham'
}

/** What the log of corrections keeps of the message. */
function exampleOf(message: EventFeatures & Remembered, label: number): PersonalExample {
  const { text, meta } = message
  const features = decodeEventFeatures(encodeEventFeatures(text, meta), meta.size)!
  return { ...features, terms: queryOf(message).vector.sparse, label }
}
