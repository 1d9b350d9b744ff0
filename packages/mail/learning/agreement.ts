/**
 * What users agree about, feature by feature: who has corrected each towards which label since it last moved that way, and in
 * how many texts. A feature moves once so many users have corrected it, in as many texts: what one user repeats, few users say
 * or many users say of one text moves nothing.
 *
 * Memory is 8 bytes per feature and label. Voters and texts are counted as bits of a word (linear counting: Whang,
 * Vander-Zanden and Taylor, ACM TODS 15, 1990); two that share a bit count as one, which can only make the model move less.
 */
import { createHash } from 'node:crypto'
import type { SparseVector } from '../features/sparse-vector.ts'

/** Users who must correct a feature the same way, and the texts they must do it in: more than the accounts of one household. */
export const AGREEING_MIN = 5

/** The most that must agree: since bits are shared, some 43 users and texts set 24 of 32. */
export const AGREEING_MAX = 24

/** From 500 active users on, one in a hundred must agree. With one in fifty a thousand honest users gain half as much (packages/lab/reports/learning). */
const USERS_PER_AGREEING = 100

const BITS = 32

/** How many must agree where `activeUsers` correct now and then: from AGREEING_MIN to AGREEING_MAX. */
export function agreeingOf(activeUsers: number): number {
  const share = Math.ceil(activeUsers / USERS_PER_AGREEING)
  return Math.min(AGREEING_MAX, Math.max(AGREEING_MIN, share))
}

/** The bit of `userId` in Agreement. */
export function voterOf(userId: string): number {
  return createHash('sha256').update(userId).digest().readUInt32LE(0) % BITS
}

/** One correction as a vote. */
export interface Vote {
  readonly label: number
  /** As `voterOf` gives it. */
  readonly voter: number
  /** The number of the text, the same for near-identical texts. */
  readonly text: number
}

export class Agreement {
  readonly #labels: number
  /** The bits of voters and of texts. Shape (features, labels, 2). */
  readonly #held: Uint32Array

  constructor(features: number, labels: number) {
    this.#labels = labels
    this.#held = new Uint32Array(features * labels * 2)
  }

  /** Notes a vote for a message with these features; returns the features that move by it, about which `agreeing` agree. */
  agreed({ size, indices, values }: SparseVector, vote: Vote, agreeing: number): SparseVector {
    const positions: number[] = []
    for (let i = 0; i < indices.length; i++) {
      const start = (indices[i]! * this.#labels + vote.label) * 2
      if (isAgreed(this.#held, start, vote, agreeing)) positions.push(i)
    }
    return {
      size,
      indices: Uint32Array.from(positions, (position) => indices[position]!),
      values: Float32Array.from(positions, (position) => values[position]!),
    }
  }
}

/** Holds the vote back; or, where only one was missing, clears those from `start` on and returns true. */
function isAgreed(
  held: Uint32Array,
  start: number,
  { voter, text }: Vote,
  agreeing: number,
): boolean {
  const voters = held[start]! | (1 << voter)
  const texts = held[start + 1]! | (1 << (text % BITS))
  const isEnough = Math.min(bitsOf(voters), bitsOf(texts)) >= agreeing
  held[start] = isEnough ? 0 : voters
  held[start + 1] = isEnough ? 0 : texts
  return isEnough
}

/** How many bits of `word` are set (Hacker's Delight, 5-1). */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24) & 0xff
}

// Which texts are nearly the same: an attacker with many accounts sends one text many times, each a little
// different, and a campaign comes to many users.
//
// Texts are compared by MinHash over their features (Broder, On the resemblance and containment of documents, 1997): the
// share of equal numbers in two sketches estimates the share of features that both texts have among those that either has.

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
