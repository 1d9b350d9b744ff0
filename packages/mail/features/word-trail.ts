/**
 * The words of a text in order, each with the indices of its features: from these the stretch can be
 * found that a model takes for the worst, without drawing features again.
 */

/** Words in a stretch: an offer or a threat in a few sentences. */
export const STRETCH_WORDS = 100

export class WordTrail {
  /** The index of each word's own feature, and that of the pair that ends with it; the word's again where there is no pair. */
  #words = new Uint32Array(1_024)
  #pairs = new Uint32Array(1_024)
  #starts = new Uint32Array(1_024)
  #count = 0
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
  add(start: number, word: number, pair: number): void {
    if (this.#count === this.#words.length) this.#grow()
    this.#words[this.#count] = word
    this.#pairs[this.#count] = pair
    this.#starts[this.#count++] = start
  }

  /**
   * The STRETCH_WORDS words in a row whose features have the largest sum of `weights`; undefined for
   * a text with fewer than one and a half times as many words.
   */
  strongest(weights: Int16Array): string | undefined {
    if (this.#count < STRETCH_WORDS * 1.5) return undefined
    const sums = this.#weights(weights)
    let sum = 0
    let best = Number.NEGATIVE_INFINITY
    let bestEnd = 0
    for (let at = 0; at < this.#count; at++) {
      sum += sums[at]!
      if (at >= STRETCH_WORDS) sum -= sums[at - STRETCH_WORDS]!
      if (at >= STRETCH_WORDS - 1 && sum > best) {
        best = sum
        bestEnd = at + 1
      }
    }
    const start = this.#starts[bestEnd - STRETCH_WORDS]!
    const end = bestEnd < this.#count ? this.#starts[bestEnd]! : this.#length
    return utf16.decode(this.#units.subarray(start, end)).trim()
  }

  /** The weight of each word: fetching a weight costs more than all else here, so each is fetched once. */
  #weights(weights: Int16Array): Int32Array {
    const sums = new Int32Array(this.#count)
    for (let at = 0; at < this.#count; at++) {
      sums[at] = weights[this.#words[at]!]! + weights[this.#pairs[at]!]!
    }
    return sums
  }

  #grow(): void {
    this.#words = doubled(this.#words)
    this.#pairs = doubled(this.#pairs)
    this.#starts = doubled(this.#starts)
  }
}

const SPACE = 0x20

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

function doubled(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(values.length * 2)
  larger.set(values)
  return larger
}
