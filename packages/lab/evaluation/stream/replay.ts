/** A stream of mail: each message is judged, and then, at once, later or never, corrected. */

import { encodeEventFeatures } from '../../../mail/features/event-features.ts'
import { withDeltas } from '../../../mail/learning/deltas.ts'
import { exampleOf, type LearnEvent } from '../../../mail/learning/learn-event.ts'
import { OperatorLearning } from '../../../mail/learning/operator-learning.ts'
import { fuse } from '../../../mail/models/fusion.ts'
import { predict } from '../../../mail/models/logistic.ts'
import type { Models } from '../../../mail/models/models.ts'
import { randomSource } from '../../training/random.ts'
import type { StreamMessage, StreamVerdict } from './stream.ts'

/** How corrections come. */
export interface Feedback {
  /** Messages judged between a message and its correction; 0 for at once. */
  readonly delay: number
  /** Share of the messages that are corrected at all, drawn at random. */
  readonly share: number
}

export const AT_ONCE: Feedback = { delay: 0, share: 1 }

const SEED = 2005

/**
 * One verdict a message, by the promoted model as it was when the message came: all of it the
 * operator's word, without rules and memory.
 */
export function replay(
  base: Models,
  messages: readonly StreamMessage[],
  { delay, share }: Feedback,
): StreamVerdict[] {
  const training = new OperatorLearning(base)
  const models = withDeltas(base, { operator: training.promoted })
  const random = randomSource(SEED)
  const corrected = messages.map(() => random() < share)
  return messages.map((message, position) => {
    const verdict = judge(models, message)
    const due = position - delay
    if (corrected[due]) {
      const event = correctionOf(messages[due]!)
      training.train(event, exampleOf(event, base)!)
    }
    return verdict
  })
}

/** What `models` say of `message`. */
export function judge(models: Models, { text, meta, spam }: StreamMessage): StreamVerdict {
  const { fusion } = models
  const { logit, probability } = fuse(
    fusion,
    predict(models.text, text),
    predict(models.meta, meta),
  )
  return { score: logit, calledSpam: probability > fusion.thresholds.balanced, spam }
}

/** What the log would hold. Ids stand where the service has HMACs and random ones. */
export function correctionOf({ id, domain, spam, text, meta, at }: StreamMessage): LearnEvent {
  return {
    feedbackId: id,
    userId: 'operator',
    word: 'operator',
    kind: 'spam',
    label: spam ? 'spam' : 'ham',
    messageKey: Buffer.from(id),
    domainKey: Buffer.from(domain),
    features: encodeEventFeatures(text, meta),
    createdAt: at,
  }
}
