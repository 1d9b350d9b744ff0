/** A small table for tests: words with random rows, made as training makes them. */
import { createHash } from 'node:crypto'
import { randomRows } from '../../../lab/training/embedding/fit-rows.ts'
import { quantiseRows } from '../../../lab/training/embedding/quantise-rows.ts'
import {
  EMBEDDING_LAYOUT,
  type EmbeddingFiles,
  type EmbeddingManifest,
} from '../../embedding/embedding-artifact.ts'
import { DIMENSIONS } from '../../embedding/embedding-model.ts'
import { GROUPS } from '../../embedding/vocabulary.ts'

export interface SmallTable extends EmbeddingFiles {
  readonly manifest: EmbeddingManifest
}

const SEED = 7

export function smallTable(words: readonly string[]): SmallTable {
  const rows = GROUPS + words.length
  const weights = quantiseRows(randomRows(rows, SEED))
  const vocabulary = Buffer.from(words.map((word) => `${word}\n`).join(''))
  const manifest: EmbeddingManifest = {
    name: 'small',
    version: '1',
    layout: EMBEDDING_LAYOUT,
    dimensions: DIMENSIONS,
    seed: SEED,
    hyperparameters: {},
    sources: {},
    vocabulary: { words: words.length, sha256: sha256(vocabulary) },
    weights: { rows, sha256: sha256(weights) },
  }
  return { manifest, weights, vocabulary }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
