/**
 * Learns a user's personal deltas: a linear model over the terms of the user's corrected messages
 * (embedding/sparse-terms.ts), added to the shared models for this user alone. Online logistic regression in
 * the order of the log, with a step scaled by how much of a message is particular to it (normalised least
 * mean squares, Haykin, Adaptive Filter Theory (2014), §6). Terms that many senders use weigh next to nothing.
 *
 * A user corrects errors, which are nearly all of one label; by themselves they would move all mail that
 * way. So the model is fitted to be near zero on a reference set of unlike mail: the canary set, which no
 * user's corrections may move by more than SHIFT_MAX, nor on average by more than MEAN_SHIFT_MAX.
 *
 * Nothing is kept between trainings, and no chance has a part in it: the same corrections give the
 * same deltas on every machine, and taking one away gives what would be had it never been made.
 */
import { type SparseTerms, squaredLength, termsOfFeatures, weightOfTerm, wordOfTerm } from '../embedding/sparse-terms.ts'
import type { Canary } from '../models/canary.ts'
import { fuse } from '../models/fusion.ts'
import { predict } from '../models/logistic.ts'
import { sigmoid, softmax } from '../models/logit.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { classLogits } from '../models/softmax-regression.ts'
import {
  addedBy,
  bounded,
  PERSONAL_EXAMPLES_MAX,
  type PersonalDeltas,
  type PersonalTable,
  personalTable,
} from '../personalization/personal-deltas.ts'
import type { LearningExample } from './learn-event.ts'

/** A third pass over the corrections still removes errors, a fourth hardly any. */
const PASSES = 3

/**
 * Log-odds by which one correction moves its own message at most: it bounds how far one correction reaches, as the box
 * constraint C does in a support vector machine. Many that agree add up to PERSONAL_SHIFT_MAX. Mail of the sender, and
 * the rest of a campaign, is judged by rule and memory after one correction.
 */
const EXAMPLE_SHIFT_MAX = 0.8

/**
 * The step: with 2, one correction that is all wrong moves its own message by 1 to 1.5 in log-odds and
 * messages of its sender by 0.5 to 1. With 1 a third fewer errors go, with 3 twenty "not spam" cost half as
 * much again of the spam caught elsewhere.
 */
const RATE = 2

/** Added to the squared length of a message's terms, so that a message of common words alone teaches little. */
const SQUARED_LENGTH_FLOOR = 0.02

/** Log-odds by which a message of the reference set may be moved: below the 0.5 that is promised for unlike mail. */
const SHIFT_MAX = 0.4

/** Log-odds by which the reference set may be moved on average: below the 0.1 that is promised. */
const MEAN_SHIFT_MAX = 0.05

/** Passes in which the weights of terms of the reference set are reduced. Each at least halves what is too much. */
const REDUCTIONS_MAX = 20

/** A correction, with the terms that its user's memory keeps of the message. */
export interface PersonalExample extends LearningExample {
  readonly terms: SparseTerms
}

/** What a user has corrected, oldest first. */
export interface PersonalExamples {
  readonly spam: readonly PersonalExample[]
  readonly tabs: readonly PersonalExample[]
}

/** Trains users' deltas over `base`, one user after the other. */
export class PersonalTraining {
  readonly #base: Models
  readonly #reference: readonly SparseTerms[]

  constructor(base: Models, canary: Canary) {
    this.#base = base
    this.#reference = canary.map(({ text }) => termsOfFeatures(text, base.commonText))
  }

  /** The deltas of a user who has corrected `examples`. */
  train({ spam, tabs }: PersonalExamples): PersonalDeltas {
    return {
      modelsVersion: this.#base.version,
      spam: spam.length === 0 ? undefined : this.#trainSpam(newest(spam)),
      classes: tabs.length === 0 ? undefined : this.#trainClasses(newest(tabs)),
    }
  }

