/**
 * Learns the global model's deltas from the log of corrections: a fold over its events in order.
 *
 * The state depends on the base models, the canary set, the settings and the events alone; all
 * chance is drawn from the events' own ids. So the log replayed without one user's events gives, bit
 * for bit, the model that has never seen them, and events taken one by one give what they give in
 * batches.
 */
import type { Canary } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { Curriculum, type LearningSettings } from './curriculum.ts'
import { type Deltas, zeroDeltas } from './deltas.ts'
import type { LearnEvent } from './learn-event.ts'
import { OnlineTraining, type Promotions } from './online-training.ts'

/** By which nothing is ever worse. */
const NO_CANARY: Canary = []

export class Learner {
  readonly #curriculum: Curriculum
  readonly #training: OnlineTraining
  readonly #base: Models

  /** @param canary none in simulations of models that are not shipped. */
  constructor(base: Models, settings: LearningSettings, canary: Canary = NO_CANARY) {
    this.#base = base
    this.#curriculum = new Curriculum(base, settings)
    this.#training = new OnlineTraining(base, canary)
  }

  /** Of the latest steps, promoted or not. */
  candidate(): Deltas {
    const deltas = zeroDeltas(this.#base)
    this.#training.copyCandidate(deltas)
    return deltas
  }

  /** What is to be added to the base weights now. */
  promoted(): Deltas {
    const deltas = zeroDeltas(this.#base)
    this.#training.copyPromoted(deltas)
    return deltas
  }

  get promotions(): Promotions {
    return this.#training.promotions
  }

  /** Whether `event` would teach the global model, being the next. Changes nothing. */
  wouldTeach(event: LearnEvent): boolean {
    return this.#curriculum.teachingOf(event) !== undefined
  }

  /** Takes the next event of the log. True when it taught the global model, held out or not. */
  learn(event: LearnEvent): boolean {
    const teaching = this.#curriculum.take(event)
    if (teaching === undefined) return false
    this.#training.train(event, teaching)
    return true
  }
}
