/**
 * Measures of a spam filter and of a classifier, on predictions for mail it was not trained on.
 * Definitions follow the TREC spam track (Cormack and Lynam, TREC 2005 Spam Track Overview).
 */

/** A score and whether the message is spam. */
export interface Scored {
  /** Any scale; higher is more like spam. */
  readonly score: number
  readonly spam: boolean
}

/**
 * 1-AUC in [0, 1]: the probability that a random ham scores above a random spam, ties counting
 * half. TREC gives it in percent as (1-ROCA)%. NaN when either label is absent.
 */
export function oneMinusAuc(scored: readonly Scored[]): number {
  const ascending = scored.toSorted((a, b) => a.score - b.score)
  let spamBelow = 0
  let inversions = 0
  for (let start = 0; start < ascending.length; ) {
    let end = start
    let spam = 0
    while (end < ascending.length && ascending[end]!.score === ascending[start]!.score) {
      if (ascending[end]!.spam) spam++
      end++
    }
    inversions += (end - start - spam) * (spamBelow + spam / 2)
    spamBelow += spam
    start = end
  }
  return inversions / (spamBelow * (scored.length - spamBelow))
}

/**
 * Share of spam scoring above the lowest threshold that loses at most `hamLoss` of the ham. With fewer
 * ham than 1 / `hamLoss`, none may be lost. NaN without spam.
 */
export function spamCaughtAt(scored: readonly Scored[], hamLoss: number): number {
  const ham = scored.filter((each) => !each.spam).toSorted((a, b) => b.score - a.score)
  const threshold = ham[Math.floor(hamLoss * ham.length)]?.score ?? Number.NEGATIVE_INFINITY
  return shareOf(
    scored.filter((each) => each.spam),
    (each) => each.score > threshold,
  )
}

/** Bins of equal width over [0, 1]. */
const CALIBRATION_BINS = 10

/**
 * Expected calibration error in [0, 1] of probabilities, spam and ham reweighted to 50:50; NaN
 * when either label is absent. Naeini, Cooper and Hauskrecht (AAAI 2015).
 */
export function calibrationError(scored: readonly Scored[]): number {
  const spamCount = scored.filter((each) => each.spam).length
  if (spamCount === 0 || spamCount === scored.length) return Number.NaN
  const bins = Array.from({ length: CALIBRATION_BINS }, () => ({ weight: 0, spam: 0, score: 0 }))
  for (const { score, spam } of scored) {
    const weight = 0.5 / (spam ? spamCount : scored.length - spamCount)
    const bin = bins[Math.min(CALIBRATION_BINS - 1, Math.floor(score * CALIBRATION_BINS))]!
    bin.weight += weight
    bin.spam += spam ? weight : 0
    bin.score += weight * score
  }
  return bins.reduce((error, { spam, score }) => error + Math.abs(spam - score), 0)
}

/** Mean over classes of the harmonic mean of precision and recall; classes without samples left out. */
export function macroF1(pairs: readonly { label: string; predicted: string }[]): number {
  const labels = [...new Set(pairs.map(({ label }) => label))]
  return meanOf(
    labels.map((name) => {
      const hits = pairs.filter((pair) => pair.label === name && pair.predicted === name).length
      const misses = pairs.filter((pair) => (pair.label === name) !== (pair.predicted === name))
      return (2 * hits) / (2 * hits + misses.length)
    }),
  )
}

/** Share of `items` for which `is` holds, in [0, 1]; NaN when there are none. */
export function shareOf<T>(items: readonly T[], is: (item: T) => boolean): number {
  return items.filter(is).length / items.length
}

/** The mean of `values`; NaN when there are none. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
