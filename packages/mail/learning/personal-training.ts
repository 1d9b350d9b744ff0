/**
 * Learns a user's personal deltas: from the user's own corrections alone, some passes over them in
 * the order of the log, each feature by AdaGrad (adagrad.ts).
 *
 * A user corrects errors, which are nearly all of one label; by themselves they would move all mail
 * that way. So after each pass the canary set says what must stay: mail of every kind, which the
 * deltas may move by no more than a little. It steps back along the features that the corrections
 * have moved, and no others.
 *
 * Nothing is kept between trainings, and no chance has a part in it: the same corrections give the
 * same deltas on every machine, and taking one away gives what would be had it never been made.
 */
import type { EventFeatures } from '../features/event-features.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import type { Canary, CanaryMessage } from '../models/canary.ts'
import { fuse } from '../models/fusion.ts'
import { predict } from '../models/logistic.ts'
import { sigmoid, softmax } from '../models/logit.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { classLogits } from '../models/softmax-regression.ts'
import {
  PERSONAL_EXAMPLES_MAX,
  type PersonalDeltas,
  type PersonalTable,
  personalTable,
} from '../personalization/personal-deltas.ts'
import type { LearningExample } from './learn-event.ts'
import { robustError } from './robust-error.ts'

/** On mailboxes left out of training, two passes have a tenth more errors than three, five a tenth fewer and lose more ham. */
const PASSES = 3

/** As the operator's word moves the shared model (operator-training.ts): a text vector is at most 1 long. */
const SPAM_RATES = { text: 1, meta: 0.05 } as const

/** Four weights move with each feature. */
const CLASS_RATES = { text: 0.15, meta: 0.01 } as const

/** Where the squares of gradients start: the larger, the smaller the first steps. */
const FIRST_SQUARES = { text: 1e-5, meta: 1e-2 } as const

/** Log-odds by which a ham of the canary set may be moved towards spam before it steps back. */
const CANARY_SHIFT_MAX = 0.3

/** By how much the probability of its class may fall. */
const CLASS_LOSS_MAX = 0.05

/** The error that a canary message steps back with: a fifth of that of a correction that is all wrong. */
const CANARY_ERROR = 0.2

/** What a user has corrected, oldest first. */
export interface PersonalExamples {
  readonly spam: readonly LearningExample[]
  readonly tabs: readonly LearningExample[]
}

/** Trains users' deltas over `base`, one user after the other. */
export class PersonalTraining {
  readonly #base: Models
  readonly #ham: readonly CanaryMessage[]
  readonly #classes: readonly KeptClass[]
  readonly #places: Places

  constructor(base: Models, canary: Canary) {
    this.#base = base
    this.#places = new Places(TEXT_FEATURES_SIZE + base.metaNumbering.names.length)
    this.#ham = canary.filter(({ spam }) => !spam)
    this.#classes = canary.map((message) => keptClass(base, message))
  }

  /** The deltas of a user who has corrected `examples`. Takes some 3 ms of CPU for fifty of one kind, twice that for classes. */
  train({ spam, tabs }: PersonalExamples): PersonalDeltas {
    return {
      modelsVersion: this.#base.version,
      spam: spam.length === 0 ? undefined : this.#trainSpam(newest(spam)),
      classes: tabs.length === 0 ? undefined : this.#trainClasses(newest(tabs)),
    }
  }

