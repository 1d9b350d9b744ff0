/** What the service knows of a user who has made corrections: rules, a memory and personal deltas. */
import {
  decodeEventFeatures,
  type EventFeatures,
  encodeEventFeatures,
} from '../../../mail/features/event-features.ts'
import type { PersonalExample, PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { packMemory } from '../../../mail/personalization/memory.ts'
import { memoryVote } from '../../../mail/personalization/memory-votes.ts'
import { personalShift } from '../../../mail/personalization/personal-deltas.ts'
import { indexRules } from '../../../mail/personalization/rule-index.ts'
import { matchRules, UNKNOWN_SENDER, undisputedRules } from '../../../mail/personalization/rules.ts'
import type { Evidence } from '../../../mail/verdict/evidence.ts'
import { queryOf, type Remembered, senderRules, storedItem } from '../memory-items.ts'

/** A message that a user has called spam or not. */
export interface SpamCorrection {
  readonly message: EventFeatures & Remembered
  readonly spam: boolean
}

/** Evidence about a message for a user who has made these corrections, oldest first. */
export function evidenceAfter(
  corrections: readonly SpamCorrection[],
  training: PersonalTraining,
): (message: SpamCorrection['message']) => Evidence {
  const memory = packMemory(
    corrections
      .map(({ message, spam }, i) => storedItem(message, spamLabel(spam), String(i)))
      .toReversed(),
  )
  const newestFirst = corrections.toReversed().map(({ message, spam }) => ({ ...message, spam }))
  const automatic = senderRules(newestFirst, ({ spam }) => spamLabel(spam))
  const rules = indexRules([], undisputedRules(automatic, automatic))
  const deltas = training.train({
    spam: corrections.map(({ message, spam }) => exampleOf(message, spam ? 1 : 0)),
    tabs: [],
  })
  return (message) => {
    const query = queryOf(message)
    const sender = message.authentication ?? UNKNOWN_SENDER
    const vote = memoryVote(memory, query, sender)
    return {
      senderAuthenticated: sender.result === 'pass',
      ruleMatches: matchRules(rules, message.patterns, sender),
      ...(vote && { memoryVote: vote }),
      ...(deltas && { shift: personalShift(deltas, query.sparse) }),
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
  return { ...features, terms: queryOf(message).sparse, label }
}
