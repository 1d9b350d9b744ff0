/**
 * How far a figure might lie elsewhere on other mail of the same kind: the bootstrap (Efron and
 * Tibshirani, An Introduction to the Bootstrap, 1993, §13.3), drawing whole groups with
 * replacement, since the messages of one sender go right or wrong together.
 *
 * It tells nothing of what another training set would have given, nor of mail unlike this.
 */
import { randomSource } from '../training/random.ts'

/** The middle 95 % of resampled figures. NaN twice when none could be had. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Enough for the second digit of a 95 % interval. */
const RESAMPLES = 500

const COVERAGE = 0.95

const SEED = 95

/** How to draw: by `groupOf`, and as many groups from each stratum (a source) as it has. */
export interface Drawing<T> {
  readonly groupOf: (item: T) => string
  readonly stratumOf?: (item: T) => string
}

/**
 * The 95 % interval of `statistic` on `items`; resamples in which it is NaN are passed over. None
 * (NaN twice) when every stratum is a single group: there is nothing to draw from.
 */
export function bootstrapInterval<T>(
  items: readonly T[],
  statistic: (items: readonly T[]) => number,
  { groupOf, stratumOf = () => '' }: Drawing<T>,
): Interval {
  const random = randomSource(SEED)
  const strata = [...Map.groupBy(items, stratumOf).values()].map((own) => [
    ...Map.groupBy(own, groupOf).values(),
  ])
  const figures: number[] = []
  if (strata.every((groups) => groups.length < 2)) return { low: Number.NaN, high: Number.NaN }
  for (let i = 0; i < RESAMPLES; i++) {
    const figure = statistic(strata.flatMap((groups) => resample(groups, random)))
    if (!Number.isNaN(figure)) figures.push(figure)
  }
  const ascending = Float64Array.from(figures).sort()
  return {
    low: quantile(ascending, (1 - COVERAGE) / 2),
    high: quantile(ascending, (1 + COVERAGE) / 2),
  }
}

/** As many groups as there are, drawn with replacement, laid end to end. */
function resample<T>(groups: readonly (readonly T[])[], random: () => number): T[] {
  const drawn: T[] = []
  for (let i = 0; i < groups.length; i++) {
    drawn.push(...groups[Math.floor(random() * groups.length)]!)
  }
  return drawn
}

/** The quantile of values in ascending order: the nearest value below. */
function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN
}
