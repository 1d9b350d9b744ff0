/**
 * Which corrections teach the model that all users share, and how. Cheap, so that whoever records
 * a correction can say at once whether it teaches; the route itself is online-learning.ts's.
 */
import type { Models } from '../models/models.ts'
import { exampleOf, type LearnEvent } from './learn-event.ts'
import { LearningLimits, LIMITS, type LimitSettings } from './learning-limits.ts'

/**
 * What moves the shared model: what users agree about (`users`); besides that, at once, what whoever
 * runs the service has said (`operator`); nothing (`off`).
 */
export const LEARNING_MODES = ['users', 'operator', 'off'] as const

export type LearningMode = (typeof LEARNING_MODES)[number]

/** How one correction teaches: as the word of whoever runs the service, or as that of one of many. */
export type LearningRoute = 'operator' | 'users'

export interface LearningSettings {
  readonly mode: LearningMode
  readonly limits?: LimitSettings
}

export class LearningPolicy {
  readonly #base: Models
  readonly #mode: LearningMode
  readonly #limits: LearningLimits

  /** @param base whose features those of the events are. */
  constructor(base: Models, { mode, limits = LIMITS }: LearningSettings) {
    this.#base = base
    this.#mode = mode
    this.#limits = new LearningLimits(limits)
  }

  /** How `event` would teach, being the next; undefined when it would not. Changes nothing. */
  routeOf(event: LearnEvent): LearningRoute | undefined {
    if (this.#mode === 'off' || exampleOf(event, this.#base) === undefined) return undefined
    if (this.#isOperators(event)) return 'operator'
    return this.#limits.admits(event) ? 'users' : undefined
  }

  /** Takes the next event of the log; gives what `routeOf` gives. */
  take(event: LearnEvent): LearningRoute | undefined {
    const route = this.routeOf(event)
    if (!this.#isOperators(event)) this.#limits.note(event, route !== undefined)
    return route
  }

  /** Takes the next event of the log where it cannot be learned from: its user is known from then on. */
  passOver(event: LearnEvent): void {
    this.#limits.hear(event)
  }

  #isOperators({ word }: LearnEvent): boolean {
    return this.#mode === 'operator' && word === 'operator'
  }
}
