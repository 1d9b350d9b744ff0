/**
 * Learns the global model's deltas from the log of corrections: a fold over its events in order.
 *
 * The state depends on the base models, the settings and the events alone; all chance is drawn
 * from the events' own ids. So the log replayed without one user's events gives, bit for bit, the
 * model that has never seen them, and events taken one by one give what they give in batches.
 */
import type { Models } from '../models/models.ts'
import { Curriculum, type LearningSettings } from './curriculum.ts'
import type { Deltas } from './deltas.ts'
import type { LearnEvent } from './learn-event.ts'
import { OnlineTraining } from './online-training.ts'

export class Learner {
  readonly #curriculum: Curriculum
  readonly #training: OnlineTraining

  constructor(base: Models, settings: LearningSettings) {
    this.#curriculum = new Curriculum(settings)
    this.#training = new OnlineTraining(base)
  }

  /** See OnlineTraining. */
  get candidate(): Deltas {
    return this.#training.candidate
  }

  /** See OnlineTraining. */
  get promoted(): Deltas {
    return this.#training.promoted
  }

  get promotions(): number {
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
