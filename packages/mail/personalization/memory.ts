/**
 * A user's corrected messages, packed for one question: which of them are most similar to this one?
 *
 * The similarity of two messages is the cosine of their terms (embedding/sparse-terms.ts), provided that
 * their embeddings by one model agree. The search is exact: every item is compared by its terms, which are
 * sorted by word so that only words of the message are looked at, and by its embedding if its terms make it near.
 */
import {
  type SparseTerms,
  squaredLength,
  weightOfTerm,
  wordOfTerm,
} from '../embedding/sparse-terms.ts'
import { DIMENSIONS, decodeMemoryItem, type MemoryVector } from './memory-item.ts'

/** Low bits of a term that hold its value; the 24 bits above identify the word. */
const VALUE_BITS = 8
const WORD_BITS = 24

/** Roughly the number of terms in one bucket of the index, which is how many are skipped for each that is found. */
const BUCKET_TERMS = 4

/**
 * The cosine of two embeddings from which they agree: by this encoder, letters of one frame about other things have 0.80 to 0.93,
 * members of a campaign 0.92 to 1 (docs/decisions/0030-memory-by-identity.md).
 */
const AGREEMENT_MIN = 0.915

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

/** A corrected message as others are compared with it. */
export interface RememberedMessage extends Pick<MemoryVector, 'dense' | 'hosts'> {
  readonly feedbackId: string
  readonly label: string
  /** Keys in base64. */
  readonly messageKey: string | undefined
  readonly senderKey: string | undefined
  readonly authenticatedDomain: string | undefined
  readonly claimedDomain: string | undefined
  readonly embeddingModel: string
  readonly createdAt: Date
  readonly termCount: number
  /** Lengths (L2) of the embedding and of the terms, which are in the index. */
  readonly denseLength: number
  readonly sparseLength: number
}

