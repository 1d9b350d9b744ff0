/** A small table for tests: words with random rows, made as training makes them. */
import { createHash } from 'node:crypto'
import { randomSource } from '../../../lab/training/random.ts'
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

function randomRows(rows: number, seed: number): Float32Array {
  const table = new Float32Array(rows * DIMENSIONS)
  const random = randomSource(seed)
  for (let i = 0; i < table.length; i += 2) {
    // Box and Muller, A Note on the Generation of Random Normal Deviates (1958).
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    table[i] = radius * Math.cos(angle)
    table[i + 1] = radius * Math.sin(angle)
  }
  return table
}

const INTEGER_MIN = -8
const INTEGER_MAX = 7

/** Parts of the largest value that are tried as what the largest integer stands for. */
const CUTS = [1, 0.9, 0.8, 0.72, 0.65, 0.58, 0.52]

/** Scales stand in 16 bits; the largest of them is this. */
const SCALE_MAX = 65_535

/** For each row its scale (16 bits, little-endian), then for each row its integers (4 bits, low half first). */
function quantiseRows(rows: Float32Array): Uint8Array {
  const count = rows.length / DIMENSIONS
  const scales = Array.from({ length: count }, (_, row) => bestScale(rowAt(rows, row)))
  const largest = Math.max(...scales, Number.MIN_VALUE)
  const bytes = new Uint8Array(count * (2 + DIMENSIONS / 2))
  const view = new DataView(bytes.buffer)
  scales.forEach((scale, row) => {
    view.setUint16(2 * row, Math.round((scale / largest) * SCALE_MAX), true)
    const start = 2 * count + (row * DIMENSIONS) / 2
    const values = rowAt(rows, row)
    for (let k = 0; k < DIMENSIONS; k += 2) {
      const low = integer(values[k]!, scale) - INTEGER_MIN
      const high = integer(values[k + 1]!, scale) - INTEGER_MIN
      bytes[start + k / 2] = low | (high << 4)
    }
  })
  return bytes
}

function rowAt(rows: Float32Array, row: number): Float32Array {
  return rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS)
}

function bestScale(values: Float32Array): number {
  const largest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  if (largest === 0) return 0
  const scales = CUTS.map((cut) => (cut * largest) / INTEGER_MAX)
  const errors = scales.map((scale) => squaredError(values, scale))
  return scales[errors.indexOf(Math.min(...errors))]!
}

function squaredError(values: Float32Array, scale: number): number {
  return values.reduce((sum, value) => sum + (value - scale * integer(value, scale)) ** 2, 0)
}

function integer(value: number, scale: number): number {
  if (scale === 0) return 0
  return Math.max(INTEGER_MIN, Math.min(INTEGER_MAX, Math.round(value / scale)))
}
