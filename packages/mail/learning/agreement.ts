/**
 * What users agree about, feature by feature: who has corrected each towards which label since it last
 * moved that way. A feature moves with the correction of the AGREEMENT_MIN-th user; the corrections
 * before are held back, and the next step takes as many users again. So what one user repeats, or few
 * users say, moves nothing.
 *
 * Memory is bounded whatever users send: 2 bytes per voter, AGREEMENT_MIN - 1 voters per feature and
 * label. The operating system allocates no pages that have never been written.
 */
import { createHash } from 'node:crypto'
import type { SparseVector } from '../features/sparse-vector.ts'

/** Users who must correct a feature the same way: more than the accounts of one household. */
export const AGREEMENT_MIN = 5

const HELD_MAX = AGREEMENT_MIN - 1

/** Voters are told apart by 16 bits. Two users with the same bits count as one, which can only make the model move less. */
const VOTERS = 2 ** 16 - 1

/** The number of `userId` in Agreement, from 1: 0 stands for no voter. */
export function voterOf(userId: string): number {
  return 1 + (createHash('sha256').update(userId).digest().readUInt32LE(0) % VOTERS)
}

export class Agreement {
  readonly #labels: number
  /** The voters held back, in order of arrival, then zeros. Shape (features, labels, HELD_MAX). */
  readonly #held: Uint16Array

  constructor(features: number, labels: number) {
    this.#labels = labels
    this.#held = new Uint16Array(features * labels * HELD_MAX)
  }

  /** Notes that `voter` says that a message with these features has `label`; returns the features that move by it. */
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

/** Holds the vote back; or, where only one voter was missing, clears those from `start` on and returns true. */
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