export interface Memory {
  /** In the order in which they were given; those with damaged bytes are left out. */
  readonly messages: readonly RememberedMessage[]
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

/** What a model made of a message: DIMENSIONS numbers of length 1. */
export interface MessageEmbedding {
  readonly model: string
  readonly vector: Float32Array
}

/** The message asked about. */
export interface MemoryQuery extends Pick<MemoryVector, 'sparse' | 'hosts'> {
  /** By which it agrees with items or does not; `agrees` with all that are embedded: whether it has to be embedded is asked. Without one nothing is known of it. */
  readonly embedding?: MessageEmbedding | 'agrees' | undefined
  readonly messageKey?: Uint8Array
  readonly senderKey?: Uint8Array
  /** Whether many people write from the sender's address, which then identifies none of them (patterns.ts). */
  readonly isSharedSender?: boolean
  /** Whether a program or a service put most of the text around what its user says (personal-analysis.ts). */
  readonly isFramed?: boolean
}

export interface Neighbor {
  readonly message: RememberedMessage
  /** Whether the embeddings agree; undefined where one model has not embedded both. */
  readonly agrees: true | undefined
  /** In [0, 1]. */
  readonly similarity: number
  readonly sameMessage: boolean
  readonly sameSender: boolean
  /** Whether links of both lead to one stranger's host (personal-analysis.ts). */
  readonly sameHosts: boolean
  /** Terms of the shorter of both: how much text the similarity is of. */
  readonly terms: number
  /** Terms times their squared length, of the message asked about: how many of its words are particular to it. */
  readonly mass: number
}

/** Items that one memory can hold, given the width of `TermIndex.items`; users have up to 2,000. */
const ITEMS_MAX = 0xffff

/** Approximate memory of one message besides its terms, in bytes: its names, its time, its embedding and its hosts. */
const MESSAGE_BYTES = 850

/** @throws RangeError for more items than ITEMS_MAX. */
export function packMemory(stored: readonly StoredMemoryItem[]): Memory {
  if (stored.length > ITEMS_MAX) throw new RangeError(`${stored.length} items are too many`)
  const messages: RememberedMessage[] = []
  const vectors: MemoryVector[] = []
  for (const item of stored) {
    const vector = decodeMemoryItem(item.memory)
    if (vector === undefined) continue
    vectors.push(vector)
    messages.push(remembered(item, vector))
  }
  const index = indexOf(vectors)
  const bytes = [index.starts, index.terms, index.items].reduce(
    (sum, { byteLength }) => sum + byteLength,
    messages.length * MESSAGE_BYTES,
  )
  return { messages, index, bytes }
}

function remembered(
  item: StoredMemoryItem,
  { dense, hosts, sparse }: MemoryVector,
): RememberedMessage {
  const { feedbackId, label, authenticatedDomain, claimedDomain, embeddingModel, createdAt } = item
  return {
    ...{ feedbackId, label, authenticatedDomain, claimedDomain, embeddingModel, createdAt },
    messageKey: keyName(item.messageKey),
    senderKey: keyName(item.senderKey),
    ...{ dense, hosts, termCount: sparse.length },
    denseLength: lengthOf(dense),
    sparseLength: Math.sqrt(squaredLength(sparse)),
  }
}

function keyName(key: Uint8Array | undefined): string | undefined {
  return key === undefined ? undefined : Buffer.from(key).toString('base64')
}

function lengthOf(dense: Int8Array): number {
  let sum = 0
  for (const value of dense) sum += value * value
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
  const messageKey = keyName(query.messageKey)
  const senderKey = keyName(query.senderKey)
  const { sparse, hosts } = query
  const similarities = sparseSimilarities(memory, sparse)
  const mass = sparse.length * squaredLength(sparse)
  const found: Neighbor[] = []
  for (const [item, message] of memory.messages.entries()) {
    const similarity = similarities[item]!
    const sameMessage = message.messageKey !== undefined && message.messageKey === messageKey
    const isNear = similarity >= (found.length < k ? similarityMin : found[k - 1]!.similarity)
    if (!sameMessage && !isNear) continue
    const agrees = embeddingsAgree(message, query)
    if (!sameMessage && agrees === false) continue
    const neighbor = {
      message,
      agrees: agrees || undefined,
      similarity,
      sameMessage,
      sameSender: message.senderKey !== undefined && message.senderKey === senderKey,
      sameHosts: message.hosts.some((host) => hosts.includes(host)),
      terms: Math.min(message.termCount, sparse.length),
      mass,
    }
    insert(found, neighbor, k)
  }
  return found
}

/** Undefined where one model has not embedded both. */
function embeddingsAgree(
  { embeddingModel, dense, denseLength }: RememberedMessage,
  { embedding }: MemoryQuery,
): boolean | undefined {
  if (embedding === undefined || denseLength === 0) return undefined
  if (embedding === 'agrees') return true
  const { model, vector } = embedding
  if (embeddingModel !== model) return undefined
  let sum = 0
  for (let k = 0; k < DIMENSIONS; k++) sum += dense[k]! * vector[k]!
  return sum >= AGREEMENT_MIN * denseLength
}

/** The cosine of the terms of each item with those of `asked`. Shape (items,). */
function sparseSimilarities(memory: Memory, asked: SparseTerms): Float32Array {
  const { shift, starts, terms, items } = memory.index
  const sums = new Float32Array(memory.messages.length)
  for (const term of asked) {
    const bucket = term >>> shift
    const end = starts[bucket + 1]!
    const weight = weightOfTerm(term)
    for (let at = starts[bucket]!; at < end; at++) {
      if (wordOfTerm(terms[at]!) !== wordOfTerm(term)) continue
      sums[items[at]!]! += weightOfTerm(terms[at]!) * weight
    }
  }
  const length = Math.sqrt(squaredLength(asked))
  for (let item = 0; item < sums.length; item++) {
    // By rounding, a message may be more than identical to itself.
    sums[item] = Math.min(1, sums[item]! / (memory.messages[item]!.sparseLength * length || 1))
  }
  return sums
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
