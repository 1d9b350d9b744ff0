/** What models predict for a message that none of them was trained on. */
import { type AnalyseOptions, analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import type { Models, Thresholds } from '../../mail/models/models.ts'
import type { MessageClass } from '../../mail/models/prediction.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decide, modelledLogit } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { type Policy, policyFor } from '../../mail/verdict/policy.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../corpora/facts.ts'
import type { Example } from '../training/features.ts'

/** An example without what models are given of it: what a report may tell of it. */
export type Labelled = Omit<Example, 'text' | 'meta' | 'texts'>

export interface Outcome extends Labelled {
  readonly textProbability: number
  readonly metaProbability: number
  /** The probability of the verdict, at a prior of 50 %. */
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

/** The policy of a default installation. */
export function shippedPolicy(
  models: Pick<Models, 'fusion'>,
  threshold: keyof Thresholds = 'balanced',
): Policy {
  return policyFor(models, { threshold, spamPrior: 0.5, spamEntitled: true })
}

/**
 * The one place where the evaluation asks the models, as the service asks them: the worst reading
 * counts. Nobody is corrected for, and the sender is unknown, as in a default installation.
 */
export function judge(
  bytes: Uint8Array,
  models: Models,
  options: AnalyseOptions = {},
): { readonly analysis: Analysis; readonly verdict: Verdict } {
  const means = { knowledge: CORPUS_KNOWLEDGE }
  const analysis = analyse(memoryOctets(bytes), CORPUS_FACTS, models, { ...options, ...means })
  return { analysis, verdict: decide(analysis, NO_EVIDENCE, shippedPolicy(models)) }
}

export function outcomeOf(example: Example, bytes: Uint8Array, models: Models): Outcome {
  const { text: _text, meta: _meta, texts: _texts, ...labelled } = example
  const { analysis, verdict } = judge(bytes, models)
  const calledSpamBy = (threshold: keyof Thresholds) =>
    decide(analysis, NO_EVIDENCE, shippedPolicy(models, threshold)).isSpam
  return {
    ...labelled,
    textProbability: verdict.textSpamScore,
    metaProbability: verdict.metaSpamScore,
    spamProbability: verdict.spamProbability,
    spamLogit: modelledLogit(analysis, NO_EVIDENCE, shippedPolicy(models)),
    calledSpam: verdict.isSpam,
    calledSpamBy: {
      cautious: calledSpamBy('cautious'),
      balanced: verdict.isSpam,
      strict: calledSpamBy('strict'),
    },
    escalated: verdict.shouldEscalate,
    predictedClass: verdict.classification,
  }
}
