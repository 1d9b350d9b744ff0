/** Operating points, chosen on predictions for messages that the model was not trained on. */
import { type Escalation, escalates, type Thresholds } from '../../mail/models/models.ts'
import { logit, sigmoid } from '../../mail/models/prediction.ts'
import { isModern } from '../corpora/sets.ts'

/** A message left out of training and what was predicted for it. */
export interface LeftOut {
  readonly source: string
  readonly spam: boolean
  readonly textProbability: number
  readonly metaProbability: number
  /** Fused, at a prior of 50 %, of the whole or of the worst stretch: a message is lost by its worst reading. */
  readonly spamLogit: number
}

/** Share of ham that each preset may lose, the mean over modern sources. */
const HAM_LOSS: Readonly<Record<keyof Thresholds, number>> = {
  cautious: 0.001,
  balanced: 0.005,
  strict: 0.01,
}

/** How much of that the source that loses most may lose. */
const WORST_TO_MEAN = 2

/**
 * Share of a source's ham whose logits show how the rest thins out. Twice the largest loss at least;
 * with a tenth or a fifth the fit follows mail that is nowhere near a threshold.
 */
const TAIL = 0.05

/**
 * Share of mail that a person may be asked to look at, the mean over the modern sources of training.
 * A source that training has not seen is escalated some 0.8 times as often (docs/decisions/0027), and
 * 4 % is promised there.
 */
const ESCALATED_MAX = 0.045

/** Thresholds by the modern sources among `leftOut`; by all when there is none. */
export function chooseThresholds(leftOut: readonly LeftOut[]): Thresholds {
  const ham = ofToday(leftOut).filter(({ spam }) => !spam)
  const sources = [...Map.groupBy(ham, ({ source }) => source).values()]
  const tails = sources.map((own) => tailOf(own.map(({ spamLogit }) => spamLogit)))
  const threshold = (loss: number) => {
    const worst = Math.max(...tails.map((tail) => exceededBy(tail, WORST_TO_MEAN * loss)))
    return Math.max(0.5, sigmoid(Math.max(worst, exceededInTheMean(tails, loss))))
  }
  return {
    cautious: threshold(HAM_LOSS.cautious),
    balanced: threshold(HAM_LOSS.balanced),
    strict: threshold(HAM_LOSS.strict),
  }
}

/** Those of modern sources; all when there is none. */
export function ofToday<Message extends LeftOut>(leftOut: readonly Message[]): readonly Message[] {
  const modern = leftOut.filter(({ source }) => isModern(source))
  return modern.length > 0 ? modern : leftOut
}

/** The upper end of a distribution of logits: a share of `share` lies above `start`, by `scale` on average. */
interface Tail {
  readonly start: number
  readonly share: number
  readonly scale: number
}

/**
 * An exponential tail fitted to the largest TAIL of `logits`. In 160 ham a loss of 1 % is one or
 * two messages, and a threshold put between them would hang on a single odd one; the tail rests on
 * eight. Peaks over threshold: Coles, An Introduction to Statistical Modeling of Extreme Values (2001), ch. 4.
 */
function tailOf(logits: readonly number[]): Tail {
  const descending = logits.toSorted((a, b) => b - a)
  const count = Math.max(1, Math.floor(TAIL * logits.length))
  const start = descending[count] ?? descending.at(-1)!
  const excess = descending.slice(0, count).reduce((sum, value) => sum + value - start, 0)
  return { start, share: count / logits.length, scale: excess / count }
}

/** The logit above which a share of `share` lies. */
function exceededBy(tail: Tail, share: number): number {
  return tail.start + tail.scale * Math.log(tail.share / share)
}

/** Halvings of a range of logits: to some 1e-12 of it. */
const HALVINGS = 40

/** The logit above which `share` of the sources lies in the mean. */
function exceededInTheMean(tails: readonly Tail[], share: number): number {
  const alone = tails.map((tail) => exceededBy(tail, share))
  let low = Math.min(...alone)
  let high = Math.max(...alone)
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    const sum = tails.reduce((total, tail) => total + shareAbove(tail, middle), 0)
    if (sum > share * tails.length) low = middle
    else high = middle
  }
  return high
}

/** The share above a logit; that of the whole tail for one below it. */
function shareAbove({ start, share, scale }: Tail, logit: number): number {
  return logit <= start ? share : share * Math.exp((start - logit) / scale)
}

/**
 * The margin and the disagreement that escalate at most ESCALATED_MAX of the mail of today and hold
 * the most errors. Searched on a grid: both are coarse choices.
 */
export function chooseEscalation(all: readonly LeftOut[], threshold: number): Escalation {
  const leftOut = ofToday(all)
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
  escalation: Escalation,
): { escalated: number; held: number } {
  const at = logit(threshold)
  let escalated = 0
  let held = 0
  leftOut.forEach(({ spam, spamLogit, textProbability, metaProbability }, i) => {
    const disagreement = Math.abs(textProbability - metaProbability)
    if (!escalates(escalation, spamLogit - at, disagreement)) return
    escalated += weights[i]!
    if (spamLogit > at !== spam) held += weights[i]!
  })
  return { escalated, held }
}

/** Weights that sum to 1, each source having the same share. */
function sourcesAlike(messages: readonly LeftOut[]): Float64Array {
  const counts = new Map<string, number>()
  for (const { source } of messages) counts.set(source, (counts.get(source) ?? 0) + 1)
  return Float64Array.from(messages, ({ source }) => 1 / counts.get(source)! / counts.size)
}
