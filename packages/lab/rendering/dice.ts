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

/**
 * Patterns: text with places to fill, the form in which the habits of mail programs are written
 * down. '{from}' is a value by name; '{hex:8}' eight random characters; '{?30}' at the start of a
 * row keeps it in 30 of 100 renderings.
 */

/** By name; undefined where a message has no such thing. */
export type Values = Readonly<Record<string, string | undefined>>

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'

/** What a place of random characters is filled with. */
const ALPHABETS: Readonly<Record<string, string>> = {
  hex: `${DIGITS}abcdef`,
  HEX: `${DIGITS}ABCDEF`,
  digits: DIGITS,
  lower: LOWER,
  base36: DIGITS + LOWER,
  BASE36: DIGITS + UPPER,
  base62: DIGITS + LOWER + UPPER,
  base64: `${DIGITS + LOWER + UPPER}+/`,
}

const PLACE = /\{(\w+)(?::(\d+))?\}/g

/** `pattern` filled, or undefined where a value it names is undefined. */
export function fill(pattern: string, values: Values, dice: Dice): string | undefined {
  let complete = true
  const text = pattern.replace(PLACE, (_, name: string, length: string | undefined) => {
    const alphabet = ALPHABETS[name]
    if (alphabet !== undefined) return dice.characters(alphabet, Number(length ?? 1))
    const value = name === 'uuid' ? uuid(dice) : values[name]
    if (value === undefined) complete = false
    return value ?? ''
  })
  return complete ? text : undefined
}

/** Rows of `pattern`, filled; those that are left out by chance or for want of a value are not there. */
export function fillRows(pattern: string, values: Values, dice: Dice): string[] {
  return pattern
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, percent, rest] = /^\{\?(\d+)\}(.*)$/.exec(row) ?? [undefined, '100', row]
      return dice.chance(Number(percent) / 100) ? [fill(rest!, values, dice)] : []
    })
    .filter((row) => row !== undefined)
}

/** Version 4, RFC 9562. */
function uuid(dice: Dice): string {
  const hex = (length: number) => dice.characters(ALPHABETS.hex!, length)
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${dice.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`
}
