/**
 * What a memory compares of a message, in the bytes that the store keeps: a byte 2 for this layout, how
 * many hosts there are, a hash of four bytes for each, the embedding as 384 integers of 8 bits, then the
 * terms in four bytes each (sparse-terms.ts), all low byte first. At most 1,442 bytes, and no word of the message.
 */
import { type SparseTerms, TERMS_MAX, wordOfTerm } from '../embedding/sparse-terms.ts'

/** Numbers of an embedding. */
export const DIMENSIONS = 384

const LAYOUT = 2
const HOSTS_START = 2
const WORD_BYTES = 4
const INT8_MAX = 127

/** Hosts kept of a message. A campaign leads to one or two. */
export const HOSTS_MAX = 8

export interface MemoryVector {
  /** The embedding, of which only the direction counts. Shape (384,), all zero for a message that is not embedded. */
  readonly dense: Int8Array
  readonly sparse: SparseTerms
  /** Hashes of the domains that the links lead to, of strangers alone (personal-analysis.ts). */
  readonly hosts: Uint32Array
}

/** The bytes of an embedding, shape (384,), of terms, and of at most HOSTS_MAX hosts. */
export function encodeMemoryItem(
  dense: Float32Array,
  sparse: SparseTerms,
  hosts: Uint32Array = new Uint32Array(),
): Uint8Array {
  const denseStart = HOSTS_START + WORD_BYTES * hosts.length
  const termsStart = denseStart + DIMENSIONS
  const bytes = new Uint8Array(termsStart + WORD_BYTES * sparse.length)
  bytes[0] = LAYOUT
  bytes[1] = hosts.length
  let largest = 0
  for (const value of dense) largest = Math.max(largest, Math.abs(value))
  const factor = largest === 0 ? 0 : INT8_MAX / largest
  for (let k = 0; k < DIMENSIONS; k++) bytes[denseStart + k] = Math.round(dense[k]! * factor)
  writeWords(bytes, HOSTS_START, hosts)
  writeWords(bytes, termsStart, sparse)
  return bytes
}

/** What `encodeMemoryItem` was given, with the embedding rounded; undefined for bytes that it never gives. */
export function decodeMemoryItem(bytes: Uint8Array): MemoryVector | undefined {
  const [layout, hostCount = 0] = bytes
  if (layout !== LAYOUT || hostCount > HOSTS_MAX) return undefined
  const denseStart = HOSTS_START + WORD_BYTES * hostCount
  const termsStart = denseStart + DIMENSIONS
  const count = (bytes.length - termsStart) / WORD_BYTES
  if (!Number.isInteger(count) || count < 0 || count > TERMS_MAX) return undefined
  const sparse = readWords(bytes, termsStart, count)
  if (!isAscending(sparse)) return undefined
  return {
    dense: new Int8Array(new Uint8Array(bytes.subarray(denseStart, termsStart)).buffer),
    sparse,
    hosts: readWords(bytes, HOSTS_START, hostCount),
  }
}

function writeWords(bytes: Uint8Array, start: number, words: Uint32Array): void {
  const view = new DataView(bytes.buffer)
  words.forEach((word, i) => {
    view.setUint32(start + WORD_BYTES * i, word, true)
  })
}

function readWords(bytes: Uint8Array, start: number, count: number): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(start + WORD_BYTES * i, true))
}

/** Whether each word occurs once, in ascending order. */
function isAscending(terms: SparseTerms): boolean {
  for (let i = 1; i < terms.length; i++) {
    if (wordOfTerm(terms[i]!) <= wordOfTerm(terms[i - 1]!)) return false
  }
  return true
}
