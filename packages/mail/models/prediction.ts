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

// Probabilities and their log-odds: the scale on which evidence adds up.

/** Beyond this a float32 probability is 0 or 1, and its logit has no meaning: e^-30 is about 1e-13. */
const LOGIT_MAX = 30

/** 1 / (1 + e^-logit), split by sign so that the exponential never overflows. */
export function sigmoid(logit: number): number {
  if (logit >= 0) return 1 / (1 + Math.exp(-logit))
  const odds = Math.exp(logit)
  return odds / (1 + odds)
}

/** ln(p / (1 - p)), in [-LOGIT_MAX, LOGIT_MAX] also for p = 0 and p = 1. */
export function logit(probability: number): number {
  const odds = Math.log(probability) - Math.log1p(-probability)
  return Math.max(-LOGIT_MAX, Math.min(LOGIT_MAX, odds))
}

/** e^x / Σ e^x, shifted by the largest so that no exponential overflows. Shape as `logits`. */
export function softmax(logits: readonly number[]): number[] {
  const largest = Math.max(...logits)
  const exponentials = logits.map((value) => Math.exp(value - largest))
  const sum = exponentials.reduce((total, value) => total + value, 0)
  return exponentials.map((value) => value / sum)
}

/** What `terms` add up to. */
export function sumOf(terms: readonly { readonly logit: number }[]): number {
  return terms.reduce((sum, { logit }) => sum + logit, 0)
}
