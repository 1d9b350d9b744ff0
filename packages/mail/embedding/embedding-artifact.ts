/**
 * The table of the embedding as files: `manifest.json`, `weights.bin` and `vocab.txt`. On disk a row
 * is 384 integers of 4 bits and a scale of 16 bits, in memory 384 of 8 bits with one scale for all.
 * This is kept apart from static-embedding.ts, which threads load: they are handed the table as
 * it is, and the code that checks a manifest is larger than all the rest of what they load.
 */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { TamisError } from '../../errors/errors.ts'
import { DIMENSIONS, type EmbeddingModel } from './embedding-model.ts'
import { PACKED_MAX, packValue } from './row-sums.ts'
import { type EmbeddingTables, staticEmbedding } from './static-embedding.ts'
import { GROUPS, vocabularyOf } from './vocabulary.ts'

/** Changes whenever the layout of the table, or the way words are read, changes. */
export const EMBEDDING_LAYOUT = 'words-runs-stems-1'

/** Bytes of a row in weights.bin: two dimensions per byte. */
const ROW_BYTES = DIMENSIONS / 2

/** Bytes of a row's scale. */
const SCALE_BYTES = 2

/** The 4 bits of a row's integer stand for -8 … 7. */
const NIBBLE_OFFSET = 8

export const EmbeddingManifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  layout: Type.String(),
  dimensions: Type.Literal(DIMENSIONS),
  seed: Type.Integer(),
  hyperparameters: Type.Record(Type.String(), Type.Number()),
  /** The number of text pairs from each source, and a digest over them. */
  sources: Type.Record(
    Type.String(),
    Type.Object({ pairs: Type.Integer(), sha256: Type.String() }),
  ),
  vocabulary: Type.Object({ words: Type.Integer(), sha256: Type.String() }),
  weights: Type.Object({ rows: Type.Integer(), sha256: Type.String() }),
})

export type EmbeddingManifest = Static<typeof EmbeddingManifest>

/** The contents of an artifact folder; JSON not yet checked. */
export interface EmbeddingFiles {
  readonly manifest: unknown
  /** For each row its scale (16 bits, little-endian), then for each row its integers (4 bits, low half first). */
  readonly weights: Uint8Array
  /** One word a line, in the order of their rows. */
  readonly vocabulary: Uint8Array
}

/**
 * The model in `files`.
 *
 * @throws TamisError ARTIFACT_MISMATCH when the manifest is malformed, a digest is wrong, or the
 *   table is laid out for another version of this code.
 */
export function staticEmbeddingFromArtifact(files: EmbeddingFiles): EmbeddingModel {
  return staticEmbedding(embeddingTables(files))
}

/** The tables in `files`; throws as `staticEmbeddingFromArtifact` does. */
export function embeddingTables(files: EmbeddingFiles): EmbeddingTables {
  const manifest = checkedManifest(files.manifest)
  const words = checkedText(files.vocabulary, manifest.vocabulary.sha256)
  const rows = GROUPS + manifest.vocabulary.words
  if (words.length !== manifest.vocabulary.words || rows !== manifest.weights.rows) {
    throw mismatch('vocab.txt and weights.bin do not have the rows their manifest describes')
  }
  checkDigest('weights.bin', files.weights, manifest.weights.sha256)
  return {
    id: `${manifest.name}-${manifest.version}`,
    vocabulary: vocabularyOf(words),
    rows: unpackedRows(files.weights, rows),
  }
}

/** 4 bits with a scale for each row -> 8 bits with one scale for all: rounding the short rows of common words does no harm. */
function unpackedRows(weights: Uint8Array, count: number): Int32Array {
  if (weights.length !== count * (SCALE_BYTES + ROW_BYTES)) {
    throw mismatch('weights.bin is not as long as its manifest says')
  }
  const largest = largestWeight(weights, count)
  const rows = new Int32Array(new SharedArrayBuffer(count * DIMENSIONS))
  // What each of the 16 integers stands for in a row.
  const values = new Int8Array(2 * NIBBLE_OFFSET)
  for (let row = 0; row < count; row++) {
    const scale = scaleOf(weights, row)
    for (let nibble = 0; nibble < values.length; nibble++) {
      values[nibble] = Math.round((scale * (nibble - NIBBLE_OFFSET) * PACKED_MAX) / largest)
    }
    const start = count * SCALE_BYTES + row * ROW_BYTES
    for (let i = 0; i < ROW_BYTES; i++) {
      const pair = weights[start + i]!
      packValue(rows, row * DIMENSIONS + 2 * i, values[pair & 15]!)
      packValue(rows, row * DIMENSIONS + 2 * i + 1, values[pair >> 4]!)
    }
  }
  return rows
}

function largestWeight(weights: Uint8Array, count: number): number {
  let largest = 1
  for (let row = 0; row < count; row++) {
    const start = count * SCALE_BYTES + row * ROW_BYTES
    let steps = 0
    for (let i = start; i < start + ROW_BYTES; i++) {
      const pair = weights[i]!
      steps = Math.max(
        steps,
        Math.abs((pair & 15) - NIBBLE_OFFSET),
        Math.abs((pair >> 4) - NIBBLE_OFFSET),
      )
    }
    largest = Math.max(largest, scaleOf(weights, row) * steps)
  }
  return largest
}

function scaleOf(weights: Uint8Array, row: number): number {
  return weights[row * SCALE_BYTES]! | (weights[row * SCALE_BYTES + 1]! << 8)
}

function checkedManifest(manifest: unknown): EmbeddingManifest {
  if (!Value.Check(EmbeddingManifest, manifest)) {
    const [first] = Value.Errors(EmbeddingManifest, manifest)
    throw mismatch(
      `The manifest is malformed at ${first?.instancePath ?? '/'}: ${first?.message ?? ''}`,
    )
  }
  if (manifest.layout !== EMBEDDING_LAYOUT) {
    throw mismatch(
      `The table is laid out as ${manifest.layout}, this version reads ${EMBEDDING_LAYOUT}`,
    )
  }
  return manifest
}

function checkedText(bytes: Uint8Array, sha256: string): string[] {
  checkDigest('vocab.txt', bytes, sha256)
  return new TextDecoder().decode(bytes).trimEnd().split('\n')
}

function checkDigest(name: string, bytes: Uint8Array, sha256: string): void {
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw mismatch(`${name} is not the file its manifest describes`)
  }
}

function mismatch(text: string): TamisError {
  return new TamisError('ARTIFACT_MISMATCH', `embedding: ${text}`)
}
