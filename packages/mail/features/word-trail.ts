/**
 * The words of a text in order, each with the index of its feature: from these the stretch can be
 * found that a model takes for the worst, without drawing features again.
 */

/** Words in a stretch: from a line with a link, over an offer in a few sentences, to a whole letter. */
const STRETCH_WORDS = [40, 80, 160] as const

/** A text has to have so many times the words of a stretch: a stretch of all its words says what the whole says. */
const STRETCH_TIMES_MIN = 1.5

export class WordTrail {
  /** The index of each word's feature. The text model weighs no pairs (lab/training/train.ts). */
  #words = new Uint32Array(1_024)
  #starts = new Uint32Array(1_024)
  #count = 0
  /** The sum of the weights up to each word, when last asked for. */
  #sums = new Int32Array(1_025)
  #units = new Uint16Array(8_192)
  #length = 0

  get length(): number {
    return this.#count
  }

  clear(): void {
    this.#count = 0
    this.#length = 0
  }

  /** Starts on another text, in its normalised form; returns where it begins. */
  begin(units: Uint16Array): number {
    const start = this.#length
    this.#length += units.length + 1
    if (this.#length > this.#units.length) {
      const larger = new Uint16Array(this.#length * 2)
      larger.set(this.#units.subarray(0, start))
      this.#units = larger
    }
    this.#units.set(units, start)
    this.#units[this.#length - 1] = SPACE
    return start
  }

  /** Adds the next word, which begins at `start`. */
  add(start: number, word: number): void {
    if (this.#count === this.#words.length) this.#grow()
    this.#words[this.#count] = word
    this.#starts[this.#count++] = start
  }

  /**
   * The words in a row whose features have the largest sum of `weights` for the square root of their
   * number, by which features are scaled (sparse-vector.ts): 40, 80 or 160 words. Undefined for a text of
   * fewer than 60.
   */
  strongest(weights: Int16Array): string | undefined {
    if (this.#count < STRETCH_WORDS[0] * STRETCH_TIMES_MIN) return undefined
    const sums = this.#sumsOf(weights)
    let most = Number.NEGATIVE_INFINITY
    let start = 0
    let end = 0
    for (const words of STRETCH_WORDS) {
      if (this.#count < words * STRETCH_TIMES_MIN) break
      const { sum, after } = largestSum(sums, words)
      const strength = sum / Math.sqrt(words)
      if (strength <= most) continue
      most = strength
      start = after - words
      end = after
    }
    return this.#text(start, end)
  }

  /** The words from `start` to before `end`. */
  #text(start: number, end: number): string {
    const stop = end < this.#count ? this.#starts[end]! : this.#length
    return utf16.decode(this.#units.subarray(this.#starts[start]!, stop)).trim()
  }

  /** The sum of the weights up to each word. Fetching a weight costs more than all else here, so each is fetched once. */
  #sumsOf(weights: Int16Array): Int32Array {
    if (this.#sums.length <= this.#count) this.#sums = new Int32Array(this.#words.length + 1)
    const sums = this.#sums.subarray(0, this.#count + 1)
    let sum = 0
    for (let at = 0; at < this.#count; at++) {
      sum += weights[this.#words[at]!]!
      sums[at + 1] = sum
    }
    return sums
  }

  #grow(): void {
    this.#words = doubled(this.#words)
    this.#starts = doubled(this.#starts)
  }
}

/** The largest sum of `words` in a row, given the sums up to each word, and the position after them. */
function largestSum(sums: Int32Array, words: number): { sum: number; after: number } {
  let largest = Number.NEGATIVE_INFINITY
  let after = words
  for (let at = words; at < sums.length; at++) {
    const sum = sums[at]! - sums[at - words]!
    if (sum <= largest) continue
    largest = sum
    after = at
  }
  return { sum: largest, after }
}

const SPACE = 0x20

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

function doubled(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2)
  larger.set(values)
  return larger
}
