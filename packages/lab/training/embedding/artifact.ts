/** Fitted rows -> the files of the artifact (embedding/embedding-artifact.ts reads them). */
import { createHash } from 'node:crypto'
import {
  EMBEDDING_LAYOUT,
  type EmbeddingFiles,
  type EmbeddingManifest,
} from '../../../mail/embedding/embedding-artifact.ts'
import { DIMENSIONS } from '../../../mail/embedding/embedding-model.ts'
import { GROUPS } from '../../../mail/embedding/vocabulary.ts'
import type { PairSource } from './pairs.ts'
import { quantiseRows } from './quantise-rows.ts'
import type { WordRows } from './word-rows.ts'
import { groupWeight, type WordCounts } from './word-shares.ts'

export interface EmbeddingArtifact extends EmbeddingFiles {
  readonly manifest: EmbeddingManifest
}

/** What an artifact is made from. */
export interface FittedEmbedding {
  readonly table: Float32Array
  readonly rows: WordRows
  readonly counts: WordCounts
  /** Spelling of every word, by its number. */
  readonly words: readonly string[]
  /** Numbers of the words that have a row, in the order of their rows. */
  readonly vocabulary: readonly number[]
}

export function embeddingArtifact(
  fitted: FittedEmbedding,
  provenance: Pick<EmbeddingManifest, 'name' | 'version' | 'seed' | 'hyperparameters' | 'sources'>,
): EmbeddingArtifact {
  const vocabulary = Buffer.from(
    fitted.vocabulary.map((number) => `${fitted.words[number]!}\n`).join(''),
  )
  const weights = quantiseRows(foldedRows(fitted))
  const manifest: EmbeddingManifest = {
    ...provenance,
    layout: EMBEDDING_LAYOUT,
    dimensions: DIMENSIONS,
    vocabulary: { words: fitted.vocabulary.length, sha256: sha256(vocabulary) },
    weights: { rows: GROUPS + fitted.vocabulary.length, sha256: sha256(weights) },
  }
  return { manifest, weights, vocabulary }
}

/** Weights and letter groups folded in: what serving has to add up for each letter group and each word. */
function foldedRows({ table, rows, counts, vocabulary }: FittedEmbedding): Float32Array {
  const folded = new Float32Array((GROUPS + vocabulary.length) * DIMENSIONS)
  for (let group = 0; group < GROUPS; group++) {
    add(folded, group, table, group, groupWeight(counts.groupShares[group]!))
  }
  vocabulary.forEach((number, index) => {
    for (let entry = rows.starts[number]!; entry < rows.starts[number + 1]!; entry++) {
      add(folded, GROUPS + index, table, rows.numbers[entry]!, rows.coefficients[entry]!)
    }
  })
  return folded
}

function add(
  into: Float32Array,
  to: number,
  from: Float32Array,
  row: number,
  factor: number,
): void {
  for (let k = 0; k < DIMENSIONS; k++) {
    into[to * DIMENSIONS + k]! += factor * from[row * DIMENSIONS + k]!
  }
}

/** Pairs of each source, and what they are. */
export function digestSources(
  sources: readonly PairSource[],
  words: readonly string[],
): EmbeddingManifest['sources'] {
  const spelled = createHash('sha256').update(words.join('\n')).digest()
  return Object.fromEntries(
    sources.map(({ name, pairs, left, right }) => {
      const hash = createHash('sha256').update(spelled)
      for (const part of [left.starts, left.words, right.starts, right.words]) {
        hash.update(new Uint8Array(part.buffer))
      }
      return [name, { pairs, sha256: hash.digest('hex') }]
    }),
  )
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
