/**
 * Learns what is added to the weights of the shipped models from the log of corrections, in order: the operator's
 * corrections, and what users agree about, separately.
 *
 * The result depends on the models, the canary set, the settings and the corrections alone: so the same log without one
 * user's corrections gives, bit for bit, what it would have given had that user never been there.
 */
import type { Canary } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { CrowdLearning } from './crowd-learning.ts'
import { type Deltas, zeroModelDeltas } from './deltas.ts'
import { exampleOf, type LearnEvent } from './learn-event.ts'
import { LearningLimits, LIMITS, type LimitSettings } from './learning-limits.ts'
import { OperatorLearning } from './operator-learning.ts'

/**
 * What changes the shared model: corrections that users agree on (`users`); also the operator's (`operator`); nothing (`off`).
 */
export const LEARNING_MODES = ['users', 'operator', 'off'] as const

export type LearningMode = (typeof LEARNING_MODES)[number]

export interface LearningSettings {
  readonly mode: LearningMode
  /** Whether nothing is learned from a user, whatever the mode. */
  readonly isOff?: (userId: string) => boolean
  readonly limits?: LimitSettings
}

export interface Learned {
  readonly deltas: Deltas
  /** Corrections that were learned from, or count towards an agreement. */
  readonly corrections: number
  /** How often a step was taken into the deltas, and how often refused because it judged the canary set worse. */
  readonly promoted: number
  readonly refused: number
}

/** Learns from all of `events`, which are the log in order. */
export async function learn(
  base: Models,
  canary: Canary,
  settings: LearningSettings,
  events: AsyncIterable<LearnEvent>,
): Promise<Learned> {
  const learner = new Learner(base, canary, settings)
  for await (const event of events) learner.take(event)
  return learner.learned()
}

/** The same, one correction after the other. */
export class Learner {
  readonly #base: Models
  readonly #canary: Canary
  readonly #mode: LearningMode
  readonly #isOff: (userId: string) => boolean
  readonly #limits: LearningLimits
  /** Each from its first correction on: they take megabytes. */
  #operator: OperatorLearning | undefined
  #crowd: CrowdLearning | undefined
  #corrections = 0
  #promoted = 0
  #refused = 0

  constructor(
    base: Models,
    canary: Canary,
    { mode, isOff = () => false, limits = LIMITS }: LearningSettings,
  ) {
    this.#base = base
    this.#canary = canary
    this.#mode = mode
    this.#isOff = isOff
    this.#limits = new LearningLimits(limits)
  }

  /** Takes the next correction of the log. */
  take(event: LearnEvent): void {
    if (this.#mode === 'off') return
    // Features that other code drew from a message mean something else to this code.
    if (event.featureVersion !== this.#base.featureVersion) {
      this.#limits.hear(event)
      return
    }
    const example = this.#isOff(event.userId) ? undefined : exampleOf(event, this.#base)
    if (this.#mode === 'operator' && event.authority === 'operator') {
      if (example === undefined) return
      this.#operator ??= new OperatorLearning(this.#base)
      if (this.#operator.train(event, example)) this.#promoted++
    } else {
      const agreeing = this.#limits.take(event, example !== undefined)
      if (example === undefined || agreeing === undefined) return
      this.#crowd ??= new CrowdLearning(this.#base, this.#canary)
      const outcome = this.#crowd.train(event, example, agreeing)
      if (outcome === 'promoted') this.#promoted++
      if (outcome === 'refused') this.#refused++
    }
    this.#corrections++
  }

  learned(): Learned {
    return {
      deltas: {
        operator: this.#operator?.deltas ?? zeroModelDeltas(this.#base),
        crowd: this.#crowd?.promoted ?? zeroModelDeltas(this.#base),
      },
      corrections: this.#corrections,
      promoted: this.#promoted,
      refused: this.#refused,
    }
  }
}
