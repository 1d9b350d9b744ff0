/** Sparse feature vectors, the one form in which features reach a model. */
export interface SparseVector {
  /** Length of the vector: every index is below it. */
  readonly size: number
  /** Where the vector is not zero, in order of first occurrence, no index twice. Shape (nonZero,). */
  readonly indices: Uint32Array
  /** The values at these indices. Shape (nonZero,), in step with `indices`. */
  readonly values: Float32Array
}
