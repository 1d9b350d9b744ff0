/**
 * What a memory compares of a message, in the bytes that the store keeps: a byte 1 for this layout, the
 * embedding as 384 integers of 8 bits, then the terms in four bytes each, low byte first (see
 * sparse-terms.ts). At most 1,409 bytes, and no word of the message.
 */
import { DIMENSIONS } from '../embedding/embedding-model.ts'
import { type SparseTerms, TERMS_MAX } from '../embedding/sparse-terms.ts'

const LAYOUT = 1
const TERMS_START = 1 + DIMENSIONS
const TERM_BYTES = 4
const INT8_MAX = 127

/** Low bits of a term that hold its value; the bits above identify the word. */
const VALUE_BITS = 8

export interface MemoryVector {
  /** The embedding, of which only the direction counts. Shape (384,), all zero for a message without words. */
  readonly dense: Int8Array
  readonly sparse: SparseTerms
}

/** The bytes of an embedding, shape (384,), and of terms. */
export function encodeMemoryItem(dense: Float32Array, sparse: SparseTerms): Uint8Array {
  const bytes = new Uint8Array(TERMS_START + TERM_BYTES * sparse.length)
  bytes[0] = LAYOUT
  let largest = 0
  for (const value of dense) largest = Math.max(largest, Math.abs(value))
  const factor = largest === 0 ? 0 : INT8_MAX / largest
  for (let k = 0; k < DIMENSIONS; k++) bytes[1 + k] = Math.round(dense[k]! * factor)
  const view = new DataView(bytes.buffer)
  sparse.forEach((term, i) => {
    view.setUint32(TERMS_START + TERM_BYTES * i, term, true)
  })
  return bytes
}

/** What `encodeMemoryItem` was given, with the embedding rounded; undefined for bytes that it never gives. */
export function decodeMemoryItem(bytes: Uint8Array): MemoryVector | undefined {
  const count = (bytes.length - TERMS_START) / TERM_BYTES
  if (bytes[0] !== LAYOUT || !Number.isInteger(count) || count < 0 || count > TERMS_MAX) {
    return undefined
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sparse = new Uint32Array(count)
  for (let i = 0; i < count; i++) sparse[i] = view.getUint32(TERMS_START + TERM_BYTES * i, true)
  if (!isAscending(sparse)) return undefined
  return { dense: new Int8Array(new Uint8Array(bytes.subarray(1, TERMS_START)).buffer), sparse }
}

/** Whether each word occurs once, in ascending order. */
function isAscending(terms: SparseTerms): boolean {
  for (let i = 1; i < terms.length; i++) {
    if (terms[i]! >>> VALUE_BITS <= terms[i - 1]! >>> VALUE_BITS) return false
  }
  return true
}
