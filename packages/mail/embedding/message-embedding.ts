/**
 * What a message is about, in the two forms in which it is compared with others: its embedding,
 * in which words of similar meaning or spelling count as alike, and its terms, in which only identical
 * words do. Both together find more related messages than either alone (packages/lab/reports/embedding).
 */

import type { CommonText } from '../features/common-text.ts'
import type { Message } from '../message/message.ts'
import {
  DIMENSIONS,
  denseSimilarity,
  type EmbeddingModel,
  normaliseLength,
  type TextEmbedding,
} from './embedding-model.ts'
import { PASSAGES, type PassageName, type Passages, passagesOf } from './passages.ts'
import { type SparseTerms, sparseSimilarity, termsOf } from './sparse-terms.ts'

/**
 * The embedding's part of the similarity; the terms have the rest. Anything from a fifth to a half
 * is nearly as good (packages/lab/reports/embedding).
 */
export const DENSE_PART = 0.35

/** How much each passage counts; chosen by retrieval (packages/lab/reports/embedding). */
const PASSAGE_WEIGHTS: Readonly<Record<PassageName, number>> = { subject: 0.5, own: 1 }

export interface MessageEmbedding {
  /** The id of the model that made `dense`. */
  readonly model: string
  /** Shape (384,), of length 1, or all zero for a message without words. */
  readonly dense: Float32Array
  readonly sparse: SparseTerms
}

export function messageEmbedding(
  model: EmbeddingModel,
  message: Message,
  common: CommonText,
): MessageEmbedding {
  const passages = passagesOf(message, common)
  const sparse = termsOf(passages, common)
  return { model: model.id, dense: embedPassages(model, passages), sparse }
}

/**
 * How alike two messages are, in [-1, 1]: the cosine of their embeddings and that of their terms,
 * mixed by DENSE_PART. Embeddings by different models are not compared; then only the terms count.
 */
export function similarity(a: MessageEmbedding, b: MessageEmbedding): number {
  const sparse = sparseSimilarity(a.sparse, b.sparse)
  if (a.model !== b.model) return sparse
  return DENSE_PART * denseSimilarity(a.dense, b.dense) + (1 - DENSE_PART) * sparse
}

/** What `embedPassages` gives, by a model on another thread. */
export async function embedPassagesElsewhere(
  model: TextEmbedding,
  passages: Passages,
): Promise<Float32Array> {
  const embedded = await Promise.all(
    PASSAGES.filter((name) => passages[name] !== '').map(
      async (name) => [name, await model.embed(passages[name])] as const,
    ),
  )
  return weightedSum(embedded)
}

/** The embedding of a message, shape (384,): of length 1, or all zero for one without words. */
export function embedPassages(model: EmbeddingModel, passages: Passages): Float32Array {
  const embedded = PASSAGES.filter((name) => passages[name] !== '').map(
    (name) => [name, model.embed(passages[name])] as const,
  )
  return weightedSum(embedded)
}

/** The sum of the passages' embeddings by the passages' weights, scaled to length 1. Each embedding has length 1, however long its passage. */
function weightedSum(embedded: readonly (readonly [PassageName, Float32Array])[]): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (const [name, values] of embedded) {
    const weight = PASSAGE_WEIGHTS[name]
    for (let k = 0; k < DIMENSIONS; k++) vector[k]! += weight * values[k]!
  }
  normaliseLength(vector)
  return vector
}
