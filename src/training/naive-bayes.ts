/**
 * Log-count ratios: how much likelier a feature is in spam than in ham. As scales of the
 * features in logistic regression they keep words that both labels share from taking part.
 * Wang and Manning, Baselines and Bigrams (ACL 2012).
 */
import type { LogisticSample } from './fit-logistic.ts'

/** Added to every count: a word seen once in training says little. */
const SMOOTHING = 1

/** ln((positive share + smoothing) / (negative share + smoothing)) of each feature. Shape (size,). */
export function logCountRatios(samples: readonly LogisticSample[], size: number): Float32Array {
  const positive = new Float64Array(size)
  const negative = new Float64Array(size)
  const totals = { positive: 0, negative: 0 }
  for (const { features, positive: isPositive, weight } of samples) {
    totals[isPositive ? 'positive' : 'negative'] += weight
    const counts = isPositive ? positive : negative
    for (const index of features.indices) counts[index]! += weight
  }
  return Float32Array.from(positive, (count, index) =>
    Math.log(
      (count + SMOOTHING) /
        (totals.positive + 2 * SMOOTHING) /
        ((negative[index]! + SMOOTHING) / (totals.negative + 2 * SMOOTHING)),
    ),
  )
}

/** `samples` with each feature's value multiplied by its scale. */
export function scaled(samples: readonly LogisticSample[], scales: Float32Array): LogisticSample[] {
  return samples.map((sample) => {
    const { size, indices, values } = sample.features
    const scaledValues = values.map((value, i) => value * scales[indices[i]!]!)
    return { ...sample, features: { size, indices, values: scaledValues } }
  })
}
