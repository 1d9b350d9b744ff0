/**
 * Which corrections teach the model that all users share, and how. Cheap, so that whoever records
 * a correction can say at once whether it teaches; the teaching itself is fits.ts's.
 */
import { type LearnEvent, lessonOf, OPERATOR_ID } from './learn-event.ts'
import { LIMITS, type LimitSettings, TeachingLimits } from './teaching-limits.ts'

/**
 * Whose corrections teach: of whoever runs the service, each once (`operator`); of many users,
 * within limits (`users`); nobody's (`off`). `auto` is `operator` until USERS_MIN users have
 * corrected. Unless it is `off`, the operator's own (OPERATOR_ID) count each, once.
 */
export type LearningMode = 'auto' | 'operator' | 'users' | 'off'

/** How one correction teaches: as the word of whoever runs the service, or as that of one of many. */
export type Teaching = 'operator' | 'users'

export interface LearningSettings {
  readonly mode: LearningMode
  /** For the mode `users`. */
  readonly limits?: LimitSettings
}

/** Below this there is nobody to hide behind: they are one household or one team. */
const USERS_MIN = 5

export class Curriculum {
  readonly #mode: LearningMode
  readonly #limits: TeachingLimits
  /** At most USERS_MIN. */
  readonly #users = new Set<string>()

  constructor({ mode, limits = LIMITS }: LearningSettings) {
    this.#mode = mode
    this.#limits = new TeachingLimits(limits)
  }

  /** How `event` would teach, being the next; undefined when it would not. Changes nothing. */
  teachingOf(event: LearnEvent): Teaching | undefined {
    if (lessonOf(event) === undefined) return undefined
    const mode = this.#modeWith(event)
    if (mode === 'users') return this.#limits.admits(event) ? 'users' : undefined
    return mode === 'operator' ? 'operator' : undefined
  }

  /** Takes the next event of the log; gives what `teachingOf` gives. */
  take(event: LearnEvent): Teaching | undefined {
    const teaching = this.teachingOf(event)
    const mode = this.#modeWith(event)
    if (this.#users.size < USERS_MIN && event.userId !== OPERATOR_ID) {
      this.#users.add(event.userId)
    }
    if (mode === 'users') this.#limits.note(event, teaching !== undefined)
    return teaching
  }

  #modeWith({ userId }: LearnEvent): Exclude<LearningMode, 'auto'> {
    if (userId === OPERATOR_ID && this.#mode !== 'off') return 'operator'
    if (this.#mode !== 'auto') return this.#mode
    const users = this.#users.size + (this.#users.has(userId) ? 0 : 1)
    return users < USERS_MIN ? 'operator' : 'users'
  }
}
