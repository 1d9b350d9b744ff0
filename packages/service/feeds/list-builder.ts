/**
 * Puts the entries of one feed into shared memory, in the layout of urls/feed-table.ts.
 *
 * Memory for the largest number of entries is reserved in one piece and not cleared, so that pages that
 * are never written take no memory. Several pieces would take it: the C library may serve pieces below
 * 32 MB from memory that was used before, and then clears them. A small feed is copied to memory of its
 * own size.
 */
import { browserReading } from '../../mail/urls/browser-reading.ts'
import { canonicalUrl } from '../../mail/urls/canonical.ts'
import { exactExpression } from '../../mail/urls/expressions.ts'
import {
  DIGEST_BYTES,
  ENTRIES_MAX,
  expressionDigest,
  type FeedList,
  FILTER_BITS,
  HASH_BITS,
} from '../../mail/urls/feed-table.ts'
import { type HashKey, keyedHash } from '../../mail/urls/keyed-hash.ts'
import { isSharedHost } from '../../mail/urls/shared-hosts.ts'
import { FeedRefusal } from './refusal.ts'

/** A feed with fewer entries than this share of the reserved memory is copied. */
const COPY_SHARE = 1 / 4

/** At least one bit, since a hash cannot be shifted by all of its bits. */
const BUCKET_BITS_MIN = 1

/** Feeds write numbers in decimal; larger ones would not fit 32 bits. */
const NUMBER = /^\d{1,9}$/

/** An absolute URL that a browser opens. */
const WEB_URL = /^(?:https?|ftp):\/\//i

export class ListBuilder {
  readonly #key: HashKey
  readonly #entriesMax: number
  readonly #arrays: ListArrays
  readonly #digests: Buffer
  #seen = 0
  #entries = 0

  constructor(key: HashKey, entriesMax: number) {
    if (entriesMax > ENTRIES_MAX) throw new RangeError(`${entriesMax} is above ${ENTRIES_MAX}`)
    this.#key = key
    this.#entriesMax = entriesMax
    this.#arrays = listArrays(entriesMax)
    const { digests } = this.#arrays
    this.#digests = Buffer.from(digests.buffer, digests.byteOffset, digests.byteLength)
  }

  /** The number of entries taken. */
  get entries(): number {
    return this.#entries
  }

  /** The number of entries that do not name a page with one owner: no URL, or the bare name of a host that many share. */
  get skipped(): number {
    return this.#seen - this.#entries
  }

  /** @throws FeedRefusal TOO_LARGE */
  add(listed: string, number: string): void {
    this.#seen += 1
    const url = WEB_URL.test(listed) ? canonicalUrl(browserReading(listed)) : undefined
    if (url === undefined) return
    // An entry with a query or a fragment covers that URL only.
    const isWide = !url.query && !isSharedHost(url.host)
    if (!url.query && url.path === '/' && !isWide) return
    if (this.#entries >= this.#entriesMax) throw new FeedRefusal('TOO_LARGE')

    const expression = exactExpression(url)
    const position = this.#entries
    this.#entries += 1
    const { sorted, numbers, wide } = this.#arrays
    sorted[position] = keyedHash(this.#key, expression) * ENTRIES_MAX + position
    this.#digests.write(expressionDigest(expression), position * DIGEST_BYTES, 'latin1')
    numbers[position] = NUMBER.test(number) ? Number(number) : this.#seen
    wide[position] = isWide && !listed.includes('#') ? 1 : 0
  }

  finish(feed: string): FeedList {
    const entries = this.#entries
    const filled = cut(this.#arrays, entries)
    const isSmall = entries < this.#entriesMax * COPY_SHARE
    const arrays = isSmall ? copied(filled, entries) : filled
    arrays.sorted.sort()
    const bucketBits = Math.max(BUCKET_BITS_MIN, Math.floor(Math.log2(entries)))
    return {
      feed,
      entries,
      ...arrays,
      bucketBits,
      buckets: bucketsOf(arrays.sorted, bucketBits),
      filter: filterOf(arrays.sorted, bucketBits + FILTER_BITS),
    }
  }
}

type ListArrays = Pick<FeedList, 'sorted' | 'digests' | 'numbers' | 'wide'>

/** Arrays for `entries` entries in one piece of memory, those with larger elements first. */
function listArrays(entries: number): ListArrays {
  const sortedBytes = entries * Float64Array.BYTES_PER_ELEMENT
  const numbersBytes = entries * Uint32Array.BYTES_PER_ELEMENT
  const digestsBytes = entries * DIGEST_BYTES
  const memory = new SharedArrayBuffer(sortedBytes + numbersBytes + digestsBytes + entries)
  return {
    sorted: new Float64Array(memory, 0, entries),
    numbers: new Uint32Array(memory, sortedBytes, entries),
    digests: new Uint8Array(memory, sortedBytes + numbersBytes, digestsBytes),
    wide: new Uint8Array(memory, sortedBytes + numbersBytes + digestsBytes, entries),
  }
}

function cut({ sorted, numbers, digests, wide }: ListArrays, entries: number): ListArrays {
  return {
    sorted: sorted.subarray(0, entries),
    numbers: numbers.subarray(0, entries),
    digests: digests.subarray(0, entries * DIGEST_BYTES),
    wide: wide.subarray(0, entries),
  }
}

function copied(arrays: ListArrays, entries: number): ListArrays {
  const copy = listArrays(entries)
  copy.sorted.set(arrays.sorted)
  copy.numbers.set(arrays.numbers)
  copy.digests.set(arrays.digests)
  copy.wide.set(arrays.wide)
  return copy
}

/** For each value of the upper `bits` of a hash, and one more, how many of the hashes in `sorted` are below it. */
function bucketsOf(sorted: Float64Array, bits: number): Uint32Array {
  const count = 2 ** bits
  const step = 2 ** (HASH_BITS - bits) * ENTRIES_MAX
  const memory = new SharedArrayBuffer((count + 1) * Uint32Array.BYTES_PER_ELEMENT)
  const buckets = new Uint32Array(memory)
  let at = 0
  for (let bucket = 0; bucket <= count; bucket += 1) {
    while (at < sorted.length && sorted[at]! < bucket * step) at += 1
    buckets[bucket] = at
  }
  return buckets
}

/** A bit for each value of the upper `bits` of a hash, set where one of the hashes in `sorted` has it. */
function filterOf(sorted: Float64Array, bits: number): Uint32Array {
  const filter = new Uint32Array(new SharedArrayBuffer(2 ** bits / 8))
  for (const each of sorted) {
    const bit = Math.floor(each / ENTRIES_MAX) >>> (HASH_BITS - bits)
    filter[bit >>> 5]! |= 1 << (bit & 31)
  }
  return filter
}
