/**
 * Learns a user's personal deltas: a linear model over the terms of the user's corrected messages
 * (embedding/sparse-terms.ts), added to the shared models for this user alone. Online logistic regression in the order of the
 * log, with a bound on what each correction may add (Cortes and Vapnik, Support-Vector Networks, 1995).
 *
 * A user corrects errors, which are nearly all of one label; by themselves they would move all mail that way. So no user's
 * corrections may move a message of a reference set of unlike mail, the canary set, by more than SHIFT_MAX, nor all of it on
 * average by more than MEAN_SHIFT_MAX. Nothing is random or kept: taking a correction away gives what would be had it never
 * been made.
 */
import { type SparseTerms, termsOfFeatures, wordOfTerm } from '../embedding/sparse-terms.ts'
import type { Canary } from '../models/canary.ts'
import { predict } from '../models/logistic.ts'
import { fuse, type Models } from '../models/models.ts'
import { CLASSES, sigmoid, softmax } from '../models/prediction.ts'
import { classLogits } from '../models/softmax-regression.ts'
import {
  bounded,
  boundedSums,
  NO_ROW,
  PERSONAL_EXAMPLES_MAX,
  type PersonalDeltas,
  type PersonalTable,
  type PlacedTerms,
  particularWeights,
  personalTable,
} from '../personalization/personal-deltas.ts'
import type { LearningExample } from './learn-event.ts'

/** A third pass over the corrections still removes errors, a fourth hardly any. */
const PASSES = 3

/**
 * Log-odds by which one correction moves its own message at most, and another by less: it bounds how far one correction
 * reaches, as the box constraint C does in a support vector machine. Many that agree add up to PERSONAL_SHIFT_MAX. Mail of
 * the sender, and the rest of a campaign, is judged by rule and memory after one correction.
 */
const EXAMPLE_SHIFT_MAX = 0.45

/** The step. Beyond EXAMPLE_SHIFT_MAX it changes only how soon errors of half a probability are learned in full. */
const RATE = 2

/** Log-odds by which a message of the reference set may be moved: below the 0.5 that is promised for unlike mail. */
const SHIFT_MAX = 0.4

/** Log-odds by which the reference set may be moved on average: below the 0.1 that is promised. */
const MEAN_SHIFT_MAX = 0.05

/** Corrections that a step of the training takes: a millisecond. */
const EXAMPLES_PER_STEP = 16

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

/** A message of the reference set. */
interface Reference {
  /** The words of its terms. Shape (terms,). */
  readonly words: Int32Array
  /** Shape (terms,). */
  readonly weights: Float32Array
}

/** Trains users' deltas over `base`, one user after the other. */
export class PersonalTraining {
  readonly #base: Models
  readonly #reference: readonly Reference[]

