/**
 * What users agree about, feature by feature: who has taught each towards which label since it was
 * moved that way last. A step is taken with the word of the user who makes them AGREEMENT_MIN; the
 * words before are held back, and for the next step it takes as many users again. So a word that
 * one user repeats, or that few users say, moves nothing.
 *
 * Memory is bounded whatever is said: 2 bytes a voter, AGREEMENT_MIN - 1 of them a feature and
 * label. Of the pages that nobody has touched the operating system keeps none.
 */
import { createHash } from 'node:crypto'
import type { SparseVector } from '../features/sparse-vector.ts'

/** Users who must teach a feature the same way: more than the accounts of one household. */
export const AGREEMENT_MIN = 5

const HELD_MAX = AGREEMENT_MIN - 1

/** Voters are told apart by 16 bits. Two who share them count as one, which moves less and never more. */
const VOTERS = 2 ** 16 - 1

/** Names `userId` in Agreement. From 1, since 0 stands for nobody. */
export function voterOf(userId: string): number {
  return 1 + (createHash('sha256').update(userId).digest().readUInt32LE(0) % VOTERS)
}

export class Agreement {
  readonly #labels: number
  /** Shape (features, labels, HELD_MAX): first come, first stands; then zeros. */
  readonly #held: Uint16Array

  constructor(features: number, labels: number) {
    this.#labels = labels
    this.#held = new Uint16Array(features * labels * HELD_MAX)
  }

  /** Takes the word of `voter` that such a message has `label`; gives the features that are moved by it. */
  agreed({ size, indices, values }: SparseVector, label: number, voter: number): SparseVector {
    const positions: number[] = []
    for (let i = 0; i < indices.length; i++) {
      const start = (indices[i]! * this.#labels + label) * HELD_MAX
      if (isAgreed(this.#held, start, voter)) positions.push(i)
    }
    return {
      size,
      indices: Uint32Array.from(positions, (position) => indices[position]!),
      values: Float32Array.from(positions, (position) => values[position]!),
    }
  }
}

/** Holds the word back, or, where the voters from `start` are one short of enough, lets all go. */
function isAgreed(held: Uint16Array, start: number, voter: number): boolean {
  for (let at = start; at < start + HELD_MAX; at++) {
    if (held[at] === voter) return false
    if (held[at] !== 0) continue
    held[at] = voter
    return false
  }
  held.fill(0, start, start + HELD_MAX)
  return true
}
