/**
 * Fits logistic regression on sparse features by stochastic gradient descent with AdaGrad:
 * each weight has its own step, which shrinks with the gradients it has seen, so that the weights of
 * rare words move as fast as those of common ones. Duchi, Hazan and Singer, JMLR 12 (2011).
 */
import type { SparseVector } from '../../mail/features/sparse-vector.ts'
import { sigmoid } from '../../mail/models/logit.ts'
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
