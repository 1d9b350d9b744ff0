/**
 * Collects the features of one message into a sparse vector.
 *
 * A dense table marks which indices have been seen, so that collecting needs neither a map nor
 * a sort: a few nanoseconds a feature. The table is cleared by undoing what was marked, and so
 * one accumulator serves message after message on its thread.
 *
 * Features come in blocks, and each block has the same length in the vector however many
 * features it has: the two words of a display name count as much as the thousand of a text.
 */
import type { SparseVector } from './sparse-vector.ts'

/** The stretch of text behind a feature. */
export interface Span {
  /** Which text: 'subject', 'message' (subject and body), 'from', 'anchor'. */
  readonly view: string
  /** The kind of feature: 'word', 'pair'. */
  readonly kind: string
  /** As normalised, which is what the model saw. */
  readonly text: string
}

/** Room for the features of an ordinary message; it grows for others. */
const CAPACITY_AT_FIRST = 4_096

export class FeatureAccumulator {
  readonly size: number
  readonly #blocks: number
  readonly #seen: Uint8Array
  #indices = new Uint32Array(CAPACITY_AT_FIRST)
  /** Block of each feature, in step with `#indices`. */
  #blockOf = new Uint8Array(CAPACITY_AT_FIRST)
  #count = 0
  #spans: Map<number, Span> | undefined

  /** Features at indices below `size`, in blocks 0 … `blocks` - 1. */
  constructor(size: number, blocks: number) {
    this.size = size
    this.#blocks = blocks
    this.#seen = new Uint8Array(size)
  }

  /** Keep the first span behind each feature, until the next `take`. */
  recordSpans(): void {
    this.#spans = new Map()
  }

  /** Whether `nameSpan` wants to know what is behind `index`: only when recording, and for its first time. */
  wantsSpan(index: number): boolean {
    return this.#spans !== undefined && !this.#spans.has(index)
  }

  nameSpan(index: number, span: Span): void {
    this.#spans?.set(index, span)
  }

  /** Features so far. */
  get count(): number {
    return this.#count
  }

  /** Mark `index` as present; a second time changes nothing. */
  add(index: number, block: number): void {
    if (this.#seen[index] === 1) return
    this.#seen[index] = 1
    if (this.#count === this.#indices.length) this.#grow()
    this.#indices[this.#count] = index
    this.#blockOf[this.#count++] = block
  }

  /**
   * The vector of all features added since the last `take`, and the spans if recorded. Each
   * block that has features has the length (L2) 1/√blocks, so that the whole is at most 1 long.
   */
  take(): { vector: SparseVector; spans: ReadonlyMap<number, Span> } {
    const indices = this.#indices.slice(0, this.#count)
    const scales = this.#blockScales()
    const values = new Float32Array(this.#count)
    for (let i = 0; i < this.#count; i++) {
      values[i] = scales[this.#blockOf[i]!]!
      this.#seen[indices[i]!] = 0
    }
    const spans = this.#spans ?? new Map<number, Span>()
    this.#count = 0
    this.#spans = undefined
    return { vector: { size: this.size, indices, values }, spans }
  }

  /** The same times `weightOf` each index, added up: for whoever needs no more of the vector than that. */
  takeSum(weightOf: (index: number) => number): number {
    const scales = this.#blockScales()
    let sum = 0
    for (let i = 0; i < this.#count; i++) {
      const index = this.#indices[i]!
      sum += scales[this.#blockOf[i]!]! * weightOf(index)
      this.#seen[index] = 0
    }
    this.#count = 0
    return sum
  }

  #blockScales(): number[] {
    const counts = new Array<number>(this.#blocks).fill(0)
    for (let i = 0; i < this.#count; i++) counts[this.#blockOf[i]!]!++
    return counts.map((count) => 1 / Math.sqrt(Math.max(1, count) * this.#blocks))
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
