/**
 * The embedding that comes with Tamis: a table of vectors, one a word, added up. A word that
 * has none is made of its letter groups. How much a word counts is in the length of its vector.
 * Arora et al., A Simple but Tough-to-Beat Baseline for Sentence Embeddings (ICLR 2017).
 *
 * On disk a row is 384 integers of 4 bits and a scale of 16 bits; in memory 384 of 8 bits with one
 * scale for all, since only a direction is wanted. Sums are integers: the same on every machine
 * and in whatever order the rows come (row-sums.ts).
 */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { TamisError } from '../errors.ts'
import { DIMENSIONS, type EmbeddingModel, normaliseLength } from './embedding-model.ts'
import { addRows, PACKED_MAX, packValue, RowList } from './row-sums.ts'
import {
  findWord,
  GROUPS,
  RUNS_PART,
  readGroups,
  STEM_PART,
  type Vocabulary,
  vocabularyOf,
  WORD_GROUPS_MAX,
} from './vocabulary.ts'
import { readWords } from './words.ts'

/** Code units of a text that are read, some three pages; the rest is ignored. */
export const TEXT_LENGTH_MAX = 8_000

/** What reads a table of another layout, or reads words otherwise, has another number here. */
export const EMBEDDING_LAYOUT = 'words-runs-stems-1'

/** Bytes of a row in weights.bin: two dimensions a byte. */
const ROW_BYTES = DIMENSIONS / 2

/** Bytes of a row's scale. */
const SCALE_BYTES = 2

/** The 4 bits of a row's integer stand for -8 … 7. */
const NIBBLE_OFFSET = 8

/** Letter groups count parts of a word, rounded to a sixteenth. */
const WHOLE = 16

export const EmbeddingManifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  layout: Type.String(),
  dimensions: Type.Literal(DIMENSIONS),
  seed: Type.Integer(),
  hyperparameters: Type.Record(Type.String(), Type.Number()),
  /** Pairs of texts of each source, and a digest over them. */
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

/** What the embedding needs at work: plain data over shared memory, to be handed to worker threads. */
export interface EmbeddingTables {
  readonly id: string
  readonly vocabulary: Vocabulary
  /** GROUPS rows for letter groups, then one for each word, packed as row-sums.ts has it. */
  readonly rows: Int32Array
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

/** A text has at most as many words as code units, and a Chinese character has two letter groups. */
const wordRows = new RowList(TEXT_LENGTH_MAX)
const groupRows = new RowList(2 * TEXT_LENGTH_MAX)

/** Letter groups of one word. */
const groups = new Int32Array(WORD_GROUPS_MAX)

/** The model that works with `tables`; several threads may share them. */
export function staticEmbedding(tables: EmbeddingTables): EmbeddingModel {
  const sums = new Int32Array(DIMENSIONS)
  return {
    id: tables.id,
    dimensions: DIMENSIONS,
    embed(text) {
      readRows(tables.vocabulary, text)
      sums.fill(0)
      addRows(tables.rows, wordRows, WHOLE, sums)
      addRows(tables.rows, groupRows, 1, sums)
      const vector = new Float32Array(sums)
      normaliseLength(vector)
      return vector
    },
  }
}

/** Fills `wordRows`, and `groupRows` for the words that have no row. */
function readRows(vocabulary: Vocabulary, text: string): void {
  wordRows.clear()
  groupRows.clear()
  readWords(text, TEXT_LENGTH_MAX, () => {
    const found = findWord(vocabulary)
    if (found >= 0) wordRows.add(GROUPS + found, 1)
    else addGroups()
    return true
  })
}

function addGroups(): void {
  const runs = readGroups(groups, 0) - 1
  const factor = Math.round((WHOLE * RUNS_PART) / Math.sqrt(runs))
  for (let i = 0; i < runs; i++) groupRows.add(groups[i]!, factor)
  groupRows.add(groups[runs]!, WHOLE * STEM_PART)
}

/** 4 bits with a scale for each row -> 8 bits with one scale for all: rounding short rows of common words hurts nobody. */
function unpackedRows(weights: Uint8Array, count: number): Int32Array {
  const view = new DataView(weights.buffer, weights.byteOffset, weights.byteLength)
  if (weights.length !== count * (SCALE_BYTES + ROW_BYTES)) {
    throw mismatch('weights.bin is not as long as its manifest says')
  }
  let largest = 1
  forEachWeight(view, count, (_, value) => {
    largest = Math.max(largest, Math.abs(value))
  })
  const rows = new Int32Array(new SharedArrayBuffer(count * DIMENSIONS))
  forEachWeight(view, count, (index, value) => {
    packValue(rows, index, Math.round((value * PACKED_MAX) / largest))
  })
  return rows
}

function forEachWeight(
  view: DataView,
  rows: number,
  onWeight: (index: number, value: number) => void,
) {
  for (let row = 0; row < rows; row++) {
    const scale = view.getUint16(row * SCALE_BYTES, true)
    const start = rows * SCALE_BYTES + row * ROW_BYTES
    for (let i = 0; i < ROW_BYTES; i++) {
      const pair = view.getUint8(start + i)
      onWeight(row * DIMENSIONS + 2 * i, scale * ((pair & 15) - NIBBLE_OFFSET))
      onWeight(row * DIMENSIONS + 2 * i + 1, scale * ((pair >> 4) - NIBBLE_OFFSET))
    }
  }
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
