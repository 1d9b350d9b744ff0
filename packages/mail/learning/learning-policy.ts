/**
 * Decides which corrections the shared model learns from, and how. It is cheap, so that the answer to
 * a correction can say at once whether it is learned; online-learning.ts does the learning.
 */
import type { Models } from '../models/models.ts'
import { exampleOf, type UnnamedEvent } from './learn-event.ts'
import { LearningLimits, LIMITS, type LimitSettings } from './learning-limits.ts'

/**
 * What moves the shared model: what users agree about (`users`); also, and at once, what the operator
 * has said (`operator`); nothing (`off`).
 */
export const LEARNING_MODES = ['users', 'operator', 'off'] as const

export type LearningMode = (typeof LEARNING_MODES)[number]

/** How one correction is learned: as the word of the operator, or as that of one user, with whom so many must agree. */
export type LearningRoute =
  | { readonly by: 'operator' }
  | { readonly by: 'users'; readonly agreeing: number }

export interface LearningSettings {
  readonly mode: LearningMode
  /** Whether nothing is learned from a user, whatever the mode. */
  readonly isOff?: (userId: string) => boolean
  readonly limits?: LimitSettings
}

export class LearningPolicy {
  readonly #base: Models
  readonly #mode: LearningMode
  readonly #isOff: (userId: string) => boolean
  readonly #limits: LearningLimits

  /** @param base whose features those of the events are. */
  constructor(base: Models, { mode, isOff = () => false, limits = LIMITS }: LearningSettings) {
    this.#base = base
    this.#mode = mode
    this.#isOff = isOff
    this.#limits = new LearningLimits(limits)
  }

  /** How `event` would be learned if it came next; undefined if it would not. Changes nothing. */
  routeOf(event: UnnamedEvent): LearningRoute | undefined {
    if (this.#mode === 'off' || this.#isOff(event.userId)) return undefined
    if (exampleOf(event, this.#base) === undefined) return undefined
    if (this.#isOperators(event)) return { by: 'operator' }
    if (!this.#limits.admits(event)) return undefined
    return { by: 'users', agreeing: this.#limits.agreeing }
  }

  /** Takes the next event of the log; gives what `routeOf` gives. */
  take(event: UnnamedEvent): LearningRoute | undefined {
    const route = this.routeOf(event)
    if (!this.#isOperators(event)) this.#limits.note(event, route !== undefined)
    return route
  }

  /** Takes the next event of the log where it cannot be learned from: its user is known from then on. */
  passOver(event: UnnamedEvent): void {
    this.#limits.hear(event)
  }

  #isOperators({ authority }: UnnamedEvent): boolean {
    return this.#mode === 'operator' && authority === 'operator'
  }
}
