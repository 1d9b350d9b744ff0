/**
 * Logistic regression over sparse features, with calibration: the text and the meta model.
 * Bishop, Pattern Recognition and Machine Learning (2006), §4.3.2.
 */
import { TamisError } from '../../errors/errors.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { type Prediction, sigmoid } from './prediction.ts'

export interface LogisticModel {
  /** Shape (features,). */
  readonly weights: Quantised
  readonly bias: number
  readonly calibration: Calibration
  /** What was learned from the operator's corrections (learning/): added to the weights, the last to the bias. Shape (features + 1,). */
  readonly deltas?: Float32Array
  /** What was learned from corrections that users agree about. */
  readonly crowd?: CrowdDeltas
}

/** Deltas of which those of one message together count no further than `reach`. */
export interface CrowdDeltas {
  /** Added to the weights. The last row, of the bias, is zero. */
  readonly deltas: Float32Array
  /** How far a message is moved at most: a sum before calibration, above 0. */
  readonly reach: number
}

/**
 * The calibrated prediction for `features`: σ(slope · (w · x + bias) + intercept).
 *
 * @throws TamisError ARTIFACT_MISMATCH when the vector is not as long as the model's weights:
 *   it was made by another version of features/.
 */
export function predict(model: LogisticModel, features: SparseVector): Prediction {
  assertSameSize(model.weights.integers.length, features.size)
  let sum = model.bias + dot(model.weights, features)
  if (model.deltas !== undefined) sum += dotWithBias(model.deltas, features)
  if (model.crowd !== undefined)
    sum += withinReach(crowdSum(model.crowd, features), model.crowd.reach)
  const logit = calibrate(model.calibration, sum)
  return { logit, probability: sigmoid(logit) }
}

/** What the crowd's deltas of `features` add up to before calibration, whatever their reach. */
export function crowdSum({ deltas }: CrowdDeltas, features: SparseVector): number {
  return dotWithBias(deltas, features)
}

function withinReach(sum: number, reach: number): number {
  return Math.min(reach, Math.max(-reach, sum))
}

/** `model` without what users agree about. */
export function withoutCrowd({ crowd: _, ...model }: LogisticModel): LogisticModel {
  return model
}

/** What a feature of value 1 adds, before calibration and without what users agree about. */
export function weigher({ weights, deltas }: LogisticModel): (index: number) => number {
  const { integers, scale } = weights
  if (deltas === undefined) return (index) => integers[index]! * scale
  return (index) => integers[index]! * scale + deltas[index]!
}

/** What the features at positions from `start` on add up to, before bias and calibration and without what users agree about. */
export function partialSum(
  model: LogisticModel,
  { indices, values }: SparseVector,
  start: number,
): number {
  const weightOf = weigher(model)
  let sum = 0
  for (let i = start; i < indices.length; i++) sum += weightOf(indices[i]!) * values[i]!
  return sum
}

/** The prediction for features that add up to `sum`. */
export function predictFromSum(model: LogisticModel, sum: number): Prediction {
  const logit = calibrate(model.calibration, model.bias + (model.deltas?.at(-1) ?? 0) + sum)
  return { logit, probability: sigmoid(logit) }
}

/** What each feature adds to the calibrated logit, in step with `features.indices`; `rest` is bias and intercept. */
export function contributions(
  model: LogisticModel,
  features: SparseVector,
): { terms: Float64Array; rest: number } {
  const { slope, intercept } = model.calibration
  const { integers, scale } = model.weights
  const terms = new Float64Array(features.indices.length)
  for (let i = 0; i < terms.length; i++) {
    terms[i] = slope * scale * integers[features.indices[i]!]! * features.values[i]!
  }
  const rest = slope * model.bias + intercept
  const { deltas, crowd } = model
  if (crowd !== undefined) {
    const sum = crowdSum(crowd, features)
    // Beyond its reach each term counts for its share of it.
    const share = sum === 0 ? 0 : withinReach(sum, crowd.reach) / sum
    addTerms(terms, crowd.deltas, features, slope * share)
  }
  if (deltas === undefined) return { terms, rest }
  addTerms(terms, deltas, features, slope)
  return { terms, rest: rest + slope * deltas.at(-1)! }
}

function addTerms(
  terms: Float64Array,
  deltas: Float32Array,
  { indices, values }: SparseVector,
  factor: number,
): void {
  for (let i = 0; i < terms.length; i++) {
    terms[i]! += factor * deltas[indices[i]!]! * values[i]!
  }
}

function dot({ integers, scale }: Quantised, { indices, values }: SparseVector): number {
  let sum = 0
  for (let i = 0; i < indices.length; i++) sum += integers[indices[i]!]! * values[i]!
  return sum * scale
}

/** The dot product of `weights` and the features, plus the bias, which is the last of `weights`. */
function dotWithBias(weights: Float32Array, { indices, values }: SparseVector): number {
  let sum = weights.at(-1)!
  for (let i = 0; i < indices.length; i++) sum += weights[indices[i]!]! * values[i]!
  return sum
}

/** @throws TamisError ARTIFACT_MISMATCH when they differ. */
export function assertSameSize(weights: number, features: number): void {
  if (weights === features) return
  throw new TamisError(
    'ARTIFACT_MISMATCH',
    `The model has ${weights} weights, the message ${features} features`,
  )
}

/**
 * Affine calibration of the logit (Platt scaling): a model trained on few samples is too sure, and this
 * corrects it without changing the order of any two messages.
 * Platt, Probabilistic Outputs for Support Vector Machines (1999).
 */
export interface Calibration {
  /** Positive, so that the order is kept. */
  readonly slope: number
  readonly intercept: number
}

export function calibrate(calibration: Calibration, logit: number): number {
  return calibration.slope * logit + calibration.intercept
}

/**
 * Weights as 16-bit integers with one scale: half the bytes of floats, on disk and in the processor's
 * cache, where fetching a weight costs more than multiplying by it. They are precise to a 30,000th of
 * the largest weight, far finer than training can tell apart.
 */
export interface Quantised {
  /** In the service these are over shared memory, so that every worker reads one copy. */
  readonly integers: Int16Array
  /** What an integer is multiplied by. */
  readonly scale: number
}

const INT16_MAX = 32_767

export function quantise(weights: Float32Array): Quantised {
  let largest = 0
  for (const weight of weights) largest = Math.max(largest, Math.abs(weight))
  const scale = largest === 0 ? 1 : largest / INT16_MAX
  return { integers: Int16Array.from(weights, (weight) => Math.round(weight / scale)), scale }
}
