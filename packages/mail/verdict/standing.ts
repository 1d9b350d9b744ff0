/**
 * How sure a verdict is, in words. The words go by the threshold and not by the probability alone: with
 * the shipped threshold, mail of 94 % is no spam, and 'not spam, 94 %' would say the opposite.
 */

/** From certainly not spam to certainly spam. */
export const LEVELS = [
  'almost certainly not spam',
  'probably not spam',
  'suspicious',
  'probably spam',
  'almost certainly spam',
] as const

export type Level = (typeof LEVELS)[number]

/** Log-odds at both ends of the scale: 0.03 % and 99.97 %. */
const END = 8

/** Log-odds above the threshold at which the models are sure of spam, as for an allow without proof (docs/verdict.md). */
const SURE_OF_SPAM = 2

/** Log-odds below the middle at which they are sure of ham: 5 %. */
const SURE_OF_HAM = 3

/** Log-odds of the least doubt before a threshold that is itself below the middle. */
const DOUBT_MIN = 1

/** Log-odds below the threshold within which a message is just under it: its odds are at least a third of the threshold's. */
const JUST_UNDER = 1.1

/** Where a probability stands on the scale of words. */
export interface Standing {
  readonly level: Level
  /** In [0, 1], each level being a fifth. */
  readonly position: number
}

/** The standing of the probability of spam `spam` with `threshold`, both in [0, 1]. */
export function standingOf(spam: number, threshold: number): Standing {
  const cut = logOdds(threshold)
  const doubt = Math.min(0, cut - DOUBT_MIN)
  const borders = [doubt - SURE_OF_HAM, doubt, cut, cut + SURE_OF_SPAM]
  const at = logOdds(spam)
  // What is not above the threshold is no spam, whatever rounding makes of the logarithm.
  const index = spam > threshold ? (at > borders[3]! ? 4 : 3) : levelBelow(at, borders)
  const from = index === 0 ? Math.min(-END, borders[0]! - 1) : borders[index - 1]!
  const to = index === LEVELS.length - 1 ? Math.max(END, borders[3]! + 1) : borders[index]!
  const share = Math.min(1, Math.max(0, (at - from) / (to - from)))
  return { level: LEVELS[index]!, position: (index + share) / LEVELS.length }
}

/** Whether the models say of what is no spam that it is suspicious; what a rule, memory or feed decided is not. */
export function isInDoubt({
  spamProbability,
  threshold,
  bypassReason,
}: {
  readonly spamProbability: number
  readonly threshold: number
  readonly bypassReason: string | null
}): boolean {
  const isOfModels = bypassReason === null || bypassReason === 'parse_error'
  return isOfModels && standingOf(spamProbability, threshold).level === 'suspicious'
}

/** Whether a probability of spam that is not above the threshold nearly is. */
export function isJustUnder(spam: number, threshold: number): boolean {
  return logOdds(threshold) - logOdds(spam) <= JUST_UNDER
}

function levelBelow(at: number, [sureOfHam, doubt]: readonly number[]): 0 | 1 | 2 {
  if (at >= doubt!) return 2
  return at >= sureOfHam! ? 1 : 0
}

/** Bounded, so that 0 and 1 have a place too. */
export function logOdds(probability: number): number {
  const inner = Math.min(1 - 1e-9, Math.max(1e-9, probability))
  return Math.log(inner / (1 - inner))
}

/** '99.99 %': more digits towards the ends, never 0 or 100 unless it is. */
export function percent(probability: number): string {
  return `${percentage(probability)} %`
}

function percentage(probability: number): string {
  const distance = Math.min(probability, 1 - probability)
  if (distance === 0) return probability === 0 ? '0' : '100'
  if (distance < 5e-6) return probability < 0.5 ? '< 0.001' : '> 99.999'
  const digits = distance < 0.0001 ? 3 : distance < 0.01 ? 2 : 1
  return (probability * 100).toFixed(digits)
}
