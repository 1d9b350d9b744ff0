/** Choices by chance that are the same for the same seed: an input is known by its number. */
import { randomSource } from '../../../lab/training/random.ts'

export interface Dice {
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  /** True with that probability. */
  chance(probability: number): boolean
  pick<Choice>(choices: readonly Choice[]): Choice
  /** What one of `makers` makes: so that the others need not be made. */
  make<Made>(makers: readonly ((dice: Dice) => Made)[]): Made
  /** How many of something: mostly a few, at most `end`, seldom that many. */
  count(end: number): number
}

/** Odd and large (2^32 / the golden ratio), so that the seeds of neighbouring inputs are far apart. */
const SEED_FACTOR = 0x9e3779b1

/** Share of the inputs in which there may be much of something. */
const LARGE_SHARE = 0.05

/** How often a count is a large one, there. */
const LARGE_COUNT_SHARE = 0.05

/** What all large counts of one input come to: much of much would be more than any message holds. */
const LARGE_TOTAL = 100_000

/** A count that is not large. */
const FEW_MAX = 4

/** The dice of input `number` of the run with that seed. */
export function diceOf(seed: number, number: number): Dice {
  const random = randomSource(Math.imul(seed, SEED_FACTOR) ^ Math.imul(number + 1, SEED_FACTOR + 2))
  const below = (end: number) => Math.floor(random() * end)
  const pick = <Choice>(choices: readonly Choice[]) => choices[below(choices.length)] as Choice
  let more = random() < LARGE_SHARE ? LARGE_TOTAL : 0
  const large = (end: number) => {
    const many = Math.ceil(Math.min(end, more) ** random())
    more -= many
    return many
  }
  const dice: Dice = {
    below,
    pick,
    chance: (probability) => random() < probability,
    make: (makers) => pick(makers)(dice),
    count: (end) =>
      more > FEW_MAX && end > FEW_MAX && random() < LARGE_COUNT_SHARE
        ? large(end)
        : below(Math.min(end, FEW_MAX) + 1),
  }
  return dice
}

/** As many of what `make` makes as `count` says, joined. */
export function repeated(count: number, make: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => make(at)).join('')
}
