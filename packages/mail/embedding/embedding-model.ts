/**
 * Text -> a vector whose direction stands for what the text says. The table that comes with Tamis
 * and a user's own model both have this interface.
 */

/** Length of every embedding. */
export const DIMENSIONS = 384

export interface EmbeddingModel {
  /** Name and version. Vectors of models with different ids are unrelated and never compared. */
  readonly id: string
  readonly dimensions: typeof DIMENSIONS
  /**
   * The embedding of `text`, shape (384,): of length 1 (L2), or all zero for a text without a word.
   * Any string is allowed; only the beginning of a long text counts.
   */
  embed(text: string): Float32Array
}

/** A model that answers asynchronously, because it works on another thread. */
export interface TextEmbedding extends Pick<EmbeddingModel, 'id' | 'dimensions'> {
  embed(text: string): Float32Array | Promise<Float32Array>
}

/** Cosine of two embeddings of one model, in [-1, 1]: their dot product, since both have length 1; 0 where one is the zero vector. */
export function denseSimilarity(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return Math.max(-1, Math.min(1, sum))
}

/** Scales `vector` to length 1, in place; leaves the zero vector as it is. */
export function normaliseLength(vector: Float32Array): void {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  if (sum === 0) return
  const factor = 1 / Math.sqrt(sum)
  for (let i = 0; i < vector.length; i++) vector[i]! *= factor
}
