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
