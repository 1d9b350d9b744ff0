/**
 * Fits logistic regression on sparse features by stochastic gradient descent with AdaGrad:
 * each weight has its own step, which shrinks with the gradients it has seen, so that the weights of
 * rare words move as fast as those of common ones. Duchi, Hazan and Singer, JMLR 12 (2011).
 */
import type { SparseVector } from '../../mail/features/sparse-vector.ts'
import { sigmoid } from '../../mail/models/prediction.ts'
import { randomSource, shuffledIndices } from './random.ts'

/** A training sample of a model with two outcomes. */
export interface LogisticSample {
  readonly features: SparseVector
  readonly positive: boolean
  /** How much it counts; the mean over all samples is to be about 1. */
  readonly weight: number
}

export interface FitOptions {
  readonly epochs: number
  readonly learningRate: number
  /** Strength of the L2 penalty, applied where a feature occurs. */
  readonly l2: number
  readonly seed: number
}

export interface LogisticOptions extends FitOptions {
  /** False: no bias is learned, and a sample without features has even odds. */
  readonly hasBias: boolean
}

/** What is known of weights before any sample is seen: shapes (size,), in log-odds of the model before calibration. */
export interface WeightPriors {
  /** From where a weight starts, and towards which the penalty pulls it: the mean of a Gaussian prior. */
  readonly expected: Float32Array
  /** After each step a weight is moved to the nearer of these where it has left them. */
  readonly least: Float32Array
  readonly most: Float32Array
}

/** Keeps AdaGrad's first step finite. */
const EPSILON = 1e-8

/** Weights of shape (size,) and bias, 0 where it has none; the same for the same samples in the same order. */
export function fitLogistic(
  samples: readonly LogisticSample[],
  size: number,
  { epochs, learningRate, l2, seed, hasBias }: LogisticOptions,
  priors?: WeightPriors,
): { weights: Float32Array; bias: number } {
  const weights = priors?.expected.slice() ?? new Float32Array(size)
  const squares = new Float32Array(size)
  let bias = 0
  let biasSquare = 0
  const random = randomSource(seed)
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const position of shuffledIndices(samples.length, random)) {
      const { features, positive, weight } = samples[position]!
      const { indices, values } = features
      let sum = bias
      for (let i = 0; i < indices.length; i++) sum += weights[indices[i]!]! * values[i]!
      const error = (sigmoid(sum) - (positive ? 1 : 0)) * weight
      for (let i = 0; i < indices.length; i++) {
        const index = indices[i]!
        const pull = l2 * (weights[index]! - (priors?.expected[index] ?? 0))
        const gradient = error * values[i]! + pull
        const square = squares[index]! + gradient * gradient
        squares[index] = square
        weights[index]! -= (learningRate * gradient) / (Math.sqrt(square) + EPSILON)
        if (priors !== undefined) weights[index] = within(priors, index, weights[index]!)
      }
      if (!hasBias) continue
      biasSquare += error * error
      bias -= (learningRate * error) / (Math.sqrt(biasSquare) + EPSILON)
    }
  }
  return { weights, bias }
}

function within({ least, most }: WeightPriors, index: number, weight: number): number {
  return Math.min(most[index]!, Math.max(least[index]!, weight))
}

/**
 * Fits logistic regression on a handful of dense inputs by Newton's method: calibration (one
 * input) and fusion (two). Bishop (2006), §4.3.3, iterative reweighted least squares.
 */

export interface DenseSample {
  /** Shape (inputs,). */
  readonly inputs: readonly number[]
  readonly positive: boolean
  readonly weight: number
}

const ITERATIONS_MAX = 50

/** A step this small changes no digit that is written. */
const STEP_MIN = 1e-9

/** Keeps separable data from driving the coefficients to infinity; a thousandth of one sample's weight. */
const RIDGE = 1e-3

/** Coefficients of shape (inputs,) and the bias. */
export function fitDense(samples: readonly DenseSample[]): {
  coefficients: number[]
  bias: number
} {
  const inputs = samples[0]?.inputs.length ?? 0
  let parameters = new Array<number>(inputs + 1).fill(0)
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
    const step = newtonStep(samples, parameters)
    parameters = parameters.map((value, i) => value - step[i]!)
    if (Math.max(...step.map(Math.abs)) < STEP_MIN) break
  }
  return { coefficients: parameters.slice(0, inputs), bias: parameters[inputs]! }
}

function newtonStep(samples: readonly DenseSample[], parameters: readonly number[]): number[] {
  const n = parameters.length
  const gradient = parameters.map((value) => RIDGE * value)
  const hessian = parameters.map((_, i) => parameters.map((_, j) => (i === j ? RIDGE : 0)))
  for (const { inputs, positive, weight } of samples) {
    const row = [...inputs, 1]
    const probability = sigmoid(row.reduce((sum, value, i) => sum + value * parameters[i]!, 0))
    const error = weight * (probability - (positive ? 1 : 0))
    const curvature = weight * probability * (1 - probability)
    for (let i = 0; i < n; i++) {
      gradient[i]! += error * row[i]!
      for (let j = 0; j < n; j++) hessian[i]![j]! += curvature * row[i]! * row[j]!
    }
  }
  return solve(hessian, gradient)
}

/** x with A x = b for a positive definite A. Gauss and Jordan, without pivoting: A's diagonal is never 0. */
function solve(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = a.map((row, i) => [...row, b[i]!])
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows[i]![i]!
    for (let j = 0; j < rows.length; j++) {
      if (j === i) continue
      const factor = rows[j]![i]! / pivot
      rows[j] = rows[j]!.map((value, k) => value - factor * rows[i]![k]!)
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!)
}
