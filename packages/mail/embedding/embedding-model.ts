/**
 * Text -> a vector of which the direction stands for what the text says. Whatever makes it, the
 * table that comes with Tamis or a user's own model, looks like this to the rest.
 */

/** Length of every embedding. */
export const DIMENSIONS = 384

export interface EmbeddingModel {
  /** Name and version. Vectors of different ids have nothing to do with each other and are never compared. */
  readonly id: string
  readonly dimensions: typeof DIMENSIONS
  /**
   * The embedding of `text`, shape (384,): 1 long (L2), or all zero for a text without a word.
   * Any string has one; of a long text only the beginning counts.
   */
  embed(text: string): Float32Array
}

/** The same where it may take a while, because the model works on another thread. */
export interface TextEmbedding extends Pick<EmbeddingModel, 'id' | 'dimensions'> {
  embed(text: string): Float32Array | Promise<Float32Array>
}

/** Cosine of two embeddings of one model, in [-1, 1]: their dot product, since both are 1 long; 0 where one is the zero vector. */
export function denseSimilarity(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return Math.max(-1, Math.min(1, sum))
}

/** Makes `vector` 1 long, in place; the zero vector stays what it is. */
export function normaliseLength(vector: Float32Array): void {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  if (sum === 0) return
  const factor = 1 / Math.sqrt(sum)
  for (let i = 0; i < vector.length; i++) vector[i]! *= factor
}
