/** What models predict for a message that none of them was trained on. */
import { analyse } from '../../mail/analyse.ts'
import { META_NUMBERING } from '../../mail/features/meta-features.ts'
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import type { Thresholds } from '../../mail/models/fusion.ts'
import type { Models } from '../../mail/models/models.ts'
import type { MessageClass } from '../../mail/models/prediction.ts'
import { decide } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { policyFor } from '../../mail/verdict/policy.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../corpora/facts.ts'
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
 * The one place where the evaluation asks the models, as the service asks them: the worst reading
 * counts. Nobody is corrected for, and the sender is unknown, as in a default installation.
 */
export function outcomeOf(example: Example, bytes: Uint8Array, models: Models): Outcome {
  const { text: _text, meta: _meta, texts: _texts, ...labelled } = example
  const analysis = analyse(memoryOctets(bytes), CORPUS_FACTS, models, {
    knowledge: CORPUS_KNOWLEDGE,
  })
  const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
  const verdict = decide(analysis, NO_EVIDENCE, policy)
  const { thresholds } = models.fusion
  return {
    ...labelled,
    textProbability: verdict.textSpamScore,
    metaProbability: verdict.metaSpamScore,
    spamProbability: verdict.spamProbability,
    spamLogit: analysis.spam.logit,
    calledSpam: verdict.isSpam,
    calledSpamBy: {
      cautious: verdict.spamProbability > thresholds.cautious,
      balanced: verdict.spamProbability > thresholds.balanced,
      strict: verdict.spamProbability > thresholds.strict,
    },
    escalated: verdict.shouldEscalate,
    predictedClass: verdict.classification,
  }
}

/** What training gives, as the service would read it from artifacts. */
export function servedModels(trained: TrainedModels): Models {
  return {
    ...trained,
    version: 'measured',
    featureVersion: FEATURE_VERSION,
    metaNumbering: META_NUMBERING,
  }
}
