/**
 * The features of a corrected message as the log of corrections keeps them: indices and values,
 * never text. They are still personal data, since common words can be guessed from indices.
 *
 * A version byte, then for each of the text and the meta vector: how many features (varint), the
 * largest value (float32), indices as gaps in ascending order (varints, LEB128), and values in 8
 * bits. With at most 1,024 features per vector that is always less than EVENT_FEATURES_BYTES_MAX.
 */
import type { SparseVector } from './sparse-vector.ts'
import { TEXT_FEATURES_SIZE } from './text-features.ts'

const VERSION = 1

/** Features kept of each vector. Three messages in four have fewer than 450; a longer text mostly repeats itself. */
export const EVENT_FEATURES_MAX = 1_024

/** The bound that is promised for the log (decisions: Learning). The format itself stays below 7 KB. */
export const EVENT_FEATURES_BYTES_MAX = 8_192

const LEVELS = 255

/** The features of a message that learning uses. */
export interface EventFeatures {
  readonly text: SparseVector
  readonly meta: SparseVector
}

/** Encodes the features with the largest values; among equal values those that occur first. */
export function encodeEventFeatures(text: SparseVector, meta: SparseVector): Uint8Array {
  const bytes = [VERSION]
  writeVector(bytes, text)
  writeVector(bytes, meta)
  return Uint8Array.from(bytes)
}

/**
 * Undefined for bytes that `encodeEventFeatures` has not made, of a model with `metaSize` meta features.
 * Indices ascend. They are those of the feature version under which the bytes are kept (version.ts).
 */
export function decodeEventFeatures(
  bytes: Uint8Array,
  metaSize: number,
): EventFeatures | undefined {
  if (bytes[0] !== VERSION || bytes.length > EVENT_FEATURES_BYTES_MAX) return undefined
  const text = readVector(bytes, 1, TEXT_FEATURES_SIZE)
  if (text === undefined) return undefined
  const meta = readVector(bytes, text.end, metaSize)
  if (meta === undefined || meta.end !== bytes.length) return undefined
  return { text: text.vector, meta: meta.vector }
}

function writeVector(bytes: number[], vector: SparseVector): void {
  const positions = largestPositions(vector)
  const largest = positions.reduce((max, at) => Math.max(max, vector.values[at]!), 0)
  const level = (at: number) => Math.round((LEVELS * vector.values[at]!) / largest)
  const kept = positions
    .filter((at) => level(at) > 0)
    .sort((a, b) => vector.indices[a]! - vector.indices[b]!)
  writeVarint(bytes, kept.length)
  bytes.push(...new Uint8Array(Float32Array.of(largest).buffer))
  let previous = 0
  for (const at of kept) {
    writeVarint(bytes, vector.indices[at]! - previous)
    previous = vector.indices[at]!
  }
  for (const at of kept) bytes.push(level(at))
}

/** Positions of the largest values above 0, at most EVENT_FEATURES_MAX. Sorting is stable. */
function largestPositions({ values }: SparseVector): number[] {
  const positions = Array.from(values.keys()).filter((at) => values[at]! > 0)
  if (positions.length <= EVENT_FEATURES_MAX) return positions
  return positions.sort((a, b) => values[b]! - values[a]!).slice(0, EVENT_FEATURES_MAX)
}

function readVector(
  bytes: Uint8Array,
  start: number,
  size: number,
): { vector: SparseVector; end: number } | undefined {
  const count = readVarint(bytes, start)
  if (count === undefined || count.value > EVENT_FEATURES_MAX) return undefined
  if (count.end + 4 > bytes.length) return undefined
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(count.end, true) / LEVELS
  if (!(scale >= 0 && scale < Number.POSITIVE_INFINITY)) return undefined
  const indices = new Uint32Array(count.value)
  let at = count.end + 4
  for (let i = 0; i < indices.length; i++) {
    const gap = readVarint(bytes, at)
    if (gap === undefined || (i > 0 && gap.value === 0)) return undefined
    indices[i] = (i === 0 ? 0 : indices[i - 1]!) + gap.value
    if (indices[i]! >= size) return undefined
    at = gap.end
  }
  const end = at + indices.length
  if (end > bytes.length) return undefined
  const values = new Float32Array(indices.length)
  for (let i = 0; i < values.length; i++) values[i] = bytes[at + i]! * scale
  return { vector: { size, indices, values }, end }
}

function writeVarint(bytes: number[], value: number): void {
  let rest = value
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  bytes.push(rest)
}

/** Three bytes hold every index; a fourth means that the bytes are damaged. */
function readVarint(bytes: Uint8Array, start: number): { value: number; end: number } | undefined {
  let value = 0
  for (let i = 0; i < 3; i++) {
    const byte = bytes[start + i]
    if (byte === undefined) return undefined
    value |= (byte & 0x7f) << (7 * i)
    if (byte < 0x80) return { value, end: start + i + 1 }
  }
  return undefined
}
