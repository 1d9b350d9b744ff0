/**
 * Learns what is added to the shipped weights, correction by correction: what the operator has said, plus
 * what users agree about. The two are learned independently, so that neither is refused or promoted
 * because of the other.
 */
import type { Canary } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { CrowdTraining } from './crowd-training.ts'
import type { Teaching } from './curriculum.ts'
import { type Deltas, sumDeltas } from './deltas.ts'
import { type LearnEvent, lessonOf } from './learn-event.ts'
import { OperatorTraining } from './operator-training.ts'

/** What training needs of a correction. */
export type TrainingEvent = Pick<
  LearnEvent,
  'feedbackId' | 'userId' | 'kind' | 'label' | 'messageKey' | 'features'
>

/** How often candidates were promoted, and how often refused because they judged the canary set worse. */
export interface Promotions {
  readonly promoted: number
  readonly refused: number
}

export class OnlineTraining {
  readonly #base: Models
  readonly #canary: Canary
  /** Each from its first lesson on: they take megabytes. */
  #operator: OperatorTraining | undefined
  #crowd: CrowdTraining | undefined
  #promoted = 0
  #refused = 0

  constructor(base: Models, canary: Canary) {
    this.#base = base
    this.#canary = canary
  }

  get promotions(): Promotions {
    return { promoted: this.#promoted, refused: this.#refused }
  }

  /** Takes a correction that teaches. @throws TypeError for one that `lessonOf` makes no lesson of. */
  train(event: TrainingEvent, teaching: Teaching): void {
    const lesson = lessonOf(event, this.#base)
    if (lesson === undefined) throw new TypeError('The correction is no lesson')
    if (teaching === 'operator') {
      this.#operator ??= new OperatorTraining(this.#base)
      if (this.#operator.train(event, lesson)) this.#promoted++
      return
    }
    this.#crowd ??= new CrowdTraining(this.#base, this.#canary)
    const outcome = this.#crowd.train(event, lesson)
    if (outcome === 'promoted') this.#promoted++
    if (outcome === 'refused') this.#refused++
  }

  /** Writes the deltas to be added to the base weights. */
  copyPromoted(into: Deltas): void {
    sumDeltas([this.#operator?.promoted, this.#crowd?.promoted], into)
  }

  /** Writes the deltas after the latest steps, promoted or not. */
  copyCandidate(into: Deltas): void {
    sumDeltas([this.#operator?.candidate, this.#crowd?.candidate], into)
  }
}
