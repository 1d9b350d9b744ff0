/** Learns from corrections about the class: softmax regression over text and meta features. */
import type { SparseVector } from '../features/sparse-vector.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { predictClasses } from '../models/softmax-regression.ts'
import { type Learned, learned, type StepSize, stepOne } from './adagrad.ts'
import { type Deltas, withDeltas } from './deltas.ts'
import type { LearningExample } from './learn-event.ts'
import type { ModelLearning, Steps } from './model-learning.ts'
import { robustError } from './robust-error.ts'

export class ClassLearning implements ModelLearning {
  readonly #models: Models
  readonly #steps: Steps
  readonly #learned: Learned
  readonly #temperature: number

  constructor(base: Models, candidate: Deltas, steps: Steps) {
    this.#models = withDeltas(base, candidate)
    this.#steps = steps
    this.#learned = learned(candidate.tabs, steps.text)
    this.#temperature = base.tabs.temperature
  }

  step(example: LearningExample, wordsOf?: (example: LearningExample) => SparseVector): boolean {
    const probabilities = predictClasses(this.#models.tabs, [example.text, example.meta])
    const errors = CLASSES.map((name, c) => probabilities[name] - (c === example.label ? 1 : 0))
    const error = errors[example.label]!
    const robust = robustError(error)
    if (robust === 0) return false
    const slopes = errors.map((each) => (each * robust) / error / this.#temperature)
    const words = wordsOf?.(example)
    this.#stepRows(0, words ?? example.text, slopes, this.#steps.text)
    if (words !== undefined) return words.indices.length > 0
    const { text, meta } = example
    this.#stepRows(text.size, meta, slopes, this.#steps.meta)
    this.#stepRow(text.size + meta.size, slopes, 1, this.#steps.meta)
    return true
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

  loss(example: LearningExample, deltas: Deltas): number {
    const { tabs } = withDeltas(this.#models, deltas)
    return 1 - predictClasses(tabs, [example.text, example.meta])[CLASSES[example.label]!]
  }

  copy(from: Deltas, into: Deltas): void {
    into.tabs.set(from.tabs)
  }
}
