/**
 * What was learned from corrections: numbers that are added to the weights of the shipped models, which
 * stay as they are. The operator's and those that users agree about are kept apart, since what users
 * agree about moves no verdict further than CROWD_REACH. Encoded as bytes they are what the store keeps of a
 * learned model.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
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

const VERSION = 3

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

/** The format: a version byte, then each array as deflated float32, after the length of that in bytes (uint32): 0 if all is zero. */
export function encodeDeltas(deltas: Deltas): Uint8Array {
  const parts = arraysOf(deltas).flatMap((numbers) => {
    const bytes = isZero(numbers) ? Buffer.alloc(0) : deflateRawSync(bytesOf(numbers))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat([Uint8Array.of(VERSION), ...parts])
}

/** Undefined for bytes that `encodeDeltas` has not made for the weights of `base`. */
export function decodeDeltas(bytes: Uint8Array, base: Models): Deltas | undefined {
  if (bytes[0] !== VERSION) return undefined
  const deltas = zeroDeltas(base)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 1
  for (const numbers of arraysOf(deltas)) {
    if (at + 4 > bytes.length) return undefined
    const end = at + 4 + view.getUint32(at, true)
    if (end > bytes.length) return undefined
    if (end > at + 4 && !inflateInto(numbers, bytes.subarray(at + 4, end))) return undefined
    at = end
  }
  return at === bytes.length ? deltas : undefined
}

function inflateInto(numbers: Float32Array, bytes: Uint8Array): boolean {
  try {
    const inflated = inflateRawSync(bytes, { maxOutputLength: numbers.byteLength })
    bytesOf(numbers).set(inflated)
    return inflated.length === numbers.byteLength
  } catch {
    return false
  }
}

function arraysOf(deltas: Deltas): Float32Array[] {
  return AUTHORS.flatMap((author) => PARTS.map((part) => deltas[author][part]))
}

/** A loop over positions takes a tenth of the time of `every`: the arrays have a million numbers. */
function isZero(numbers: Float32Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== 0) return false
  return true
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function shared(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(length * 4))
}
