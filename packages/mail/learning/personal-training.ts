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

  /** The deltas of a user who has corrected `examples`. Takes some 5 ms of CPU for fifty. */
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
    const places = this.#places
    places.begin(examples)
    const weights = new Weights(places.features, 1, SPAM_RATES)
    const placed = examples.map((example) => ({
      ...places.placed(example, slopes),
      logit: fuse(fusion, predict(text, example.text), predict(meta, example.meta)).logit,
      label: example.label,
    }))
    const ham = this.#ham.map((message) => places.placed(message, slopes))
    for (let pass = 0; pass < PASSES; pass++) {
      for (const example of placed) {
        const probability = sigmoid(example.logit + weights.sum(example, 0))
        const error = robustError(probability - example.label)
        if (error !== 0) weights.step(example, 0, error)
      }
      for (const message of ham) {
        if (weights.sum(message, 0) > CANARY_SHIFT_MAX) weights.step(message, 0, CANARY_ERROR)
      }
    }
    return personalTable(places.features, weights.values, 1, slopes)
  }

  #trainClasses(examples: readonly LearningExample[]): PersonalTable {
    const { tabs } = this.#base
    const slopes = { text: 1 / tabs.temperature, meta: 1 / tabs.temperature }
    const places = this.#places
    places.begin(examples)
    const weights = new Weights(places.features, CLASSES.length, CLASS_RATES)
    const placed = examples.map((example) => ({
      ...places.placed(example, slopes),
      logits: classLogits(tabs, [example.text, example.meta]),
      label: example.label,
    }))
    const kept = this.#classes.map((each) => ({ ...each, ...places.placed(each.message, slopes) }))
    const probabilities = (message: Placed & { readonly logits: readonly number[] }) =>
      softmax(message.logits.map((logit, c) => logit + weights.sum(message, c)))
    for (let pass = 0; pass < PASSES; pass++) {
      for (const example of placed)
        stepClasses(weights, example, probabilities(example), robustError)
      for (const message of kept) {
        const found = probabilities(message)
        if (found[message.label]! > message.least) continue
        stepClasses(weights, message, found, (error) => CANARY_ERROR * error)
      }
    }
    return personalTable(places.features, weights.values, CLASSES.length, slopes)
  }
}

function newest(examples: readonly LearningExample[]): readonly LearningExample[] {
  return examples.slice(-PERSONAL_EXAMPLES_MAX)
}

/** Features of a message by their places among those that are learned; absent ones are left away. */
interface Placed {
  readonly places: Uint32Array
  /** The values, times what the model multiplies them by. */
  readonly inputs: Float32Array
}

/** Where each feature of the examples stands among all of them: in the order in which they occur first. */
class Places {
  /** Shape (all features,): the place + 1, or 0 for none. */
  readonly #placeOf: Uint32Array
  features: number[] = []

  /** For features below `size`. */
  constructor(size: number) {
    this.#placeOf = new Uint32Array(size)
  }

  /** Forgets the features of the examples before. */
  begin(examples: readonly EventFeatures[]): void {
    for (const feature of this.features) this.#placeOf[feature] = 0
    this.features = []
    for (const { text, meta } of examples) {
      for (const index of text.indices) this.#add(index)
      for (const index of meta.indices) this.#add(TEXT_FEATURES_SIZE + index)
    }
  }

  #add(feature: number): void {
    if (this.#placeOf[feature] !== 0) return
    this.features.push(feature)
    this.#placeOf[feature] = this.features.length
  }

  placed({ text, meta }: EventFeatures, slopes: Slopes): Placed {
    const places: number[] = []
    const inputs: number[] = []
    const add = ({ indices, values }: SparseVector, first: number, slope: number) => {
      for (let i = 0; i < indices.length; i++) {
        const place = this.#placeOf[first + indices[i]!]!
        if (place === 0) continue
        places.push(place - 1)
        inputs.push(values[i]! * slope)
      }
    }
    add(text, 0, slopes.text)
    add(meta, TEXT_FEATURES_SIZE, slopes.meta)
    return { places: Uint32Array.from(places), inputs: Float32Array.from(inputs) }
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

  constructor(features: readonly number[], width: number, rates: Slopes) {
    this.values = new Float32Array(features.length * width)
    this.#squares = new Float32Array(features.length * width)
    this.#width = width
    this.#rates = new Float32Array(features.length)
    features.forEach((feature, place) => {
      const kind = feature < TEXT_FEATURES_SIZE ? 'text' : 'meta'
      this.#rates[place] = rates[kind]
      this.#squares.fill(FIRST_SQUARES[kind], place * width, (place + 1) * width)
    })
  }

  sum({ places, inputs }: Placed, column: number): number {
    let sum = 0
    for (let i = 0; i < places.length; i++) {
      sum += this.values[places[i]! * this.#width + column]! * inputs[i]!
    }
    return sum
  }

  /** Against the gradient `error` · input, for each feature. */
  step({ places, inputs }: Placed, column: number, error: number): void {
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!
      const at = place * this.#width + column
      const gradient = error * inputs[i]!
      this.#squares[at]! += gradient * gradient
      this.values[at]! -= (this.#rates[place]! * gradient) / Math.sqrt(this.#squares[at]!)
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

function stepClasses(
  weights: Weights,
  example: Placed & { readonly label: number },
  probabilities: readonly number[],
  pull: (error: number) => number,
): void {
  const errors = probabilities.map((each, c) => each - (c === example.label ? 1 : 0))
  const error = errors[example.label]!
  const pulled = pull(error)
  if (pulled === 0) return
  errors.forEach((each, c) => {
    weights.step(example, c, (each * pulled) / error)
  })
}
