/** Learns tabs corrections: softmax regression over text and meta features, as spam-fit.ts learns the others. */
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { predictClasses } from '../models/softmax-regression.ts'
import { type Learned, learned, type StepSize, stepOne } from './adagrad.ts'
import { type Deltas, withDeltas } from './deltas.ts'
import type { Fit } from './fit.ts'
import type { Lesson } from './learn-event.ts'
import { robustError } from './robust-error.ts'

const TEXT_STEP: StepSize = { rate: 0.15, initialSquare: 1e-5 }
const META_STEP: StepSize = { rate: 0.01, initialSquare: 1e-2 }

export class TabsFit implements Fit {
  readonly #models: Models
  readonly #learned: Learned
  readonly #temperature: number

  constructor(base: Models, candidate: Deltas) {
    this.#models = withDeltas(base, candidate)
    this.#learned = learned(candidate.tabs, TEXT_STEP)
    this.#temperature = base.tabs.temperature
  }

  step(lesson: Lesson, errorMax: number): void {
    const probabilities = predictClasses(this.#models.tabs, [lesson.text, lesson.meta])
    const errors = CLASSES.map((name, c) => probabilities[name] - (c === lesson.label ? 1 : 0))
    const error = errors[lesson.label]!
    const robust = robustError(error, errorMax)
    if (robust === 0) return
    const slopes = errors.map((each) => (each * robust) / error / this.#temperature)
    let offset = 0
    for (const [block, size] of [
      [lesson.text, TEXT_STEP],
      [lesson.meta, META_STEP],
    ] as const) {
      for (let i = 0; i < block.indices.length; i++) {
        this.#stepRow(offset + block.indices[i]!, slopes, block.values[i]!, size)
      }
      offset += block.size
    }
    this.#stepRow(offset, slopes, 1, META_STEP)
  }

  #stepRow(row: number, slopes: readonly number[], value: number, size: StepSize): void {
    slopes.forEach((slope, c) => {
      stepOne(this.#learned, row * CLASSES.length + c, slope * value, size)
    })
  }

  loss(lesson: Lesson, deltas: Deltas): number {
    const { tabs } = withDeltas(this.#models, deltas)
    return 1 - predictClasses(tabs, [lesson.text, lesson.meta])[CLASSES[lesson.label]!]
  }

  promote(candidate: Deltas, promoted: Deltas): void {
    promoted.tabs.set(candidate.tabs)
  }
}