  #trainSpam(examples: readonly LearningExample[]): PersonalTable {
    const { fusion, text, meta } = this.#base
    const slopes = {
      text: fusion.textWeight * text.calibration.slope,
      meta: fusion.metaWeight * meta.calibration.slope,
    }
    const { features, messages } = this.#places.of(examples, this.#ham, slopes)
    const weights = new Weights(features, messages, 1, SPAM_RATES)
    const logits = examples.map(
      (example) => fuse(fusion, predict(text, example.text), predict(meta, example.meta)).logit,
    )
    for (let pass = 0; pass < PASSES; pass++) {
      examples.forEach(({ label }, i) => {
        const error = robustError(sigmoid(logits[i]! + weights.sum(i)) - label)
        if (error !== 0) weights.step(i, [error])
      })
      this.#ham.forEach((_, h) => {
        const i = examples.length + h
        if (weights.sum(i) > CANARY_SHIFT_MAX) weights.step(i, [CANARY_ERROR])
      })
    }
    return personalTable(features, weights.values, 1, slopes)
  }

  #trainClasses(examples: readonly LearningExample[]): PersonalTable {
    const { tabs } = this.#base
    const slopes = { text: 1 / tabs.temperature, meta: 1 / tabs.temperature }
    const canary = this.#classes.map(({ message }) => message)
    const { features, messages } = this.#places.of(examples, canary, slopes)
    const weights = new Weights(features, messages, CLASSES.length, CLASS_RATES)
    const logits = examples.map(({ text, meta }) => classLogits(tabs, [text, meta]))
    for (let pass = 0; pass < PASSES; pass++) {
      examples.forEach(({ label }, i) => {
        stepClasses(weights, i, label, probabilities(weights, i, logits[i]!), robustError)
      })
      this.#classes.forEach(({ label, least, logits: shipped }, k) => {
        const i = examples.length + k
        const found = probabilities(weights, i, shipped)
        if (found[label]! > least) return
        stepClasses(weights, i, label, found, (error) => CANARY_ERROR * error)
      })
    }
    return personalTable(features, weights.values, CLASSES.length, slopes)
  }
}

function newest(examples: readonly LearningExample[]): readonly LearningExample[] {
  return examples.slice(-PERSONAL_EXAMPLES_MAX)
}

/** Messages one after the other, with those of their features that are learned. */
interface PlacedMessages {
  /** Where the features of each message begin, and as the last element where they end. Shape (messages + 1,). */
  readonly starts: Uint32Array
  /** The place of each feature among those that are learned. */
  readonly places: Uint32Array
  /** In step with `places`: the values, times what the model multiplies them by. */
  readonly inputs: Float32Array
}

/** Where each feature of the examples stands among all of them, in the order in which they occur first. */
class Places {
  /** Shape (all features,): the place of each that an example has; for others any number. */
  readonly #placeOf: Uint32Array
  /** A bit for each feature, set for those that an example has: 33 KiB to look through, in place of 1 MiB. */
  readonly #isLearned: Uint32Array

  /** For features below `size`. */
  constructor(size: number) {
    this.#placeOf = new Uint32Array(size)
    this.#isLearned = new Uint32Array(Math.ceil(size / 32))
  }

  /** The features of `examples`, and all messages by them: the examples first, and then `others`. */
  of(
    examples: readonly EventFeatures[],
    others: readonly EventFeatures[],
    slopes: Slopes,
  ): { readonly features: readonly number[]; readonly messages: PlacedMessages } {
    const features = this.#learn(examples)
    return { features, messages: this.#placed([...examples, ...others], slopes) }
  }

  #learn(examples: readonly EventFeatures[]): readonly number[] {
    const features: number[] = []
    this.#isLearned.fill(0)
    for (const { text, meta } of examples) {
      for (const index of text.indices) this.#add(features, index)
      for (const index of meta.indices) this.#add(features, TEXT_FEATURES_SIZE + index)
    }
    return features
  }

  #add(features: number[], feature: number): void {
    const bit = 1 << (feature & 31)
    if ((this.#isLearned[feature >>> 5]! & bit) !== 0) return
    this.#isLearned[feature >>> 5]! |= bit
    this.#placeOf[feature] = features.length
    features.push(feature)
  }

  #placed(messages: readonly EventFeatures[], slopes: Slopes): PlacedMessages {
    const most = messages.reduce(
      (sum, { text, meta }) => sum + text.indices.length + meta.indices.length,
      0,
    )
    const [placeOf, isLearned] = [this.#placeOf, this.#isLearned]
    const places = new Uint32Array(most)
    const inputs = new Float32Array(most)
    const starts = new Uint32Array(messages.length + 1)
    let end = 0
    const add = ({ indices, values }: SparseVector, first: number, slope: number) => {
      for (let i = 0; i < indices.length; i++) {
        const feature = first + indices[i]!
        if ((isLearned[feature >>> 5]! & (1 << (feature & 31))) === 0) continue
        places[end] = placeOf[feature]!
        inputs[end++] = values[i]! * slope
      }
    }
    messages.forEach(({ text, meta }, i) => {
      add(text, 0, slopes.text)
      add(meta, TEXT_FEATURES_SIZE, slopes.meta)
      starts[i + 1] = end
    })
    return { starts, places, inputs }
  }
}

/** What a text and a meta feature are multiplied by, from its value to the logit. */
interface Slopes {
  readonly text: number
  readonly meta: number
}

/** Weights of the learned features, in rows of `width`, and the sum of squared gradients of each. */
class Weights {
  readonly values: Float32Array
  readonly #squares: Float32Array
  readonly #width: number
  readonly #rates: Float32Array
  readonly #messages: PlacedMessages

