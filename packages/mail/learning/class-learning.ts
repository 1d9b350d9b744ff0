/** Learns from corrections about the class: softmax regression over text and meta features. */
import type { SparseVector } from '../features/sparse-vector.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { crowdMoves, predictClasses } from '../models/softmax-regression.ts'
import { type Learned, learned, type StepSize, stepOne } from './adagrad.ts'
import { type Deltas, type ModelDeltas, withDeltas } from './deltas.ts'
import type { LearningExample } from './learn-event.ts'
import type { ModelLearning, Steps } from './model-learning.ts'
import { robustError } from './robust-error.ts'

export class ClassLearning implements ModelLearning {
  readonly #base: Models
  readonly #author: keyof Deltas
  readonly #models: Models
  readonly #steps: Steps
  readonly #learned: Learned
  readonly #temperature: number

  constructor(base: Models, author: keyof Deltas, candidate: ModelDeltas, steps: Steps) {
    this.#base = base
    this.#author = author
    this.#models = withDeltas(base, { [author]: candidate })
    this.#steps = steps
    this.#learned = learned(candidate.tabs, steps.text)
    this.#temperature = base.tabs.temperature
  }

  step(example: LearningExample, wordsOf?: (example: LearningExample) => SparseVector): boolean {
    const probabilities = predictClasses(this.#models.tabs, [example.text, example.meta])
    const errors = CLASSES.map((name, c) => probabilities[name] - (c === example.label ? 1 : 0))
    const error = errors[example.label]!
    const robust = robustError(error)
    if (robust === 0 || this.#isMovedFar(example)) return false
    const slopes = errors.map((each) => (each * robust) / error / this.#temperature)
    const words = wordsOf?.(example)
    this.#stepRows(0, words ?? example.text, slopes, this.#steps.text)
    if (words !== undefined) return words.indices.length > 0
    const { text, meta } = example
    this.#stepRows(text.size, meta, slopes, this.#steps.meta)
    this.#stepRow(text.size + meta.size, slopes, 1, this.#steps.meta)
    return true
  }

  /** Whether a crowd has moved the message as far towards its class as it may. */
  #isMovedFar({ text, meta, label }: LearningExample): boolean {
    const { crowd } = this.#models.tabs
    if (crowd === undefined) return false
    const moves = crowdMoves(crowd, [text, meta])
    return moves[label]! - Math.min(...moves) >= crowd.reach
  }

  #stepRows(
    offset: number,
    { indices, values }: SparseVector,
    slopes: readonly number[],
    size: StepSize,
  ): void {
    for (let i = 0; i < indices.length; i++) {
      this.#stepRow(offset + indices[i]!, slopes, values[i]!, size)
    }
  }

  #stepRow(row: number, slopes: readonly number[], value: number, size: StepSize): void {
    slopes.forEach((slope, c) => {
      stepOne(this.#learned, row * CLASSES.length + c, slope * value, size)
    })
  }

  loss(example: LearningExample, deltas: ModelDeltas): number {
    const { tabs } = withDeltas(this.#base, { [this.#author]: deltas })
    return 1 - predictClasses(tabs, [example.text, example.meta])[CLASSES[example.label]!]
  }

  copy(from: ModelDeltas, into: ModelDeltas): void {
    into.tabs.set(from.tabs)
  }
}
