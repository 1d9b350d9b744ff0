/**
 * What was learned from corrections: numbers that are added to the weights of the shipped models, which
 * stay as they are. The operator's and those that users agree about are kept apart, since what users
 * agree about moves no verdict further than CROWD_REACH. Encoded as bytes they are what the store keeps of a
 * learned model.
 *
 * The format: a version byte, then for each array how many of its numbers are not zero (uint32), each of
 * these as the gap to the one before (varint) and its value (float32); or, where that would be longer,
 * all numbers as float32.
 */
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'

/** Deltas by model. The last row of each array is that of the bias. */
export interface ModelDeltas {
  /** Shape (text features + 1,). */
  readonly text: Float32Array
  /** Shape (meta features + 1,). */
  readonly meta: Float32Array
  /** Shape (text features + meta features + 1, CLASSES), row by row. */
  readonly tabs: Float32Array
}

/** Deltas by who has moved them. */
export interface Deltas {
  readonly operator: ModelDeltas
  readonly crowd: ModelDeltas
}

/**
 * How far what users agree about moves a verdict at most, in log-odds: of spam, and of one class against another.
 * Whoever invents users and corrects with them for months, in whatever words, gets no further. A thousand honest users keep
 * more than four fifths of what they gain without this bound (packages/lab/reports/learning).
 */
export const CROWD_REACH = 0.5

/** 1 had no bound on what a crowd moves: such deltas are learned anew from the log. */
const VERSION = 2

const AUTHORS = ['operator', 'crowd'] as const
const PARTS = ['text', 'meta', 'tabs'] as const

/** All zero, for the weights of `base`; in shared memory, so that every worker reads one copy. */
export function zeroModelDeltas({ text, meta, tabs }: Models): ModelDeltas {
  return {
    text: shared(text.weights.integers.length + 1),
    meta: shared(meta.weights.integers.length + 1),
    tabs: shared(tabs.weights.integers.length + CLASSES.length),
  }
}

/** The same of both authors. */
export function zeroDeltas(base: Models): Deltas {
  return { operator: zeroModelDeltas(base), crowd: zeroModelDeltas(base) }
}

/** The shipped models `base` with `deltas` added to them. Nothing is copied. */
export function withDeltas(base: Models, { operator, crowd }: Partial<Deltas>): Models {
  const { text, meta, tabs, fusion } = base
  const perText = fusion.textWeight * text.calibration.slope
  return {
    ...base,
    text: {
      ...text,
      ...(operator && { deltas: operator.text }),
      ...(crowd && { crowd: { deltas: crowd.text, reach: CROWD_REACH / perText } }),
    },
    meta: { ...meta, ...(operator && { deltas: operator.meta }) },
    tabs: {
      ...tabs,
      ...(operator && { deltas: operator.tabs }),
      ...(crowd && { crowd: { deltas: crowd.tabs, reach: CROWD_REACH * tabs.temperature } }),
    },
  }
}

/** Writes every number of `from` over those of `into`. */
export function copyDeltas(from: Deltas, into: Deltas): void {
  for (const author of AUTHORS) copyModelDeltas(from[author], into[author])
}

/** Writes every number of `from` over those of `into`; zeros where there is no `from`. */
export function copyModelDeltas(from: ModelDeltas | undefined, into: ModelDeltas): void {
  for (const part of PARTS) {
    const source = from?.[part]
    if (source !== undefined && !isZero(source)) into[part].set(source)
    // Memory that was never written to takes none.
    else if (!isZero(into[part])) into[part].fill(0)
  }
}

// The arrays have a million numbers: loops over positions take a tenth of the time of `every` and its like.

function isZero(numbers: Float32Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== 0) return false
  return true
}

export function encodeDeltas(deltas: Deltas): Uint8Array {
  return Buffer.concat([Uint8Array.of(VERSION), ...arraysOf(deltas).map(encodeArray)])
}

/** Undefined for bytes that `encodeDeltas` has not made for the weights of `base`. */
export function decodeDeltas(bytes: Uint8Array, base: Models): Deltas | undefined {
  if (bytes[0] !== VERSION) return undefined
  const deltas = zeroDeltas(base)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at: number | undefined = 1
  for (const numbers of arraysOf(deltas)) {
    at = decodeArray(view, at, numbers)
    if (at === undefined) return undefined
  }
  return at === bytes.length ? deltas : undefined
}

function arraysOf(deltas: Deltas): Float32Array[] {
  return AUTHORS.flatMap((author) => PARTS.map((part) => deltas[author][part]))
}

/** Bytes of a varint and a float32. */
const ENTRY_BYTES_MAX = 8

function encodeArray(numbers: Float32Array): Uint8Array {
  const count = countNonZero(numbers)
  const bytes = Buffer.alloc(4 + Math.min(count * ENTRY_BYTES_MAX, numbers.length * 4))
  bytes.writeUInt32LE(count)
  if (count * ENTRY_BYTES_MAX >= numbers.length * 4) {
    for (const [i, value] of numbers.entries()) bytes.writeFloatLE(value, 4 + i * 4)
    return bytes
  }
  return bytes.subarray(0, writeEntries(bytes, numbers))
}

function countNonZero(numbers: Float32Array): number {
  let count = 0
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== 0) count++
  return count
}

function writeEntries(bytes: Buffer, numbers: Float32Array): number {
  let at = 4
  let previous = 0
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i]!
    if (value === 0) continue
    let gap = i - previous
    for (; gap >= 0x80; gap >>>= 7) bytes[at++] = (gap & 0x7f) | 0x80
    bytes[at++] = gap
    at = bytes.writeFloatLE(value, at)
    previous = i
  }
  return at
}

/** Fills `numbers` and returns where the array ends; undefined when the bytes are damaged. */
function decodeArray(view: DataView, start: number, numbers: Float32Array): number | undefined {
  if (start + 4 > view.byteLength) return undefined
  const count = view.getUint32(start, true)
  if (count > numbers.length) return undefined
  if (count * ENTRY_BYTES_MAX >= numbers.length * 4) return decodeAll(view, start + 4, numbers)
  let at = start + 4
  let index = 0
  for (let entry = 0; entry < count; entry++) {
    for (let shift = 0; ; shift += 7) {
      if (at >= view.byteLength || shift > 21) return undefined
      const byte = view.getUint8(at++)
      index += (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    if (index >= numbers.length || at + 4 > view.byteLength) return undefined
    numbers[index] = view.getFloat32(at, true)
    at += 4
  }
  return at
}

function decodeAll(view: DataView, start: number, numbers: Float32Array): number | undefined {
  if (start + numbers.length * 4 > view.byteLength) return undefined
  for (let i = 0; i < numbers.length; i++) numbers[i] = view.getFloat32(start + i * 4, true)
  return start + numbers.length * 4
}

function shared(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(length * 4))
}
