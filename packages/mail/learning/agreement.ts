/**
 * What users agree about, feature by feature: who has corrected each towards which label since it last
 * moved that way, and in how many texts. A feature moves once so many users have corrected it, in as many
 * texts; the corrections before are held back, and the next step takes as many again. So what one user
 * repeats, few users say or many users say of one text moves nothing.
 *
 * Memory is bounded whatever users send: 8 bytes per feature and label. Voters and texts are counted as bits of a word
 * (linear counting: Whang, Vander-Zanden and Taylor, ACM TODS 15, 1990); two that share a bit count as one, which can only make
 * the model move less. The operating system allocates no pages that have never been written.
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