  constructor(base: Models, canary: Canary) {
    this.#base = base
    this.#reference = canary.map(({ text }) => {
      const terms = termsOfFeatures(text, base.commonText)
      return { words: Int32Array.from(terms, wordOfTerm), weights: particularWeights(terms) }
    })
  }

  /** The deltas of a user who has corrected `examples`. */
  train(examples: PersonalExamples): PersonalDeltas {
    const steps = this.steps(examples)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  /** The same in steps of a millisecond or two: 256 corrections of each kind take a tenth of a second. */
  *steps({ spam, tabs }: PersonalExamples): Generator<void, PersonalDeltas> {
    return {
      spam: spam.length === 0 ? undefined : yield* this.#trainSpam(newest(spam)),
      classes: tabs.length === 0 ? undefined : yield* this.#trainClasses(newest(tabs)),
    }
  }

  *#trainSpam(examples: readonly PersonalExample[]): Generator<void, PersonalTable> {
    const { fusion, text, meta } = this.#base
    const logits = examples.map(
      (example) => fuse(fusion, predict(text, example.text), predict(meta, example.meta)).logit,
    )
    return yield* this.#fit(examples, 1, ({ label }, i, [shift]) => [
      sigmoid(logits[i]! + shift!) - label,
    ])
  }

  *#trainClasses(examples: readonly PersonalExample[]): Generator<void, PersonalTable> {
    const { tabs } = this.#base
    const logits = examples.map(({ text, meta }) => classLogits(tabs, [text, meta]))
    return yield* this.#fit(examples, CLASSES.length, ({ label }, i, shift) => {
      const found = softmax(logits[i]!.map((logit, c) => logit + shift[c]!))
      return found.map((each, c) => each - (c === label ? 1 : 0))
    })
  }

  /** @param errorsOf the gradient of the loss by each of `width` logits, given what the weights add to them. */
  *#fit(
    examples: readonly PersonalExample[],
    width: number,
    errorsOf: (example: PersonalExample, i: number, shift: readonly number[]) => number[],
  ): Generator<void, PersonalTable> {
    const placeOf = new Map<number, number>()
    for (const { terms } of examples) {
      for (const term of terms) {
        const word = wordOfTerm(term)
        if (!placeOf.has(word)) placeOf.set(word, placeOf.size)
      }
    }
    const rows = new Float32Array(placeOf.size * width)
    const messages = examples.map(({ terms }) => placed(terms, placeOf))
    const pulls = examples.map(() => new Array<number>(width).fill(0))
    for (let pass = 0; pass < PASSES; pass++) {
      for (const [i, example] of examples.entries()) {
        if (i % EXAMPLES_PER_STEP === 0) yield
        const errors = errorsOf(example, i, boundedSums(rows, messages[i]!, width))
        const pull = pulls[i]!
        errors.forEach((error, c) => {
          const step = bounded(pull[c]! - RATE * error, EXAMPLE_SHIFT_MAX) - pull[c]!
          pull[c]! += step
          addTo(rows, messages[i]!, width, c, step)
        })
      }
    }
    yield* this.#reduce(rows, placeOf, width)
    return personalTable([...placeOf.keys()], rows, width)
  }

  /** Reduces the weights of terms in the reference set until they move none of it, nor all of it, too far. */
  *#reduce(
    rows: Float32Array,
    placeOf: ReadonlyMap<number, number>,
    width: number,
  ): Generator<void, void> {
    const touched = this.#reference
      .map(({ words, weights }) => ({
        places: words.map((word) => placeOf.get(word) ?? NO_ROW),
        weights,
      }))
      .filter(({ places }) => places.some((place) => place !== NO_ROW))
    for (let round = 0; round < REDUCTIONS_MAX; round++) {
      yield
      const sums = new Array<number>(width).fill(0)
      let isReduced = false
      for (const message of touched) {
        const shift = boundedSums(rows, message, width)
        shift.forEach((each, c) => {
          sums[c]! += each
        })
        const largest = Math.max(...shift.map(Math.abs))
        if (largest <= SHIFT_MAX) continue
        scaleRows(rows, message.places, width, SHIFT_MAX / (2 * largest))
        isReduced = true
      }
      const mean = Math.max(...sums.map(Math.abs)) / Math.max(1, this.#reference.length)
      if (mean > MEAN_SHIFT_MAX) {
        const places = new Set(touched.flatMap((message) => [...message.places]))
        scaleRows(rows, places, width, MEAN_SHIFT_MAX / mean)
        isReduced = true
      }
      if (!isReduced) return
    }
    // What no reduction has brought within the bounds is not learned.
    for (const { places } of touched) scaleRows(rows, places, width, 0)
  }
}

function placed(terms: SparseTerms, placeOf: ReadonlyMap<number, number>): PlacedTerms {
  return {
    places: Int32Array.from(terms, (term) => placeOf.get(wordOfTerm(term)) ?? NO_ROW),
    weights: particularWeights(terms),
  }
}

/** Adds `step` times a message's weights to one column. */
function addTo(
  rows: Float32Array,
  { places, weights }: PlacedTerms,
  width: number,
  column: number,
  step: number,
): void {
  if (step === 0) return
  places.forEach((place, i) => {
    rows[place * width + column]! += step * weights[i]!
  })
}

function scaleRows(
  rows: Float32Array,
  places: Iterable<number>,
  width: number,
  factor: number,
): void {
  for (const place of places) {
    if (place === NO_ROW) continue
    for (let c = 0; c < width; c++) rows[place * width + c]! *= factor
  }
}

function newest<T>(examples: readonly T[]): readonly T[] {
  return examples.slice(-PERSONAL_EXAMPLES_MAX)
}
