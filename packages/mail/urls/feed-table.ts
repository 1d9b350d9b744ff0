/**
 * The URL feeds in memory, in a form that all threads share without copying.
 *
 * A feed is kept as the SHA-256 of each entry's canonical expression (host, path and query). Entries are found
 * through a hash table with open addressing (Knuth, The Art of Computer Programming 3, 6.4) by a keyed 32-bit hash,
 * before which a bit says whether there is any such hash: a look-up that finds nothing, as nearly all do, computes
 * no SHA-256. An entry counts as found only when all 32 bytes agree.
 */
import { hash } from 'node:crypto'
import { LINKS_MAX } from '../message/limits.ts'
import { browserReading, type CanonicalUrl, canonicalUrl } from './canonical.ts'
import { type HashKey, keyedHash } from './keyed-hash.ts'
import { WRAPPERS_MAX, wrapperTarget } from './unwrap.ts'

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
interface FeedList {
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
  readonly bytes: Uint8Array
}

/** All feeds, as plain data that can be posted to a worker thread, which then reads the same memory. */
export interface FeedTable {
  /** The key of the hashes in all lists. */
  readonly key: HashKey
  readonly lists: readonly FeedList[]
}

interface FeedEntry {
  readonly feed: string
  readonly entry: number
}

/** The SHA-256 of an expression, one character per byte. */
export function expressionDigest(text: string): string {
  return hash('sha256', text, 'binary')
}

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
function findEntry({ key, lists }: FeedTable, { text, scope }: Expression): FeedEntry | undefined {
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

/**
 * Finds the links of a message that are in a URL feed.
 *
 * A feed names pages and is taken literally: the exact URL matches; the page with another query matches
 * when the feed names no query; and a whole host matches only when the feed names the bare host. On
 * hosts shared by strangers only the exact URL matches (shared-hosts.ts). Fragments never reach a server
 * and are ignored. Folders above a listed page are not evidence.
 */

/** A link that is in a feed. */
export interface FeedHit extends FeedEntry {
  /** The link as in the message: for the diagnostic, never for a log. */
  readonly href: string
  /** The expression of the link, or of the link that it wraps, that the feed holds: 'example.com/a?b=c'. */
  readonly expression: string
}

/** At most one hit for each different link, in order; links past LINKS_MAX are not looked at. */
export function matchLinks(table: FeedTable, hrefs: readonly string[]): FeedHit[] {
  const hits: FeedHit[] = []
  for (const href of new Set(hrefs.slice(0, LINKS_MAX))) {
    const hit = matchLink(table, href)
    if (hit !== undefined) hits.push(hit)
  }
  return hits
}

function matchLink(table: FeedTable, href: string): FeedHit | undefined {
  let link: string | undefined = href
  for (let depth = 0; depth <= WRAPPERS_MAX && link !== undefined; depth += 1) {
    const reading = browserReading(link)
    const url = canonicalUrl(reading)
    if (url === undefined) return undefined
    for (const expression of ownExpressions(url)) {
      const entry = findEntry(table, expression)
      if (entry !== undefined) return { href, ...entry, expression: expression.text }
    }
    link = wrapperTarget(reading, url.host)
  }
  return undefined
}

/**
 * The host-suffix and path-prefix expressions of a URL: the names under which a list may hold it, from
 * the exact URL to the whole host.
 *
 * Safe Browsing, "URLs and Hashing", Suffix/Prefix Expressions: the host and up to four shorter
 * ones, made of its last five labels, each with up to six paths. Scheme, user and port do not
 * count.
 */

/** A host is first shortened to this many labels; the document goes down to two. */
const SUFFIX_LABELS_MAX = 5
const SUFFIX_LABELS_MIN = 2

/**
 * How much an expression leaves out. `exact`: nothing. `page`: the query. `host`: the whole path, so
 * that it is the root of the host or of one above it.
 */
type Scope = 'exact' | 'page' | 'host'

interface Expression {
  /** Host, path and query, without scheme: 'example.com/a/b.html?c=d'. */
  readonly text: string
  readonly scope: Scope
}

/** The expression of the URL itself, under which a feed's entry is kept. */
export function exactExpression({ host, path, query }: CanonicalUrl): string {
  // A question mark with nothing after it asks for the same page.
  return query ? `${host}${path}?${query}` : host + path
}

/** The expressions that leave out only the whole query or the whole path, the exact one first: not those of folders, nor the path under another host. */
export function ownExpressions(url: CanonicalUrl): Expression[] {
  const { host, path, query } = url
  const text = exactExpression(url)
  const own: Expression[] = [{ text, scope: 'exact' }]
  // All are slices of one string, which costs less than building each.
  if (query && path !== '/') {
    own.push({ text: text.slice(0, host.length + path.length), scope: 'page' })
  }
  for (const start of hostStarts(host)) {
    const isExact = start === 0 && path === '/' && !query
    if (!isExact) own.push({ text: text.slice(start, host.length + 1), scope: 'host' })
  }
  return own
}

/** Where in `host` the host itself begins, and the shorter hosts that are left when labels are removed from the left. An IP address stays whole. */
function hostStarts(host: string): number[] {
  const starts = [0]
  // No top-level domain ends in a digit, and every IPv4 address does.
  if (host.endsWith(']') || /\d$/.test(host)) return starts
  let dot = host.lastIndexOf('.')
  // Each round adds a label.
  for (let labels = SUFFIX_LABELS_MIN; labels <= SUFFIX_LABELS_MAX && dot > 0; labels += 1) {
    dot = host.lastIndexOf('.', dot - 1)
    if (dot >= 0) starts.push(dot + 1)
  }
  return starts
}