  constructor(features: readonly number[], messages: PlacedMessages, width: number, rates: Slopes) {
    this.values = new Float32Array(features.length * width)
    this.#squares = new Float32Array(features.length * width)
    this.#width = width
    this.#rates = new Float32Array(features.length)
    this.#messages = messages
    features.forEach((feature, place) => {
      const kind = feature < TEXT_FEATURES_SIZE ? 'text' : 'meta'
      this.#rates[place] = rates[kind]
      this.#squares.fill(FIRST_SQUARES[kind], place * width, (place + 1) * width)
    })
  }

  /** What the only column adds up to for a message. */
  sum(message: number): number {
    const { starts, places, inputs } = this.#messages
    const values = this.values
    const end = starts[message + 1]!
    let sum = 0
    for (let i = starts[message]!; i < end; i++) sum += values[places[i]!]! * inputs[i]!
    return sum
  }

  /** What each of the four columns, one for each of CLASSES, adds up to. In an array the sums would take twice as long. */
  sums(message: number): [number, number, number, number] {
    const { starts, places, inputs } = this.#messages
    const [values, width] = [this.values, this.#width]
    const end = starts[message + 1]!
    let [first, second, third, fourth] = [0, 0, 0, 0]
    for (let i = starts[message]!; i < end; i++) {
      const at = places[i]! * width
      const input = inputs[i]!
      first += values[at]! * input
      second += values[at + 1]! * input
      third += values[at + 2]! * input
      fourth += values[at + 3]! * input
    }
    return [first, second, third, fourth]
  }

  /** Against the gradient error · input in each column, for each feature. */
  step(message: number, errors: readonly number[]): void {
    const { starts, places, inputs } = this.#messages
    const end = starts[message + 1]!
    for (let i = starts[message]!; i < end; i++) {
      const place = places[i]!
      for (let c = 0; c < errors.length; c++) {
        const at = place * this.#width + c
        const gradient = errors[c]! * inputs[i]!
        this.#squares[at]! += gradient * gradient
        this.values[at]! -= (this.#rates[place]! * gradient) / Math.sqrt(this.#squares[at]!)
      }
    }
  }
}

/** A canary message, what the shipped model says of its class, and how probable that has to stay. */
interface KeptClass {
  readonly message: CanaryMessage
  readonly logits: readonly number[]
  readonly label: number
  readonly least: number
}

function keptClass({ tabs }: Models, message: CanaryMessage): KeptClass {
  const logits = classLogits(tabs, [message.text, message.meta])
  const label = CLASSES.indexOf(message.messageClass)
  return { message, logits, label, least: softmax(logits)[label]! - CLASS_LOSS_MAX }
}

function probabilities(weights: Weights, message: number, logits: readonly number[]): number[] {
  const sums = weights.sums(message)
  return softmax(logits.map((logit, c) => logit + sums[c]!))
}

/** @param found how probable each class is for the message. */
function stepClasses(
  weights: Weights,
  message: number,
  label: number,
  found: readonly number[],
  pull: (error: number) => number,
): void {
  const errors = found.map((each, c) => each - (c === label ? 1 : 0))
  const error = errors[label]!
  const pulled = pull(error)
  if (pulled === 0) return
  weights.step(
    message,
    errors.map((each) => (each * pulled) / error),
  )
}
