/**
 * Learns the global model's deltas from the log of corrections: a fold over its events in order.
 *
 * The state depends on the base models, the canary set, the settings and the events alone; every random
 * choice is drawn from the events' own ids. So replaying the log without one user's events gives, bit
 * for bit, the model that has never seen them, and taking events one by one or in batches makes no
 * difference.
 */
import type { Canary } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { type Deltas, zeroDeltas } from './deltas.ts'
import type { LearnEvent } from './learn-event.ts'
import { LearningPolicy, type LearningSettings } from './learning-policy.ts'
import { OnlineLearning, type Promotions } from './online-learning.ts'

/** An empty canary set, by which no model is worse than another. */
const NO_CANARY: Canary = []

export class Learner {
  readonly #learningPolicy: LearningPolicy
  readonly #training: OnlineLearning
  readonly #base: Models

  /** @param canary left out in simulations with models that are not shipped. */
  constructor(base: Models, settings: LearningSettings, canary: Canary = NO_CANARY) {
    this.#base = base
    this.#learningPolicy = new LearningPolicy(base, settings)
    this.#training = new OnlineLearning(base, canary)
  }

  /** The deltas after the latest steps, promoted or not. */
  candidate(): Deltas {
    const deltas = zeroDeltas(this.#base)
    this.#training.copyCandidate(deltas)
    return deltas
  }

  /** The deltas to be added to the base weights. */
  promoted(): Deltas {
    const deltas = zeroDeltas(this.#base)
    this.#training.copyPromoted(deltas)
    return deltas
  }

  get promotions(): Promotions {
    return this.#training.promotions
  }

  /** True if the global model would learn from `event` if it came next. Changes nothing. */
  wouldLearn(event: LearnEvent): boolean {
    return this.#learningPolicy.routeOf(event) !== undefined
  }

  /** Takes the next event of the log. True when the shared model learned from it or holds it out. */
  learn(event: LearnEvent): boolean {
    const route = this.#learningPolicy.take(event)
    if (route === undefined) return false
    this.#training.train(event, route)
    return true
  }
}
