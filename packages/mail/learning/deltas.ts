/**
 * What was learned from corrections: numbers that are added to the weights of the shipped models, which
 * stay as they are. The operator's and those that users agree about are kept apart, since what users
 * agree about moves no verdict further than CROWD_REACH. Encoded as bytes they are what the store keeps of a
 * learned model.
 */
import { deflateSync, inflateSync } from 'node:zlib'
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

const VERSION = 4

const AUTHORS = ['operator', 'crowd'] as const
const PARTS = ['text', 'meta', 'tabs'] as const

/** All zero, for the weights of `base`; in shared memory, so that a thread that judges gets them without a copy. */
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

/** The format: a version byte, then all arrays as float32, compressed together (RFC 1950, whose checksum finds damage). */
export function encodeDeltas(deltas: Deltas): Uint8Array {
  const numbers = Buffer.concat(arraysOf(deltas).map(bytesOf))
  return Buffer.concat([Uint8Array.of(VERSION), deflateSync(numbers)])
}

/** Undefined for bytes that `encodeDeltas` has not made for the weights of `base`. */
export function decodeDeltas(bytes: Uint8Array, base: Models): Deltas | undefined {
  if (bytes[0] !== VERSION) return undefined
  const deltas = zeroDeltas(base)
  const arrays = arraysOf(deltas).map(bytesOf)
  const length = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const inflated = inflatedTo(length, bytes.subarray(1))
  if (inflated?.length !== length) return undefined
  let at = 0
  for (const array of arrays) {
    array.set(inflated.subarray(at, at + array.length))
    at += array.length
  }
  return deltas
}

function inflatedTo(length: number, bytes: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: length })
  } catch {
    return undefined
  }
}

function arraysOf(deltas: Deltas): Float32Array[] {
  return AUTHORS.flatMap((author) => PARTS.map((part) => deltas[author][part]))
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function shared(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(length * 4))
}
