/**
 * The URL feeds in memory, in a form that all threads share without copying.
 *
 * A feed is kept as the SHA-256 of each entry's canonical expression (host, path and query). Entries are found
 * through a hash table with open addressing (Knuth, The Art of Computer Programming 3, 6.4) by a keyed 32-bit hash,
 * before which a bit says whether there is any such hash: a look-up that finds nothing, as nearly all do, computes
 * no SHA-256. An entry counts as found only when all 32 bytes agree.
 */
import { hash } from 'node:crypto'
import type { Expression } from './expressions.ts'
import { type HashKey, keyedHash } from './keyed-hash.ts'

/** Entries of a feed. Stops one that fills the memory: rows of as many take 84 MB. */
export const ENTRIES_MAX = 2 ** 21

/** Words of a row: the keyed hash, the number of the entry with WIDE, and the digest. */
export const ROW_WORDS = 10
const NUMBER_AT = 1
const DIGEST_AT = 2

/** Added to the number of an entry that covers its page with any query or, if it is a bare host, the whole host. */
export const WIDE = 2 ** 31

/** At most half of the slots are taken, so that a look-up takes one or two. */
const SLOTS_AN_ENTRY = 2

/** Bits of the filter for each slot, as a power of two: 4 MB for a million entries, in which one bit of sixteen or more is set. */
const FILTER_BITS = 3

const WORD_BYTES = 4
const WORD_BITS = 32

/** One feed, in one piece of shared memory. */
export interface FeedList {
  /** 'phishtank', 'urlhaus' … */
  readonly feed: string
  readonly entries: number
  /** One bit for each value of the upper bits of a hash: set where there is such a hash. */
  readonly filter: Uint32Array
  /** How far a hash is shifted to be the number of a bit. */
  readonly filterShift: number
  /** By the lower bits of a hash and those that follow: 1 + the number of a row; 0 where none is. */
  readonly slots: Uint32Array
  /** Rows in the feed's own order. Shape (entries, ROW_WORDS). */
  readonly rows: Uint32Array
  /** Their bytes. */
  readonly bytes: Uint8Array
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

/** The memory of a feed with `rows`. */
export function feedMemory(rows: Uint32Array): SharedArrayBuffer {
  const entries = rows.length / ROW_WORDS
  const memory = new SharedArrayBuffer(placesOf(entries).words * WORD_BYTES)
  new Uint32Array(memory)[0] = entries
  const list = feedIn(memory, '')
  list.rows.set(rows)
  const mask = list.slots.length - 1
  for (let row = 0; row < entries; row += 1) {
    const hashed = rows[row * ROW_WORDS]!
    const bit = hashed >>> list.filterShift
    list.filter[bit >>> 5]! |= 1 << (bit & 31)
    let slot = hashed & mask
    while (list.slots[slot] !== 0) slot = (slot + 1) & mask
    list.slots[slot] = row + 1
  }
  return memory
}

/** The feed that is in `memory`. */
export function feedIn(memory: SharedArrayBuffer, feed: string): FeedList {
  const [entries = 0] = new Uint32Array(memory, 0, 1)
  const { slots, rows, words, slotBits } = placesOf(entries)
  const between = (from: number, to: number) =>
    new Uint32Array(memory, from * WORD_BYTES, to - from)
  return {
    feed,
    entries,
    filter: between(1, slots),
    filterShift: WORD_BITS - slotBits - FILTER_BITS,
    slots: between(slots, rows),
    rows: between(rows, words),
    bytes: new Uint8Array(memory, rows * WORD_BYTES),
  }
}

/** Where in memory slots and rows begin, after the number of entries and the filter, and where they end; in words. */
function placesOf(entries: number) {
  // Two bits of a slot and FILTER_BITS more make a word of the filter.
  const slotBits = Math.max(2, Math.ceil(Math.log2(SLOTS_AN_ENTRY * entries)))
  const slots = 1 + 2 ** (slotBits + FILTER_BITS) / WORD_BITS
  const rows = slots + 2 ** slotBits
  return { slots, rows, words: rows + entries * ROW_WORDS, slotBits }
}

/** The first entry that `expression` matches; undefined when there is none. */
export function findEntry(
  { key, lists }: FeedTable,
  { text, scope }: Expression,
): FeedEntry | undefined {
  const hashed = keyedHash(key, text)
  let digest: string | undefined
  for (const list of lists) {
    const { filter, filterShift, slots, rows } = list
    const bit = hashed >>> filterShift
    if (((filter[bit >>> 5]! >>> (bit & 31)) & 1) === 0) continue
    const mask = slots.length - 1
    for (let slot = hashed & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = (slots[slot]! - 1) * ROW_WORDS
      if (rows[row] !== hashed) continue
      const number = rows[row + NUMBER_AT]!
      if (scope !== 'exact' && number < WIDE) continue
      digest ??= expressionDigest(text)
      if (isDigestAt(list, row, digest)) return { feed: list.feed, entry: number % WIDE }
    }
  }
  return undefined
}

function isDigestAt({ bytes }: FeedList, row: number, digest: string): boolean {
  const start = (row + DIGEST_AT) * WORD_BYTES
  for (let i = 0; i < digest.length; i += 1) {
    if (bytes[start + i] !== digest.charCodeAt(i)) return false
  }
  return true
}
