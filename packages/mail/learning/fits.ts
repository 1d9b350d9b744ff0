/** One correction moves deltas: logistic regression on the fused logit for spam, softmax regression for classes. */
import type { EventFeatures } from '../features/event-features.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { crowdSum, predict } from '../models/logistic.ts'
import { fuse, type Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { crowdMoves, predictClasses } from '../models/softmax-regression.ts'
import { type Deltas, type ModelDeltas, withDeltas } from './deltas.ts'
import type { LearningExample } from './learn-event.ts'

/** How far an example moves the weights. */
export interface Steps {
  readonly text: StepSize
  /** For the meta features and the bias. */
  readonly meta: StepSize
}

/**
 * Moves deltas towards the label of `example`: all of its features and the bias, or only the words that `wordsOf` returns.
 * `wordsOf` is not called if there is nothing to learn. Returns whether anything was moved.
 */
export type Fit = (
  example: LearningExample,
  wordsOf?: (example: LearningExample) => SparseVector,
) => boolean

/** Moves `deltas.text` and `deltas.meta`: both models learn from the error of the verdict. */
export function spamFit(
  base: Models,
  author: keyof Deltas,
  deltas: ModelDeltas,
  steps: Steps,
): Fit {
  const models = withDeltas(base, { [author]: deltas })
  const text = adagrad(deltas.text, steps.text)
  const meta = adagrad(deltas.meta, steps.meta)
  // By how much the fused logit grows with the sum of each model.
  const textSlope = base.fusion.textWeight * base.text.calibration.slope
  const metaSlope = base.fusion.metaWeight * base.meta.calibration.slope
  const { crowd } = models.text
  return (example, wordsOf) => {
    const error = robustError(spamProbability(models, example) - example.label)
    if (error === 0) return false
    // To move the words of a message that is at its bound would only move other mail.
    if (crowd && -Math.sign(error) * crowdSum(crowd, example.text) >= crowd.reach) return false
    const words = wordsOf?.(example)
    stepFeatures(text, words ?? example.text, error * textSlope, steps.text)
    if (words !== undefined) return words.indices.length > 0
    stepFeatures(meta, example.meta, error * metaSlope, steps.meta)
    // One bias serves the sum of both.
    stepOne(meta, deltas.meta.length - 1, error * metaSlope, steps.meta)
    return true
  }
}

/** Moves `deltas.tabs`. */
export function classFit(
  base: Models,
  author: keyof Deltas,
  deltas: ModelDeltas,
  steps: Steps,
): Fit {
  const { tabs } = withDeltas(base, { [author]: deltas })
  const learned = adagrad(deltas.tabs, steps.text)
  const stepRow = (row: number, slopes: readonly number[], value: number, size: StepSize) => {
    slopes.forEach((slope, c) => {
      stepOne(learned, row * CLASSES.length + c, slope * value, size)
    })
  }
  const stepRows = (
    offset: number,
    { indices, values }: SparseVector,
    slopes: readonly number[],
    size: StepSize,
  ) => {
    for (let i = 0; i < indices.length; i++) stepRow(offset + indices[i]!, slopes, values[i]!, size)
  }
  const isAtBound = ({ text, meta, label }: LearningExample) => {
    if (tabs.crowd === undefined) return false
    const moves = crowdMoves(tabs.crowd, [text, meta])
    return moves[label]! - Math.min(...moves) >= tabs.crowd.reach
  }
  return (example, wordsOf) => {
    const { text, meta, label } = example
    const probabilities = predictClasses(tabs, [text, meta])
    const errors = CLASSES.map((name, c) => probabilities[name] - (c === label ? 1 : 0))
    const error = errors[label]!
    const robust = robustError(error)
    if (robust === 0 || isAtBound(example)) return false
    const slopes = errors.map((each) => (each * robust) / error / base.tabs.temperature)
    const words = wordsOf?.(example)
    stepRows(0, words ?? text, slopes, steps.text)
    if (words !== undefined) return words.indices.length > 0
    stepRows(text.size, meta, slopes, steps.meta)
    stepRow(text.size + meta.size, slopes, 1, steps.meta)
    return true
  }
}

/** The fused probability of spam, at a prior of 50 %. */
export function spamProbability(models: Models, { text, meta }: EventFeatures): number {
  return fuse(models.fusion, predict(models.text, text), predict(models.meta, meta)).probability
}

/**
 * An error below this has no pull: what the model knows already changes nothing. Sculley and Wachman,
 * Relaxed Online SVMs for Spam Filtering (SIGIR 2007), call such a margin thick. The strictest
 * shipped threshold is a probability of 0.993.
 */
const ERROR_MIN = 0.01

/**
 * How strongly an example pulls at the weights, by its error e in [-1, 1]: 4 e (1 - |e|), the gradient of the squared error
 * of the probability (Brier, 1950), scaled to be e itself where the model is undecided. The gradient of the likelihood, e,
 * pulls hardest where the model is surest of the opposite, as with poisoned corrections; this one lets go there, and learns
 * from an honest stream as well (packages/lab/reports/stream, packages/lab/reports/learning).
 */
function robustError(error: number): number {
  const size = Math.abs(error)
  return size < ERROR_MIN ? 0 : 4 * error * (1 - size)
}

// One step of AdaGrad on sparse features: each delta has its own step, which shrinks with the
// gradients it has seen. Duchi, Hazan and Singer, JMLR 12 (2011).

/** The deltas that are learned, and for each the sum of its squared gradients. Same shapes. */
export interface Learned {
  readonly deltas: Float32Array
  readonly squares: Float32Array
}

export interface StepSize {
  /** Largest step of one delta. */
  readonly rate: number
  /** The initial value of the squares: the larger, the smaller the first steps. */
  readonly initialSquare: number
  /** The largest absolute value of a delta. */
  readonly deltaMax: number
}

/**
 * Pulls every delta that takes a step towards zero, that is towards the shipped model. On the stream
 * (packages/lab/reports/stream) values from 0 to 1e-4 make no difference, 1e-3 costs a tenth.
 */
const L2 = 1e-4

export function adagrad(deltas: Float32Array, { initialSquare }: StepSize): Learned {
  return { deltas, squares: new Float32Array(deltas.length).fill(initialSquare) }
}

/** Takes a step against the gradient `slope` · value for each feature. */
export function stepFeatures(
  learned: Learned,
  { indices, values }: SparseVector,
  slope: number,
  size: StepSize,
): void {
  for (let i = 0; i < indices.length; i++) stepOne(learned, indices[i]!, slope * values[i]!, size)
}

/** Takes such a step for one delta. */
export function stepOne(
  { deltas, squares }: Learned,
  index: number,
  slope: number,
  { rate, deltaMax }: StepSize,
): void {
  const gradient = slope + L2 * deltas[index]!
  squares[index]! += gradient * gradient
  const moved = deltas[index]! - (rate * gradient) / Math.sqrt(squares[index]!)
  deltas[index] = Math.min(deltaMax, Math.max(-deltaMax, moved))
}
