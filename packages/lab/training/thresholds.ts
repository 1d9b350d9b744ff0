/** Operating points, chosen on predictions for messages that the model was not trained on. */
import type { Escalation, Thresholds } from '../../mail/models/fusion.ts'
import { logit, sigmoid } from '../../mail/models/logit.ts'

/** A message left out of training and what was predicted for it. */
export interface LeftOut {
  readonly source: string
  readonly spam: boolean
  readonly textProbability: number
  readonly metaProbability: number
  /** Fused, at a prior of 50 %. */
  readonly spamLogit: number
}

/** Share of ham that each preset may lose, the mean over sources. */
const HAM_LOSS: Readonly<Record<keyof Thresholds, number>> = {
  cautious: 0.001,
  balanced: 0.005,
  strict: 0.01,
}

/**
 * Share of mail that a person may be asked to look at, the mean over the sources of training. A
 * source that training has not seen is escalated some 1.4 times as often (docs/evaluation.md), and
 * the promise is 5 % there.
 */
const ESCALATED_MAX = 0.035

export function chooseThresholds(leftOut: readonly LeftOut[]): Thresholds {
  return {
    cautious: thresholdFor(leftOut, HAM_LOSS.cautious),
    balanced: thresholdFor(leftOut, HAM_LOSS.balanced),
    strict: thresholdFor(leftOut, HAM_LOSS.strict),
  }
}

/** The lowest probability above which at most `loss` of the ham lies, sources weighing alike; never below 0.5. */
function thresholdFor(leftOut: readonly LeftOut[], loss: number): number {
  const ham = leftOut.filter((message) => !message.spam)
  const weights = sourcesAlike(ham)
  const order = ham.map((_, i) => i).sort((a, b) => ham[b]!.spamLogit - ham[a]!.spamLogit)
  let lost = 0
  for (const i of order) {
    lost += weights[i]!
    if (lost > loss) return Math.max(0.5, sigmoid(ham[i]!.spamLogit))
  }
  return 0.5
}

/**
 * The margin and the disagreement that escalate at most ESCALATED_MAX of the mail and hold the
 * most errors. Searched on a grid: both are coarse choices.
 */
export function chooseEscalation(leftOut: readonly LeftOut[], threshold: number): Escalation {
  const weights = sourcesAlike(leftOut)
  const margins = Array.from({ length: 61 }, (_, i) => i * 0.05)
  const disagreements = Array.from({ length: 21 }, (_, i) => 0.5 + i * 0.025)
  let best = { logitMargin: 0, disagreement: 1, held: -1 }
  for (const logitMargin of margins) {
    for (const disagreement of disagreements) {
      const { escalated, held } = escalationOutcome(leftOut, weights, threshold, {
        logitMargin,
        disagreement,
      })
      if (escalated <= ESCALATED_MAX && held > best.held) best = { logitMargin, disagreement, held }
    }
  }
  return { logitMargin: best.logitMargin, disagreement: best.disagreement }
}

/** Weighted shares of mail escalated, and of errors among what is escalated. */
function escalationOutcome(
  leftOut: readonly LeftOut[],
  weights: Float64Array,
  threshold: number,
  { logitMargin, disagreement }: Escalation,
): { escalated: number; held: number } {
  const at = logit(threshold)
  let escalated = 0
  let held = 0
  leftOut.forEach((message, i) => {
    const near = Math.abs(message.spamLogit - at) < logitMargin
    const apart = Math.abs(message.textProbability - message.metaProbability) > disagreement
    if (!near && !apart) return
    escalated += weights[i]!
    if (message.spamLogit > at !== message.spam) held += weights[i]!
  })
  return { escalated, held }
}

/** Weights that sum to 1, each source having the same share. */
function sourcesAlike(messages: readonly LeftOut[]): Float64Array {
  const counts = new Map<string, number>()
  for (const { source } of messages) counts.set(source, (counts.get(source) ?? 0) + 1)
  return Float64Array.from(messages, ({ source }) => 1 / counts.get(source)! / counts.size)
}
