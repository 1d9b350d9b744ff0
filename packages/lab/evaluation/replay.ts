/** Mail replayed to a filter: each message is judged, and then, at once, later or never, corrected. */
import { withDeltas } from '../../mail/learning/deltas.ts'
import { exampleOf } from '../../mail/learning/learn-event.ts'
import { OperatorLearning } from '../../mail/learning/operator-learning.ts'
import type { Models } from '../../mail/models/models.ts'
import { randomSource } from '../training/random.ts'
import { correctionOf, type DeliveredLetter, judgeLetter, type LetterVerdict } from './letters.ts'

/** How corrections come. */
export interface Feedback {
  /** Messages judged between a message and its correction; 0 for at once. */
  readonly delay: number
  /** Share of the messages that are corrected at all, drawn at random. */
  readonly share: number
}

export const AT_ONCE: Feedback = { delay: 0, share: 1 }

const SEED = 2005

/** What learns from corrections. */
export interface Replayed<Message, Verdict> {
  readonly judge: (message: Message) => Verdict
  /** Told of each message, right or wrong, when its correction is due. */
  readonly correct: (message: Message, verdict: Verdict) => void
}

/** One verdict a message, by what the filter had learned when it came. */
export function replay<Message, Verdict>(
  messages: readonly Message[],
  { judge, correct }: Replayed<Message, Verdict>,
  { delay, share } = AT_ONCE,
): Verdict[] {
  const random = randomSource(SEED)
  const corrected = messages.map(() => random() < share)
  const verdicts: Verdict[] = []
  messages.forEach((message, position) => {
    verdicts.push(judge(message))
    const due = position - delay
    if (corrected[due]) correct(messages[due]!, verdicts[due]!)
  })
  return verdicts
}

/** The promoted model that the operator's word moves: no rules, no memory. */
export function operatorCorrected(base: Models): Replayed<ReplayedLetter, LetterVerdict> {
  const training = new OperatorLearning(base)
  const models = withDeltas(base, { operator: training.promoted })
  return {
    judge: (letter) => judgeLetter(models, letter),
    correct: (letter) => {
      const { id, spam, at } = letter
      const said = { userId: 'operator', authority: 'operator', authenticated: false } as const
      // By its key a message is held out or learned from: the id itself, as the figures have it.
      const event = {
        ...correctionOf({ id, letter, spam, at, ...said }),
        messageKey: Buffer.from(id),
      }
      training.train(event, exampleOf(event, base)!)
    },
  }
}

type ReplayedLetter = Omit<DeliveredLetter, 'sample'>
