/** Sparse feature vectors, the one form in which features reach a model. */
export interface SparseVector {
  /** Length of the vector: every index is below it. */
  readonly size: number
  /** Where the vector is not zero, in order of first occurrence, no index twice. Shape (nonZero,). */
  readonly indices: Uint32Array
  /** The values at these indices. Shape (nonZero,), in step with `indices`. */
  readonly values: Float32Array
}

/** A vector with room for `nonZero` entries, to be filled. One buffer for both arrays: to make one takes as long as to fill it. */
export function newSparseVector(size: number, nonZero: number): SparseVector {
  const buffer = new ArrayBuffer(8 * nonZero)
  return {
    size,
    indices: new Uint32Array(buffer, 0, nonZero),
    values: new Float32Array(buffer, 4 * nonZero, nonZero),
  }
}

/**
 * Collects the features of one message into a sparse vector.
 *
 * A table of bits marks which indices have been seen, so that collecting needs neither a map nor
 * a sort: a few nanoseconds per feature. The table is cleared by unmarking those indices, so one
 * accumulator serves every message on its thread. Each look into it waits for memory; so features are first
 * only noted, and repeated ones dropped in a loop so short that the processor waits for many at a time.
 *
 * Features come in blocks, and each block has its own length (L2) in the vector however many features
 * it has: the two words of a display name count as much as ten.
 */

/** The stretch of text behind a feature. */
export interface Span {
  /** Which text: 'subject', 'message' (subject and body), 'from', 'anchor'. */
  readonly view: string
  /** The kind of feature: 'word', 'pair'. */
  readonly kind: string
  /** The text in its normalised form, as the model saw it. */
  readonly text: string
}

/** Room for the features of an ordinary message; it grows for others. */
const CAPACITY_AT_FIRST = 4_096

export class FeatureAccumulator {
  readonly size: number
  readonly #shares: readonly number[]
  /** One bit for each index. */
  readonly #seen: Uint8Array
  #indices = new Uint32Array(CAPACITY_AT_FIRST)
  /** Block of each feature, in step with `#indices`. */
  #blockOf = new Uint8Array(CAPACITY_AT_FIRST)
  /** How many are noted, and how many of the first of them are looked through, none of which is repeated. */
  #noted = 0
  #count = 0
  #spans: Map<number, Span> | undefined

  /** Features at indices below `size`, in one block for each of `shares`, its part of the squared length; these sum to 1. */
  constructor(size: number, shares: readonly number[]) {
    this.size = size
    this.#shares = shares
    this.#seen = new Uint8Array(size >>> 3)
  }

  /** Keeps the first span behind each feature, until the next `take`. */
  recordSpans(): void {
    this.#spans = new Map()
  }

  /** Whether `nameSpan` is to be called for `index`: only when recording, and only for its first occurrence. */
  wantsSpan(index: number): boolean {
    return this.#spans !== undefined && !this.#spans.has(index)
  }

  nameSpan(index: number, span: Span): void {
    this.#spans?.set(index, span)
  }

  /** Features so far. */
  get count(): number {
    this.#dropRepeated()
    return this.#count
  }

  /** Marks `index` as present; a second call changes nothing. */
  add(index: number, block: number): void {
    if (this.#noted === this.#indices.length) this.#grow()
    this.#indices[this.#noted] = index
    this.#blockOf[this.#noted++] = block
  }

  /**
   * The vector of all features added since the last `take`, and the spans if recorded. Each
   * block that has features has its share of the squared length, so that the whole has at most length 1.
   */
  take(): { vector: SparseVector; spans: ReadonlyMap<number, Span> } {
    this.#dropRepeated()
    const vector = newSparseVector(this.size, this.#count)
    const scales = this.#blockScales()
    for (let i = 0; i < this.#count; i++) {
      const index = this.#indices[i]!
      vector.indices[i] = index
      vector.values[i] = scales[this.#blockOf[i]!]!
      this.#seen[index >>> 3] = 0
    }
    const spans = this.#spans ?? new Map<number, Span>()
    this.#noted = this.#count = 0
    this.#spans = undefined
    return { vector, spans }
  }

  /** The dot product of that vector with the weights that `weightOf` gives, without making the vector. */
  takeSum(weightOf: (index: number) => number): number {
    this.#dropRepeated()
    const scales = this.#blockScales()
    let sum = 0
    for (let i = 0; i < this.#count; i++) {
      const index = this.#indices[i]!
      sum += scales[this.#blockOf[i]!]! * weightOf(index)
      this.#seen[index >>> 3] = 0
    }
    this.#noted = this.#count = 0
    return sum
  }

  #dropRepeated(): void {
    const seen = this.#seen
    const indices = this.#indices
    const blockOf = this.#blockOf
    let count = this.#count
    for (let at = count; at < this.#noted; at++) {
      const index = indices[at]!
      indices[count] = index
      blockOf[count] = blockOf[at]!
      const byte = seen[index >>> 3]!
      count += 1 - ((byte >>> (index & 7)) & 1)
      seen[index >>> 3] = byte | (1 << (index & 7))
    }
    this.#noted = this.#count = count
  }

  #blockScales(): number[] {
    const counts = new Array<number>(this.#shares.length).fill(0)
    for (let i = 0; i < this.#count; i++) counts[this.#blockOf[i]!]!++
    return counts.map((count, block) => Math.sqrt(this.#shares[block]! / Math.max(1, count)))
  }

  #grow(): void {
    const indices = new Uint32Array(this.#indices.length * 2)
    indices.set(this.#indices)
    this.#indices = indices
    const blockOf = new Uint8Array(indices.length)
    blockOf.set(this.#blockOf)
    this.#blockOf = blockOf
  }
}
