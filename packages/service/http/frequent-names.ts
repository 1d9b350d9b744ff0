/**
 * Which of many names are met most often, in bounded memory: hostile senders make up as many domains as
 * they like. Space-saving, Metwally, Agrawal and El Abbadi, Efficient Computation of Frequent and Top-k
 * Elements in Data Streams (2005), §3: a new name takes the place of the one met least.
 */

interface Counted<Counts> {
  readonly counts: Counts
  /** How often the name was met since it has its place. */
  met: number
  /** The most that it can have been met before. */
  readonly before: number
}

/**
 * `Counts` are those of a name since it has its place. They are too low by at most the number of names
 * met, divided by `namesMax`; a name that was met more often than that has a place.
 */
export class FrequentNames<Counts> {
  readonly #namesMax: number
  readonly #none: () => Counts
  readonly #names = new Map<string, Counted<Counts>>()

  /** @param none what a name begins with. */
  constructor(namesMax: number, none: () => Counts) {
    this.#namesMax = namesMax
    this.#none = none
  }

  get size(): number {
    return this.#names.size
  }

  /** The counts of `name`, which was met: the caller adds to them. */
  meet(name: string): Counts {
    const counted = this.#names.get(name) ?? this.#enter(name)
    counted.met++
    return counted.counts
  }

  /** Each name that has a place, with its counts. */
  *[Symbol.iterator](): Iterator<readonly [string, Counts]> {
    for (const [name, { counts }] of this.#names) yield [name, counts]
  }

  #enter(name: string): Counted<Counts> {
    const before = this.#names.size < this.#namesMax ? 0 : this.#giveUpOne()
    const counted = { counts: this.#none(), met: 0, before }
    this.#names.set(name, counted)
    return counted
  }

  /** Takes its place from the name met least, and gives the most that this can have been met. */
  #giveUpOne(): number {
    let least = Number.POSITIVE_INFINITY
    let found = ''
    for (const [name, { met, before }] of this.#names) {
      if (met + before >= least) continue
      least = met + before
      found = name
    }
    this.#names.delete(found)
    return least
  }
}
