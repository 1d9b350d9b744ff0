/** Outcomes made by hand. */
import { logit } from '../../../mail/models/prediction.ts'
import type { Outcome } from '../../evaluation/outcome.ts'

/** A message of `source` to which the models gave `probability`; called spam above one half, by `cautious` above 0.9 and by `strict` above 0.3. */
export function outcome(
  source: string,
  id: string,
  spam: boolean,
  probability: number,
  more: Partial<Outcome> = {},
): Outcome {
  return {
    source,
    id,
    group: `${source} ${id}`,
    campaign: 0,
    spam,
    messageClass: undefined,
    textProbability: probability,
    metaProbability: probability,
    spamProbability: probability,
    spamLogit: logit(probability),
    calledSpam: probability > 0.5,
    calledSpamBy: {
      cautious: probability > 0.9,
      balanced: probability > 0.5,
      strict: probability > 0.3,
    },
    escalated: Math.abs(probability - 0.5) < 0.2,
    predictedClass: 'primary',
    ...more,
  }
}
