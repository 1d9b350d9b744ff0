/**
 * The URL feeds in memory, in a form that all threads share without copying.
 *
 * A feed is kept as the SHA-256 of each entry's canonical expression (host, path and query). Entries are
 * found through a sorted table of 8-byte numbers, each a 32-bit keyed hash and the position of its
 * entry, so that a look-up that finds nothing, as nearly all do, computes no SHA-256. An entry counts as
 * found only when all 32 bytes agree.
 */
import { hash } from 'node:crypto'
import type { Expression } from './expressions.ts'
import { type HashKey, keyedHash } from './keyed-hash.ts'

export const DIGEST_BYTES = 32

/** Positions that fit beside a 32-bit hash in the 53 bits of a whole number. */
export const ENTRIES_MAX = 2 ** 21

/** Bits in a keyed hash, and in an element of the filter. */
export const HASH_BITS = 32

/** How many bits more than the buckets the filter uses: 2 MB for a million entries, which fit in the processor's cache. */
export const FILTER_BITS = 5

/** One feed. All arrays are in shared memory; positions are those in the feed's own order. */
export interface FeedList {
  /** 'phishtank', 'urlhaus' … */
  readonly feed: string
  /** The number of entries, and of elements in each array with one element per entry. */
  readonly entries: number
  /** Keyed hash times ENTRIES_MAX plus position, ascending. Shape (entries,). */
  readonly sorted: Float64Array
  /** One bit for each value of the upper bits of a hash (FILTER_BITS more than `bucketBits`): set where there is such a hash, which is for one value in sixteen. */
  readonly filter: Uint32Array
  /** How many upper bits of a hash index `buckets`: enough for a bucket to hold one entry or two. */
  readonly bucketBits: number
  /** Where in `sorted` the hashes with these upper bits begin. Shape (2^bucketBits + 1,). */
  readonly buckets: Uint32Array
  /** The digest of each entry, by position. Shape (entries, DIGEST_BYTES). */
  readonly digests: Uint8Array
  /** The number that the feed gives each entry, or else its place in the feed from 1, by position. Shape (entries,). */
  readonly numbers: Uint32Array
  /** By position: 1 when the entry covers its page with any query or, if it is a bare host, the whole host. Shape (entries,). */
  readonly wide: Uint8Array
}

/** All feeds, as plain data that can be posted to a worker thread, which then reads the same memory. */
export interface FeedTable {
  /** The key of the hashes in all lists. */
  readonly key: HashKey
  readonly lists: readonly FeedList[]
}

export interface FeedEntry {
  readonly feed: string
  /** Its number in the feed. */
  readonly entry: number
}

/** The SHA-256 of an expression, one character per byte. */
export function expressionDigest(text: string): string {
  return hash('sha256', text, 'binary')
}

/** The first entry that `expression` matches; undefined when there is none. */
export function findEntry(table: FeedTable, expression: Expression): FeedEntry | undefined {
  if (expression.scope === 'part') return undefined
  const hashed = keyedHash(table.key, expression.text)
  let digest: string | undefined
  for (const list of table.lists) {
    if (!mayHold(list, hashed)) continue
    for (let i = firstOf(list, hashed); i < list.entries; i += 1) {
      const position = list.sorted[i]! - hashed * ENTRIES_MAX
      if (position >= ENTRIES_MAX) break
      if (expression.scope !== 'exact' && list.wide[position] === 0) continue
      digest ??= expressionDigest(expression.text)
      if (isDigestAt(list, position, digest)) {
        return { feed: list.feed, entry: list.numbers[position]! }
      }
    }
  }
  return undefined
}

/** False where no hash in `list` has these upper bits, as most have none. */
function mayHold({ filter, bucketBits }: FeedList, hashed: number): boolean {
  const bit = hashed >>> (HASH_BITS - bucketBits - FILTER_BITS)
  return ((filter[bit >>> 5]! >>> (bit & 31)) & 1) === 1
}

/** The position in `sorted` of the first hash that is not below `hashed`. */
function firstOf(list: FeedList, hashed: number): number {
  const bucket = hashed >>> (HASH_BITS - list.bucketBits)
  const wanted = hashed * ENTRIES_MAX
  let low = list.buckets[bucket]!
  let high = list.buckets[bucket + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list.sorted[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

function isDigestAt(list: FeedList, position: number, digest: string): boolean {
  const start = position * DIGEST_BYTES
  for (let i = 0; i < DIGEST_BYTES; i += 1) {
    if (list.digests[start + i] !== digest.charCodeAt(i)) return false
  }
  return true
}
