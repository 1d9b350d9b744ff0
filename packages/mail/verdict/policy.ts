/** What the operator decides about verdicts: prior, threshold, and what the licence includes. */
import type { Escalation, Models, Thresholds } from '../models/models.ts'
import { logit, sigmoid } from '../models/prediction.ts'

/**
 * How far beyond the threshold the models are sure, in log-odds: such a message stays spam when only an
 * allow without proof of the sender speaks for it. Chosen on mail of sources left out of training: docs/verdict.md
 * has how much ham and spam is beyond it.
 */
export const SURE_LOGIT_MARGIN = 2

export interface PolicySettings {
  /** A preset, by the ham it may lose, or a probability. */
  readonly threshold: keyof Thresholds | number
  /** Share of spam in the operator's mail, in (0, 1). */
  readonly spamPrior: number
  readonly spamEntitled: boolean
}

export interface Policy {
  /** The probability under `spamPrior` above which a message is spam. */
  readonly threshold: number
  /** Log-odds of the prior: added to every model's fused logit. */
  readonly priorLogit: number
  readonly escalation: Escalation
  /** False when the licence covers classes only. */
  readonly spamEntitled: boolean
}

/**
 * The policy for `models` under the operator's settings.
 *
 * A preset promises a share of lost ham, which the prior does not change, so the threshold moves with the
 * prior. A number is a probability and stays as given.
 */
export function policyFor(
  { fusion: { thresholds, escalation } }: Pick<Models, 'fusion'>,
  settings: PolicySettings,
): Policy {
  const priorLogit = logit(settings.spamPrior)
  const threshold =
    typeof settings.threshold === 'number'
      ? settings.threshold
      : sigmoid(logit(thresholds[settings.threshold]) + priorLogit)
  return {
    threshold,
    priorLogit,
    escalation,
    spamEntitled: settings.spamEntitled,
  }
}
