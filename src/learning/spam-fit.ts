/**
 * Learns spam corrections: regression on the fused logit, so that the text and the meta model
 * learn together from the error of the verdict that was corrected.
 */

import type { EventFeatures } from '../features/event-features.ts'
import { fuse } from '../models/fusion.ts'
import { predict } from '../models/logistic.ts'
import type { Models } from '../models/models.ts'
import { type Learned, learned, type StepSize, stepFeatures, stepOne } from './adagrad.ts'
import { type Deltas, withDeltas } from './deltas.ts'
import type { Fit } from './fit.ts'
import type { Lesson } from './learn-event.ts'
import { robustError } from './robust-error.ts'

/** A text vector is at most 1 long and has hundreds of features: each may move far. */
const TEXT_STEP: StepSize = { rate: 1, initialSquare: 1e-5 }

/** Some 75 meta features of value 1: each moves little, or how a message is made outweighs what it says. */
const META_STEP: StepSize = { rate: 0.05, initialSquare: 1e-2 }

export class SpamFit implements Fit {
  readonly #models: Models
  readonly #text: Learned
  readonly #meta: Learned
  /** By how much the fused logit grows with the sums of the two models. */
  readonly #textSlope: number
  readonly #metaSlope: number

  constructor(base: Models, candidate: Deltas) {
    this.#models = withDeltas(base, candidate)
    this.#text = learned(candidate.text, TEXT_STEP)
    this.#meta = learned(candidate.meta, META_STEP)
    this.#textSlope = base.fusion.textWeight * base.text.calibration.slope
    this.#metaSlope = base.fusion.metaWeight * base.meta.calibration.slope
  }

  step(lesson: Lesson, errorMax: number): void {
    const error = robustError(spamProbability(this.#models, lesson) - lesson.label, errorMax)
    if (error === 0) return
    stepFeatures(this.#text, lesson.text, error * this.#textSlope, TEXT_STEP)
    stepFeatures(this.#meta, lesson.meta, error * this.#metaSlope, META_STEP)
    // One bias serves the sum of both.
    stepOne(this.#meta, this.#meta.deltas.length - 1, error * this.#metaSlope, META_STEP)
  }

  loss(lesson: Lesson, deltas: Deltas): number {
    return Math.abs(spamProbability(withDeltas(this.#models, deltas), lesson) - lesson.label)
  }

  promote(candidate: Deltas, promoted: Deltas): void {
    promoted.text.set(candidate.text)
    promoted.meta.set(candidate.meta)
  }
}

/** Fused, at a prior of 50 %. */
export function spamProbability(models: Models, { text, meta }: EventFeatures): number {
  return fuse(models.fusion, predict(models.text, text), predict(models.meta, meta)).probability
}
