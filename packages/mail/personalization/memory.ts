/**
 * A user's corrected messages, packed for one question: which of them are most similar to this one?
 *
 * Similarity is that of packages/mail/embedding/message-embedding.ts, over embeddings and terms; for items
 * embedded by another model it is that of the terms alone. The search is exact: every item is compared
 * by its terms, which are sorted by word so that only words of the message are looked at, and by its
 * embedding if its terms leave it a chance.
 */
import { DIMENSIONS } from '../embedding/embedding-model.ts'
import { DENSE_PART } from '../embedding/message-embedding.ts'
import { decodeMemoryItem, type MemoryVector } from './memory-item.ts'

/** Dimensions that are compared first: for unrelated mail they are enough. */
const HEAD_DIMENSIONS = 128

/** Low bits of a term that hold its value; the 24 bits above identify the word. */
const VALUE_BITS = 8
const VALUE_MASK = 0xff
const WORD_BITS = 24

/** Roughly the number of terms in one bucket of the index, which is how many are skipped for each that is found. */
const BUCKET_TERMS = 4

/** A corrected message, as the store keeps it. */
export interface StoredMemoryItem {
  readonly feedbackId: string
  /** `spam` or `ham`; a class, for the kind `tabs`. */
  readonly label: string
  /** Equal only for the same message. */
  readonly messageKey?: Uint8Array
  /** Equal only for the same sender's address. */
  readonly senderKey?: Uint8Array
  /** The domain for which it was authenticated; absent when it was not. */
  readonly authenticatedDomain?: string
  /** The domain that it claimed, when it was not. */
  readonly claimedDomain?: string
  readonly embeddingModel: string
  /** The bytes that `encodeMemoryItem` gave. */
  readonly memory: Uint8Array
  readonly createdAt: Date
}

/** What is known of an item besides the vectors that it is compared by. */
export interface RememberedMessage {
  readonly feedbackId: string
  readonly label: string
  /** Keys in base64. */
  readonly messageKey: string | undefined
  readonly senderKey: string | undefined
  readonly authenticatedDomain: string | undefined
  readonly claimedDomain: string | undefined
  readonly embeddingModel: string
  readonly createdAt: Date
}

export interface Memory {
  /** The items in the order in which they were given; those with damaged bytes are left out. */
  readonly messages: readonly RememberedMessage[]
  /** Shape (items, 384). */
  readonly dense: Int8Array
  /** Lengths (L2) of the embedding of each item, and of its last dimensions. Shape (items,). */
  readonly denseLengths: Float32Array
  readonly tailLengths: Float32Array
  /** Length (L2) of the terms of each item. Shape (items,). */
  readonly sparseLengths: Float32Array
  readonly index: TermIndex
  /** Approximate memory that all this takes, in bytes. */
  readonly bytes: number
}

/** The terms of all items, by the word they stand for. */
interface TermIndex {
  /** How far to shift a word's hash: the bits left are the number of its bucket. */
  readonly shift: number
  /** Where the terms of each bucket begin, and as the last element where they end. Shape (buckets + 1,). */
  readonly starts: Uint32Array
  readonly terms: Uint32Array
  /** The item that each term belongs to. Shape (terms,). */
  readonly items: Uint16Array
}

/** The message asked about. */
export interface MemoryQuery {
  readonly vector: MemoryVector
  readonly embeddingModel: string
  readonly messageKey?: Uint8Array
  readonly senderKey?: Uint8Array
}

export interface Neighbor {
  readonly message: RememberedMessage
  /** In [-1, 1]. */
  readonly similarity: number
  readonly sameMessage: boolean
  readonly sameSender: boolean
}

/** Items that one memory can hold, given the width of `TermIndex.items`; users have up to 2,000. */
const ITEMS_MAX = 0xffff

/** Approximate memory of one item besides its vectors, in bytes: its names and its time as objects. */
const MESSAGE_BYTES = 300

