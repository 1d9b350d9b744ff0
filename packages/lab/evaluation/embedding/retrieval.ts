/** Measures retrieval: whether the most similar message of a set belongs to the same group. */
import { denseSimilarity } from '../../../mail/embedding/embedding-model.ts'
import { type MessageEmbedding, similarity } from '../../../mail/embedding/message-embedding.ts'
import { sparseSimilarity } from '../../../mail/embedding/sparse-terms.ts'

/** Queries of one set; every n-th of more. */
const QUERIES_MAX = 500

export const SIMILARITIES = {
  sparse: (a: MessageEmbedding, b: MessageEmbedding) => sparseSimilarity(a.sparse, b.sparse),
  dense: (a: MessageEmbedding, b: MessageEmbedding) => denseSimilarity(a.dense, b.dense),
  hybrid: similarity,
} as const

export type SimilarityName = keyof typeof SIMILARITIES

export interface RetrievalSet {
  readonly name: string
  readonly embeddings: readonly MessageEmbedding[]
  /** Number of each one's group. */
  readonly groups: readonly number[]
  /** Which may be asked for; those that stand alone never are. */
  readonly isQuery: readonly boolean[]
}

export interface Retrieval {
  readonly name: string
  readonly messages: number
  readonly queries: number
  /** Share of the queries for which the first found is of their group: recall at 1. */
  readonly found: Readonly<Record<SimilarityName, number>>
}

export function measureRetrieval(set: RetrievalSet): Retrieval {
  const queries = queriesOf(set)
  const names = Object.keys(SIMILARITIES) as SimilarityName[]
  const found = names.map((name) => {
    const hits = queries.filter((query) => {
      return set.groups[nearest(set, query, name)] === set.groups[query]
    })
    return [name, hits.length / queries.length] as const
  })
  return {
    name: set.name,
    messages: set.embeddings.length,
    queries: queries.length,
    found: Object.fromEntries(found) as Record<SimilarityName, number>,
  }
}

function queriesOf({ groups, isQuery }: RetrievalSet): number[] {
  const sizes = new Map<number, number>()
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const all = [...groups.keys()].filter((i) => isQuery[i] && sizes.get(groups[i]!)! > 1)
  const step = Math.max(1, Math.ceil(all.length / QUERIES_MAX))
  return all.filter((_, i) => i % step === 0)
}

function nearest({ embeddings }: RetrievalSet, query: number, name: SimilarityName): number {
  const similarityOf = SIMILARITIES[name]
  let best = -1
  let bestSimilarity = Number.NEGATIVE_INFINITY
  embeddings.forEach((candidate, index) => {
    if (index === query) return
    const value = similarityOf(embeddings[query]!, candidate)
    if (value <= bestSimilarity) return
    bestSimilarity = value
    best = index
  })
  return best
}
