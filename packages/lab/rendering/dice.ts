/**
 * Chance that falls the same way every time: all that is left open in a rendering is drawn from
 * here, and never from the label.
 */
import { createHash } from 'node:crypto'
import { randomSource } from '../training/random.ts'

/** Changes every rendering at once. */
const SEED = 20_261_121

/** Rows of a value and how often it is drawn, in any unit. */
export type Shares<T> = readonly (readonly [T, number])[]

export class Dice {
  readonly #random: () => number

  /** The same names give the same draws. */
  constructor(...names: readonly (string | number)[]) {
    const digest = createHash('sha256')
      .update([SEED, ...names].join('|'))
      .digest()
    this.#random = randomSource(digest.readUInt32LE())
  }

  /** Dice of their own for a part of the work, so that what is drawn there shifts nothing here. */
  fork(): Dice {
    return new Dice('fork', this.#random())
  }

  /** True with `probability`. */
  chance(probability: number): boolean {
    return this.#random() < probability
  }

  /** A whole number from `low` to `high`, both possible. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1))
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)]!
  }

  /** One of the values, each by its share. */
  draw<T>(shares: Shares<T>): T {
    let left = this.#random() * shares.reduce((sum, [, share]) => sum + share, 0)
    for (const [value, share] of shares) {
      left -= share
      if (left < 0) return value
    }
    return shares.at(-1)![0]
  }

  /** `length` characters of `alphabet`. */
  characters(alphabet: string, length: number): string {
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[Math.floor(this.#random() * alphabet.length)]
    return text
  }
}
