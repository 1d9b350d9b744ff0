/**
 * Which texts are nearly the same: an attacker with many accounts sends one text many times, each a little
 * different, and a campaign comes to many users.
 *
 * Texts are compared by MinHash over their features (Broder, On the resemblance and containment of documents, 1997): the
 * share of equal numbers in two sketches estimates the share of features that both texts have among those that either has.
 */
import type { SparseVector } from '../features/sparse-vector.ts'

/** Numbers in a sketch: the estimate is off by 0.09 at most in two of three cases. */
const SKETCH = 32

/**
 * Equal numbers from which two texts count as one: nearly half of their features are the same. Of two letters that have half of
 * their features in common nine in ten are found; of two that share a tenth, as those about the same matter do, one in 100,000.
 */
const ALIKE_MIN = 12

/** Texts remembered, of 64 bytes each; the oldest is forgotten first. An installation with 5,000 corrections a day fills them in two days. */
const TEXTS_MAX = 10_000

/** Odd multipliers and offsets, one pair a number of the sketch (Knuth's multiplicative hashing, from 2^32 / golden ratio on). */
const FACTORS = Uint32Array.from({ length: SKETCH }, (_, i) => (0x9e3779b1 * (2 * i + 1)) | 1)

export class TextGroups {
  readonly #textsMax: number
  /** Shape (textsMax, SKETCH). */
  readonly #sketches: Uint16Array
  readonly #groups: Uint32Array
  /** Texts ever sketched, and groups ever made. */
  #texts = 0
  #made = 0

  constructor(textsMax = TEXTS_MAX) {
    this.#textsMax = textsMax
    this.#sketches = new Uint16Array(textsMax * SKETCH)
    this.#groups = new Uint32Array(textsMax)
  }

  /** The number of the group of `text`: that of the first text that is nearly the same, or a new one. */
  groupOf(text: SparseVector): number {
    const sketch = sketchOf(text)
    const known = Math.min(this.#texts, this.#textsMax)
    for (let i = 0; i < known; i++) {
      if (this.#isAlike(sketch, i * SKETCH)) return this.#groups[i]!
    }
    const place = this.#texts++ % this.#textsMax
    this.#sketches.set(sketch, place * SKETCH)
    this.#groups[place] = this.#made
    return this.#made++
  }

  #isAlike(sketch: Uint16Array, start: number): boolean {
    let alike = 0
    for (let i = 0; i < SKETCH; i++) if (sketch[i] === this.#sketches[start + i]) alike++
    return alike >= ALIKE_MIN
  }
}

/** For each hash the least that any feature has: 16 bits of it. */
function sketchOf({ indices }: SparseVector): Uint16Array {
  return Uint16Array.from(FACTORS, (factor) => {
    let least = 0xffffffff
    for (const index of indices) {
      let hash = Math.imul(index + 1, factor)
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0
      hash = (hash ^ (hash >>> 13)) >>> 0
      if (hash < least) least = hash
    }
    return least & 0xffff
  })
}
