/** Makes rows of the entries of one feed (urls/feed-table.ts). */
import { browserReading, canonicalUrl } from '../../mail/urls/canonical.ts'
import {
  ENTRIES_MAX,
  exactExpression,
  expressionDigest,
  feedMemory,
  ROW_WORDS,
  WIDE,
} from '../../mail/urls/feed-table.ts'
import { type HashKey, keyedHash } from '../../mail/urls/keyed-hash.ts'
import { isSharedHost } from '../../mail/urls/shared-hosts.ts'
import { FeedRefusal } from './refusal.ts'

/** Room for entries at first, doubled when it is full. */
const ROOM_MIN = 1024

/** Feeds write numbers in decimal; larger ones would not fit beside WIDE. */
const NUMBER = /^\d{1,9}$/

/** An absolute URL that a browser opens. */
const WEB_URL = /^(?:https?|ftp):\/\//i

export class ListBuilder {
  readonly #key: HashKey
  readonly #entriesMax: number
  #rows = new Uint32Array(ROOM_MIN * ROW_WORDS)
  #bytes: Buffer = Buffer.from(this.#rows.buffer)
  #seen = 0
  /** The number of entries taken. */
  entries = 0

  constructor(key: HashKey, entriesMax: number = ENTRIES_MAX) {
    this.#key = key
    this.#entriesMax = entriesMax
  }

  /** The number of entries that do not name a page with one owner: no URL, or the bare name of a host that many share. */
  get skipped(): number {
    return this.#seen - this.entries
  }

  /** @throws FeedRefusal TOO_LARGE */
  add(listed: string, number: string): void {
    this.#seen += 1
    const url = WEB_URL.test(listed) ? canonicalUrl(browserReading(listed)) : undefined
    if (url === undefined) return
    // An entry with a query or a fragment covers that URL only.
    const isWide = !url.query && !isSharedHost(url.host)
    if (!url.query && url.path === '/' && !isWide) return
    if (this.entries >= this.#entriesMax) throw new FeedRefusal('TOO_LARGE')

    const expression = exactExpression(url)
    const own = NUMBER.test(number) ? Number(number) : this.#seen
    const at = this.entries * ROW_WORDS
    if (at === this.#rows.length) {
      const larger = new Uint32Array(2 * at)
      larger.set(this.#rows)
      this.#rows = larger
      this.#bytes = Buffer.from(larger.buffer)
    }
    this.#rows[at] = keyedHash(this.#key, expression)
    this.#rows[at + 1] = own + (isWide && !listed.includes('#') ? WIDE : 0)
    this.#bytes.write(expressionDigest(expression), 4 * (at + 2), 'latin1')
    this.entries += 1
  }

  finish(): SharedArrayBuffer {
    return feedMemory(this.#rows.subarray(0, this.entries * ROW_WORDS))
  }
}