  #trainSpam(examples: readonly PersonalExample[]): PersonalTable {
    const { fusion, text, meta } = this.#base
    const logits = examples.map(
      (example) => fuse(fusion, predict(text, example.text), predict(meta, example.meta)).logit,
    )
    return this.#fit(examples, 1, ({ label }, i, [shift]) => [sigmoid(logits[i]! + shift!) - label])
  }

  #trainClasses(examples: readonly PersonalExample[]): PersonalTable {
    const { tabs } = this.#base
    const logits = examples.map(({ text, meta }) => classLogits(tabs, [text, meta]))
    return this.#fit(examples, CLASSES.length, ({ label }, i, shift) => {
      const found = softmax(logits[i]!.map((logit, c) => logit + shift[c]!))
      return found.map((each, c) => each - (c === label ? 1 : 0))
    })
  }

  /** @param errorsOf the gradient of the loss by each of `width` logits, given what the weights add to them. */
  #fit(
    examples: readonly PersonalExample[],
    width: number,
    errorsOf: (example: PersonalExample, i: number, shift: readonly number[]) => number[],
  ): PersonalTable {
    const weights = new Map<number, Float32Array>()
    for (const { terms } of examples) {
      for (const term of terms) weights.set(wordOfTerm(term), new Float32Array(width))
    }
    const pulled = examples.map(() => new Array<number>(width).fill(0))
    for (let pass = 0; pass < PASSES; pass++) {
      examples.forEach((example, i) => {
        const errors = errorsOf(example, i, addedBy(weights, example.terms, width))
        const squares = squaredLength(example.terms)
        const pull = pulled[i]!
        const steps = errors.map((error, c) => {
          const wanted = pull[c]! - (RATE * error) / (squares + SQUARED_LENGTH_FLOOR)
          const before = pull[c]!
          pull[c] = bounded(wanted, EXAMPLE_SHIFT_MAX / (squares + SQUARED_LENGTH_FLOOR))
          return pull[c]! - before
        })
        for (const term of example.terms) {
          const row = weights.get(wordOfTerm(term))!
          for (let c = 0; c < width; c++) row[c]! += steps[c]! * weightOfTerm(term)
        }
      })
    }
    this.#reduce(weights, width)
    return personalTable(weights, width)
  }

  /** Reduces the weights of terms in the reference set until they move none of it, nor all of it, too far. */
  #reduce(weights: Map<number, Float32Array>, width: number): void {
    const touched = this.#reference.filter((terms) => terms.some((term) => weights.has(wordOfTerm(term))))
    for (let round = 0; round < REDUCTIONS_MAX; round++) {
      const sums = new Array<number>(width).fill(0)
      let isReduced = false
      for (const terms of touched) {
        const shift = addedBy(weights, terms, width)
        shift.forEach((each, c) => {
          sums[c]! += each
        })
        const largest = Math.max(...shift.map(Math.abs))
        if (largest <= SHIFT_MAX) continue
        scale(weights, terms, SHIFT_MAX / (2 * largest))
        isReduced = true
      }
      const mean = Math.max(...sums.map(Math.abs)) / Math.max(1, this.#reference.length)
      if (mean > MEAN_SHIFT_MAX) {
        const words = new Set(touched.flatMap((terms) => [...terms]).map(wordOfTerm))
        for (const word of words) scaleRow(weights.get(word), MEAN_SHIFT_MAX / mean)
        isReduced = true
      }
      if (!isReduced) return
    }
  }
}

function scale(weights: Map<number, Float32Array>, terms: SparseTerms, factor: number): void {
  for (const term of terms) scaleRow(weights.get(wordOfTerm(term)), factor)
}

function scaleRow(row: Float32Array | undefined, factor: number): void {
  if (row === undefined) return
  for (let c = 0; c < row.length; c++) row[c]! *= factor
}

function newest<T>(examples: readonly T[]): readonly T[] {
  return examples.slice(-PERSONAL_EXAMPLES_MAX)
}
