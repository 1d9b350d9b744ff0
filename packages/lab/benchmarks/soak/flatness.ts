/**
 * Whether something that goes up and down stays where it is, judged over the second half of a
 * run: by then caches are full and code is compiled.
 */

import { spreadOf } from '../spread.ts'

/** A reading at a time, in seconds. */
export interface Reading {
  readonly at: number
  readonly value: number
}

/** What may change over the half that is looked at: a share of the median, or that much if it is more. */
export interface Allowance {
  readonly share: number
  readonly least: number
}

export interface Flatness {
  readonly median: number
  readonly max: number
  /** What the slope comes to over the half that was looked at; below zero when it falls. */
  readonly growth: number
  readonly allowed: number
  readonly isFlat: boolean
}

/** The flatness of the second half of the readings. Falling counts as flat. */
export function flatnessOf(readings: readonly Reading[], { share, least }: Allowance): Flatness {
  const half = readings.slice(Math.floor(readings.length / 2))
  const [first, last] = [half[0], half.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('There are no readings')
  const values = half.map(({ value }) => value)
  const median = spreadOf(values).median
  const growth = medianSlope(half) * (last.at - first.at)
  const allowed = Math.max(least, share * median)
  return { median, max: Math.max(...values), growth, allowed, isFlat: growth <= allowed }
}

/**
 * Change a second: the median of the slopes between any two readings (Theil 1950, Sen 1968). Three
 * readings in ten may lie anywhere and change nothing, as a garbage collector's saw-tooth does.
 */
export function medianSlope(readings: readonly Reading[]): number {
  const slopes = readings.flatMap((one, i) =>
    readings
      .slice(i + 1)
      .filter(({ at }) => at > one.at)
      .map((other) => (other.value - one.value) / (other.at - one.at)),
  )
  return slopes.length === 0 ? 0 : spreadOf(slopes).median
}
