/**
 * What the bodies of one message may cost beyond a single look at their bytes: a thousand small parts
 * would each stay below the limits of a body, and cost a thousand times as much together.
 */
import { REPEATED_BYTES_MAX, STYLE_RULE_STEPS, STYLE_STEPS_MAX, TEXT_BYTES_MIN } from './limits.ts'

export class ReadingBudget {
  #bytesLeft = REPEATED_BYTES_MAX
  #styleStepsLeft = STYLE_STEPS_MAX
  #isExceeded = false

  /** True when something was left unread. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Whether so many bytes that have been read in one way may be read in another; a few cost as much as TEXT_BYTES_MIN. */
  allowsRepeating(bytes: number): boolean {
    this.#bytesLeft -= Math.max(bytes, TEXT_BYTES_MIN)
    return this.#isAllowed(this.#bytesLeft)
  }

  /** Whether one more rule of a style sheet may be read. */
  allowsRule(): boolean {
    return this.allowsMatches(STYLE_RULE_STEPS)
  }

  /** Whether so many selectors may be matched with an element. */
  allowsMatches(count: number): boolean {
    this.#styleStepsLeft -= count
    return this.#isAllowed(this.#styleStepsLeft)
  }

  #isAllowed(left: number): boolean {
    this.#isExceeded ||= left < 0
    return left >= 0
  }
}