/** @throws RangeError for more items than ITEMS_MAX. */
export function packMemory(stored: readonly StoredMemoryItem[]): Memory {
  if (stored.length > ITEMS_MAX) throw new RangeError(`${stored.length} items are too many`)
  const messages: RememberedMessage[] = []
  const vectors: MemoryVector[] = []
  for (const item of stored) {
    const vector = decodeMemoryItem(item.memory)
    if (vector === undefined) continue
    vectors.push(vector)
    messages.push(remembered(item))
  }
  const arrays = {
    dense: rowsOf(vectors),
    denseLengths: Float32Array.from(vectors, ({ dense }) => lengthFrom(dense, 0)),
    tailLengths: Float32Array.from(vectors, ({ dense }) => lengthFrom(dense, HEAD_DIMENSIONS)),
    sparseLengths: Float32Array.from(vectors, sparseLength),
  }
  const index = indexOf(vectors)
  const { starts, terms, items } = index
  const bytes = bytesOf([...Object.values(arrays), starts, terms, items])
  return { messages, ...arrays, index, bytes: bytes + messages.length * MESSAGE_BYTES }
}

function rowsOf(vectors: readonly MemoryVector[]): Int8Array {
  const rows = new Int8Array(vectors.length * DIMENSIONS)
  vectors.forEach(({ dense }, item) => {
    rows.set(dense, item * DIMENSIONS)
  })
  return rows
}

