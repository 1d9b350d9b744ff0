/**
 * Learns what is added to the shipped weights, correction by correction: what the operator has said, plus
 * what users agree about. The two are learned independently, so that neither is refused or promoted
 * because of the other.
 */
import type { Canary } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { CrowdLearning } from './crowd-learning.ts'
import { copyModelDeltas, type Deltas } from './deltas.ts'
import { exampleOf, type LearnEvent } from './learn-event.ts'
import type { LearningRoute } from './learning-policy.ts'
import { OperatorLearning } from './operator-learning.ts'

/** What training needs of a correction. */
export type LearningEvent = Pick<
  LearnEvent,
  'feedbackId' | 'userId' | 'kind' | 'label' | 'messageKey' | 'features'
>

/** How often candidates were promoted, and how often refused because they judged the canary set worse. */
export interface Promotions {
  readonly promoted: number
  readonly refused: number
}

export class OnlineLearning {
  readonly #base: Models
  readonly #canary: Canary
  /** Each from its first example on: they take megabytes. */
  #operator: OperatorLearning | undefined
  #crowd: CrowdLearning | undefined
  #promoted = 0
  #refused = 0

  constructor(base: Models, canary: Canary) {
    this.#base = base
    this.#canary = canary
  }

  get promotions(): Promotions {
    return { promoted: this.#promoted, refused: this.#refused }
  }

  /** Takes a correction to learn from. @throws TypeError for one that `exampleOf` makes no example of. */
  train(event: LearningEvent, route: LearningRoute): void {
    const example = exampleOf(event, this.#base)
    if (example === undefined) throw new TypeError('The correction is no example')
    if (route.by === 'operator') {
      this.#operator ??= new OperatorLearning(this.#base)
      if (this.#operator.train(event, example)) this.#promoted++
      return
    }
    this.#crowd ??= new CrowdLearning(this.#base, this.#canary)
    const outcome = this.#crowd.train(event, example, route.agreeing)
    if (outcome === 'promoted') this.#promoted++
    if (outcome === 'refused') this.#refused++
  }

  /** Writes the deltas to be added to the base weights. */
  copyPromoted(into: Deltas): void {
    copyModelDeltas(this.#operator?.promoted, into.operator)
    copyModelDeltas(this.#crowd?.promoted, into.crowd)
  }

  /** Writes the deltas after the latest steps, promoted or not. */
  copyCandidate(into: Deltas): void {
    copyModelDeltas(this.#operator?.candidate, into.operator)
    copyModelDeltas(this.#crowd?.candidate, into.crowd)
  }
}
