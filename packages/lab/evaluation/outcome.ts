/** What models predict for a message that none of them was trained on. */
import { escalates, fuse, type Thresholds } from '../../mail/models/fusion.ts'
import { predict } from '../../mail/models/logistic.ts'
import { logit } from '../../mail/models/logit.ts'
import { CLASSES, type MessageClass } from '../../mail/models/prediction.ts'
import { predictClasses } from '../../mail/models/softmax-regression.ts'
import type { Example } from '../training/features.ts'
import type { TrainedModels } from '../training/train.ts'

/** An example without its features: what a report may tell of it. */
export type Labelled = Omit<Example, 'text' | 'meta' | 'texts'>

export interface Outcome extends Labelled {
  readonly textProbability: number
  readonly metaProbability: number
  /** The fused probability, at a prior of 50 %. */
  readonly spamProbability: number
  /** The same in log-odds, which still tells apart probabilities that round to 1. */
  readonly spamLogit: number
  /** True above the shipped preset, `balanced`. */
  readonly calledSpam: boolean
  /** True above each preset. */
  readonly calledSpamBy: Readonly<Record<keyof Thresholds, boolean>>
  readonly escalated: boolean
  readonly predictedClass: MessageClass
}

/**
 * The one place where the evaluation asks the models: all of its figures come from here.
 *
 * Authentication is unknown, since features/ does not read it yet.
 */
export function outcomeOf(example: Example, models: TrainedModels): Outcome {
  const { text: textFeatures, meta: metaFeatures, texts: _texts, ...labelled } = example
  const text = predict(models.text, textFeatures)
  const meta = predict(models.meta, metaFeatures)
  const spam = fuse(models.fusion, text, meta)
  const classes = predictClasses(models.tabs, [textFeatures, metaFeatures])
  const { thresholds, escalation } = models.fusion
  const beyond = spam.logit - logit(thresholds.balanced)
  const disagreement = Math.abs(text.probability - meta.probability)
  return {
    ...labelled,
    textProbability: text.probability,
    metaProbability: meta.probability,
    spamProbability: spam.probability,
    spamLogit: spam.logit,
    calledSpam: spam.probability > thresholds.balanced,
    calledSpamBy: {
      cautious: spam.probability > thresholds.cautious,
      balanced: spam.probability > thresholds.balanced,
      strict: spam.probability > thresholds.strict,
    },
    escalated: escalates(escalation, beyond, disagreement),
    predictedClass: CLASSES.reduce((best, name) => (classes[name] > classes[best] ? name : best)),
  }
}