function bytesOf(arrays: readonly ArrayBufferView[]): number {
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function remembered(item: StoredMemoryItem): RememberedMessage {
  const { feedbackId, label, authenticatedDomain, claimedDomain, embeddingModel, createdAt } = item
  return {
    feedbackId,
    label,
    messageKey: keyName(item.messageKey),
    senderKey: keyName(item.senderKey),
    authenticatedDomain,
    claimedDomain,
    embeddingModel,
    createdAt,
  }
}

function keyName(key: Uint8Array | undefined): string | undefined {
  return key === undefined ? undefined : Buffer.from(key).toString('base64')
}

/** Length (L2) of the dimensions from `from` on. */
function lengthFrom(dense: Int8Array, from: number): number {
  let sum = 0
  for (let k = from; k < dense.length; k++) sum += dense[k]! * dense[k]!
  return Math.sqrt(sum)
}

function sparseLength({ sparse }: MemoryVector): number {
  let sum = 0
  for (const term of sparse) sum += (term & VALUE_MASK) ** 2
  return Math.sqrt(sum)
}

/** Sorts the terms into buckets by counting: once to see how many each holds, once to put them there. */
function indexOf(vectors: readonly MemoryVector[]): TermIndex {
  const count = vectors.reduce((sum, { sparse }) => sum + sparse.length, 0)
  // There are at least two buckets: a shift by 32 would be a shift by 0.
  const bits = Math.min(WORD_BITS, Math.ceil(Math.log2(count / BUCKET_TERMS + 2)))
  const shift = WORD_BITS - bits + VALUE_BITS
  const starts = new Uint32Array((1 << bits) + 1)
  for (const { sparse } of vectors) for (const term of sparse) starts[(term >>> shift) + 1]!++
  for (let bucket = 1; bucket < starts.length; bucket++) starts[bucket]! += starts[bucket - 1]!
  const ends = starts.slice()
  const terms = new Uint32Array(count)
  const items = new Uint16Array(count)
  vectors.forEach(({ sparse }, item) => {
    for (const term of sparse) {
      const at = ends[term >>> shift]!++
      terms[at] = term
      items[at] = item
    }
  })
  return { shift, starts, terms, items }
}

/**
 * The `k` items most similar to `query`, the most similar first, none below `similarityMin`. The same
 * message always comes first, whatever its similarity.
 */
export function neighbors(
  memory: Memory,
  query: MemoryQuery,
  k: number,
  similarityMin: number,
): Neighbor[] {
  const asked = askedOf(query)
  const sparse = sparseSimilarities(memory, query.vector)
  const found: Neighbor[] = []
  for (let item = 0; item < memory.messages.length; item++) {
    const message = memory.messages[item]!
    const sameMessage = message.messageKey !== undefined && message.messageKey === asked.messageKey
    const least = found.length < k ? similarityMin : found[k - 1]!.similarity
    const similarity = similarityOf(memory, item, asked, sparse[item]!, sameMessage ? -1 : least)
    if (similarity === undefined) continue
    const sameSender = message.senderKey !== undefined && message.senderKey === asked.senderKey
    insert(found, { message, similarity, sameMessage, sameSender }, k)
  }
  return found
}

/** A query, with what every comparison needs. */
interface Asked {
  readonly dense: Int8Array
  readonly denseLength: number
  readonly tailLength: number
  readonly embeddingModel: string
  readonly messageKey: string | undefined
  readonly senderKey: string | undefined
}

function askedOf({ vector, embeddingModel, messageKey, senderKey }: MemoryQuery): Asked {
  return {
    dense: vector.dense,
    denseLength: lengthFrom(vector.dense, 0),
    tailLength: lengthFrom(vector.dense, HEAD_DIMENSIONS),
    embeddingModel,
    messageKey: keyName(messageKey),
    senderKey: keyName(senderKey),
  }
}

/**
 * The similarity of an item; undefined when it is below `least`. The terms or the first dimensions
 * mostly show that already: the others can add at most the product of their lengths (Cauchy-Schwarz).
 */
function similarityOf(
  memory: Memory,
  item: number,
  asked: Asked,
  sparse: number,
  least: number,
): number | undefined {
  if (memory.messages[item]!.embeddingModel !== asked.embeddingModel) {
    return sparse < least ? undefined : sparse
  }
  if (hybrid(1, sparse) < least) return undefined
  const lengths = memory.denseLengths[item]! * asked.denseLength || 1
  const head = dotProduct(memory.dense, item, asked.dense, 0, HEAD_DIMENSIONS)
  const tailMost = memory.tailLengths[item]! * asked.tailLength
  if (hybrid((head + tailMost) / lengths, sparse) < least) return undefined
  const tail = dotProduct(memory.dense, item, asked.dense, HEAD_DIMENSIONS, DIMENSIONS)
  // By rounding, a message may be more than identical to itself.
  const similarity = Math.min(1, hybrid((head + tail) / lengths, sparse))
  return similarity < least ? undefined : similarity
}

function hybrid(dense: number, sparse: number): number {
  return DENSE_PART * dense + (1 - DENSE_PART) * sparse
}

/** The cosine of the terms of each item with those of `vector`. Shape (items,). */
function sparseSimilarities(memory: Memory, vector: MemoryVector): Float32Array {
  const { shift, starts, terms, items } = memory.index
  const sums = new Float32Array(memory.messages.length)
  for (const term of vector.sparse) {
    const bucket = term >>> shift
    const end = starts[bucket + 1]!
    for (let at = starts[bucket]!; at < end; at++) {
      if ((terms[at]! ^ term) >>> VALUE_BITS !== 0) continue
      sums[items[at]!]! += (terms[at]! & VALUE_MASK) * (term & VALUE_MASK)
    }
  }
  const length = sparseLength(vector)
  for (let item = 0; item < sums.length; item++) {
    sums[item] = Math.min(1, sums[item]! / (memory.sparseLengths[item]! * length || 1))
  }
  return sums
}

/** The dot product over dimensions `from` … `to` - 1. It keeps four sums, since with one each addition would wait for the last. */
function dotProduct(
  rows: Int8Array,
  row: number,
  vector: Int8Array,
  from: number,
  to: number,
): number {
  const start = row * DIMENSIONS
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let k = from; k < to; k += 4) {
    a = (a + Math.imul(rows[start + k]!, vector[k]!)) | 0
    b = (b + Math.imul(rows[start + k + 1]!, vector[k + 1]!)) | 0
    c = (c + Math.imul(rows[start + k + 2]!, vector[k + 2]!)) | 0
    d = (d + Math.imul(rows[start + k + 3]!, vector[k + 3]!)) | 0
  }
  return a + b + c + d
}

/** Inserts `neighbor` so that `found` stays sorted and has at most `k` elements. */
function insert(found: Neighbor[], neighbor: Neighbor, k: number): void {
  const at = found.findIndex((other) => comesBefore(neighbor, other))
  found.splice(at < 0 ? found.length : at, 0, neighbor)
  if (found.length > k) found.pop()
}

/** The order of neighbors: the same message first; among equals the one first in the memory, which is newer. */
function comesBefore(one: Neighbor, other: Neighbor): boolean {
  if (one.sameMessage !== other.sameMessage) return one.sameMessage
  return one.similarity > other.similarity
}
