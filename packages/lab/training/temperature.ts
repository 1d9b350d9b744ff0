/** The temperature of a softmax model. Guo et al., On Calibration of Modern Neural Networks (2017). */
import { softmax } from '../../mail/models/logit.ts'

/** Temperatures tried; half as sure to four times as sure in steps of 5 %. */
const TEMPERATURES: readonly number[] = Array.from(
  { length: 43 },
  (_, i) => 0.25 * 1.05 ** (i * 1.5),
)

/** The one under which the labels are likeliest. `logits`: shape (samples, classes). */
export function fitTemperature(
  logits: readonly (readonly number[])[],
  labels: readonly number[],
  weights: Float64Array,
): number {
  const loss = (temperature: number) =>
    logits.reduce((sum, row, i) => {
      const probability = softmax(row.map((value) => value / temperature))[labels[i]!]!
      return sum - weights[i]! * Math.log(Math.max(probability, Number.MIN_VALUE))
    }, 0)
  const losses = TEMPERATURES.map(loss)
  return TEMPERATURES[losses.indexOf(Math.min(...losses))]!
}
