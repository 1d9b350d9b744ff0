/** What models give: probabilities, and the logits they come from. */

/** The message classes, in the order in which every array over classes has them. */
export const CLASSES = ['primary', 'promotions', 'updates', 'transactions'] as const

export type MessageClass = (typeof CLASSES)[number]

/** The prediction of a model with two outcomes, of which spam is the positive one. */
export interface Prediction {
  /** Calibrated log-odds of spam: ln(p / (1 - p)). */
  readonly logit: number
  /** Calibrated probability of spam, in [0, 1]. */
  readonly probability: number
}

/** The prediction of the tabs model; the four probabilities sum to 1. */
export type ClassProbabilities = Readonly<Record<MessageClass, number>>

/** By its name what `values` has for each of CLASSES. */
export function byClass(values: readonly number[]): ClassProbabilities {
  const [primary, promotions, updates, transactions] = values as [number, number, number, number]
  return { primary, promotions, updates, transactions }
}
