/**
 * Learns from corrections about spam: regression on the fused logit, so that the text and the meta
 * model learn together from the error of the verdict that was corrected.
 */

import type { EventFeatures } from '../features/event-features.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { fuse } from '../models/fusion.ts'
import { crowdSum, predict } from '../models/logistic.ts'
import type { Models } from '../models/models.ts'
import { type Learned, learned, stepFeatures, stepOne } from './adagrad.ts'
import { type Deltas, type ModelDeltas, withDeltas } from './deltas.ts'
import type { LearningExample } from './learn-event.ts'
import type { ModelLearning, Steps } from './model-learning.ts'
import { robustError } from './robust-error.ts'

export class SpamLearning implements ModelLearning {
  readonly #base: Models
  readonly #author: keyof Deltas
  readonly #models: Models
  readonly #steps: Steps
  readonly #text: Learned
  readonly #meta: Learned
  /** By how much the fused logit grows with the sum of the text model; `#metaSlope` is that for the meta model. */
  readonly #textSlope: number
  readonly #metaSlope: number

  constructor(base: Models, author: keyof Deltas, candidate: ModelDeltas, steps: Steps) {
    this.#base = base
    this.#author = author
    this.#models = withDeltas(base, { [author]: candidate })
    this.#steps = steps
    this.#text = learned(candidate.text, steps.text)
    this.#meta = learned(candidate.meta, steps.meta)
    this.#textSlope = base.fusion.textWeight * base.text.calibration.slope
    this.#metaSlope = base.fusion.metaWeight * base.meta.calibration.slope
  }

  step(example: LearningExample, wordsOf?: (example: LearningExample) => SparseVector): boolean {
    const error = robustError(spamProbability(this.#models, example) - example.label)
    if (error === 0 || this.#isMovedFar(example, error)) return false
    const words = wordsOf?.(example)
    stepFeatures(this.#text, words ?? example.text, error * this.#textSlope, this.#steps.text)
    if (words !== undefined) return words.indices.length > 0
    stepFeatures(this.#meta, example.meta, error * this.#metaSlope, this.#steps.meta)
    // One bias serves the sum of both.
    stepOne(this.#meta, this.#meta.deltas.length - 1, error * this.#metaSlope, this.#steps.meta)
    return true
  }

  /** Whether a crowd has moved the message as far as it may already: to move its words further would only move other mail. */
  #isMovedFar({ text }: LearningExample, error: number): boolean {
    const { crowd } = this.#models.text
    return crowd !== undefined && -Math.sign(error) * crowdSum(crowd, text) >= crowd.reach
  }

  loss(example: LearningExample, deltas: ModelDeltas): number {
    const models = withDeltas(this.#base, { [this.#author]: deltas })
    return Math.abs(spamProbability(models, example) - example.label)
  }

  copy(from: ModelDeltas, into: ModelDeltas): void {
    into.text.set(from.text)
    into.meta.set(from.meta)
  }
}

/** The fused probability of spam, at a prior of 50 %. */
export function spamProbability(models: Models, { text, meta }: EventFeatures): number {
  return fuse(models.fusion, predict(models.text, text), predict(models.meta, meta)).probability
}
