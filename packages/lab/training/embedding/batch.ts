/** The pairs of one step, and the words in them. */
import type { PairSource } from './pairs.ts'
import type { Texts } from './texts.ts'

/** Tries for a pair that is not in the batch yet; a source has many times as many as a batch. */
const TRIES_MAX = 100

export interface Batch {
  /** Numbers of the words in it, none twice. */
  readonly words: readonly number[]
  /** For each text the places of its words in `words`: all left ones, then all right ones. Shape (2 · pairs,). */
  readonly texts: readonly Int32Array[]
}

/** Draws sources by their share and pairs evenly. Every thread has one, and they draw alike. */
export class BatchReader {
  readonly #sources: readonly PairSource[]
  readonly #random: () => number
  /** Place of each word in the batch that is being drawn, -1 where it is not in it. */
  readonly #places: Int32Array

  constructor(sources: readonly PairSource[], words: number, random: () => number) {
    this.#sources = sources
    this.#random = random
    this.#places = new Int32Array(words).fill(-1)
  }

  /** `pairs` pairs of one source. */
  next(pairs: number): Batch {
    const source = this.#drawSource()
    const drawn = this.#drawPairs(source, pairs)
    const words: number[] = []
    const texts = [source.left, source.right].flatMap((side) =>
      drawn.map((pair) => this.#place(side, pair, words)),
    )
    for (const number of words) this.#places[number] = -1
    return { words, texts }
  }

  #drawSource(): PairSource {
    const shares = this.#sources.reduce((sum, { share }) => sum + share, 0)
    let left = this.#random() * shares
    for (const source of this.#sources) {
      left -= source.share
      if (left < 0) return source
    }
    return this.#sources.at(-1)!
  }

  #drawPairs(source: PairSource, count: number): number[] {
    const drawn = new Set<number>()
    const pairs: number[] = []
    for (let i = 0; i < count; i++) {
      let pair = Math.floor(this.#random() * source.pairs)
      for (let tries = 1; drawn.has(pair) && tries < TRIES_MAX; tries++) {
        pair = Math.floor(this.#random() * source.pairs)
      }
      drawn.add(pair)
      pairs.push(pair)
    }
    return pairs
  }

  #place({ starts, words }: Texts, text: number, into: number[]): Int32Array {
    return words.slice(starts[text]!, starts[text + 1]!).map((number) => {
      if (this.#places[number]! < 0) this.#places[number] = into.push(number) - 1
      return this.#places[number]!
    })
  }
}
