/**
 * Reads a feed from disk into shared memory (mail/urls/feed-table.ts): one chunk of the file at a time, in some milliseconds,
 * between which the thread does other work.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
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
import { causeOf, FeedRefusal } from './refusal.ts'

/** Unpacked bytes of one feed: a million entries of URLhaus have 200 MB. Stops a gzip bomb. */
const FEED_BYTES_MAX = 1024 ** 3

/** Bytes read at a time. */
const CHUNK_BYTES = 32 * 1024

/** Longest line; entries have some 300 bytes, URLs of a few thousand included. */
const LINE_BYTES_MAX = 64 * 1024

/** Share of entries that need not be URLs. Stops a table about something else. */
const SKIPPED_SHARE_MAX = 1 / 2

/** The first two bytes of a gzip file, RFC 1952 §2.3.1. */
const GZIP_MAGIC = 0x1f8b

/** The formats of feeds, told apart by the first line that is neither blank nor a comment. A field in quotes doubles its own. */
const FORMATS: readonly { readonly head: RegExp; readonly row: RegExp }[] = [
  // PhishTank: number and URL, which is in quotes where it has a comma or a quote.
  {
    head: /^phish_id,url,/i,
    row: /^(?<number>\d+),(?:"(?<quoted>[^"]*(?:""[^"]*)*)"|(?<url>[^,"]*)),/,
  },
  // URLhaus: number, time and URL, all in quotes, after comments.
  {
    head: /^"\d+","/,
    row: /^"(?<number>\d+)","[^"]*","(?<quoted>[^"]*(?:""[^"]*)*)",/,
  },
  // OpenPhish and any other list of a URL per line.
  { head: /^(?:https?|ftp):/i, row: /^(?<url>.+)$/ },
]

export interface LoadRequest {
  readonly path: string
  readonly key: HashKey
  /** Whether the file is known to be complete. */
  readonly isWhole: boolean
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined
  /** Smaller bounds than FEED_BYTES_MAX and ENTRIES_MAX, for tests. */
  readonly bytesMax?: number
  readonly entriesMax?: number
}

interface LoadedFeed {
  /** See urls/feed-table.ts. */
  readonly memory: SharedArrayBuffer
  readonly entries: number
  /** SHA-256 of the file as it is on disk, in hexadecimal. */
  readonly sha256: string
  /** The number of entries that did not name a page with one owner, or were too long. */
  readonly skipped: number
}

/** @throws FeedRefusal FILE, TOO_LARGE, TRUNCATED, HTML_PAGE, NOT_A_FEED, BROKEN, EMPTY. */
export async function readFeed(request: LoadRequest): Promise<LoadedFeed> {
  const { path, key, isWhole, signal, bytesMax = FEED_BYTES_MAX } = request
  const list = new ListBuilder(key, request.entriesMax)
  const sha256 = createHash('sha256')
  try {
    const isPacked = await isGzip(path)
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    file.on('data', (chunk) => sha256.update(chunk))
    const read = (chunks: AsyncIterable<Buffer>) => readEntries(chunks, list, isWhole, bytesMax)
    if (isPacked) await pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), read, { signal })
    else await pipeline(file, read, { signal })
  } catch (error) {
    throw refusalOf(error)
  }
  const { entries, skipped } = list
  if (entries + skipped === 0) throw new FeedRefusal('EMPTY')
  if (skipped > (entries + skipped) * SKIPPED_SHARE_MAX) throw new FeedRefusal('NOT_A_FEED')
  return { memory: list.finish(), entries, sha256: sha256.digest('hex'), skipped }
}

/** Reads unpacked `chunks` line by line into `list`. */
async function readEntries(
  chunks: AsyncIterable<Buffer>,
  list: ListBuilder,
  isWhole: boolean,
  bytesMax: number,
): Promise<void> {
  let row: RegExp | undefined
  let held: Buffer[] = []
  let heldBytes = 0
  let bytes = 0

  function hold(part: Buffer): void {
    heldBytes += part.length
    if (heldBytes <= LINE_BYTES_MAX) held.push(part)
  }

  function takeLine(): void {
    const isLong = heldBytes > LINE_BYTES_MAX
    const line = Buffer.concat(held)
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trim()
    held = []
    heldBytes = 0
    if (isLong) list.add('', '')
    if (isLong || line === '' || line.startsWith('#')) return
    const isHead = row === undefined
    row ??= rowOf(line)
    const {
      number = '',
      quoted,
      url = quoted?.replaceAll('""', '"'),
    } = row.exec(line)?.groups ?? {}
    // The first line of PhishTank has the names of the columns.
    if (url !== undefined || !isHead) list.add(url ?? '', number)
  }

  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new FeedRefusal('TOO_LARGE')
    let start = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      hold(chunk.subarray(start, end))
      takeLine()
      start = end + 1
    }
    hold(chunk.subarray(start))
  }
  if (heldBytes === 0) return
  // A URL that is cut off may name a bare host.
  if (!isWhole || hasOpenQuote(Buffer.concat(held))) throw new FeedRefusal('TRUNCATED')
  takeLine()
}

/** How entries are written in the feed whose first line is `head`. */
function rowOf(head: string): RegExp {
  if (head.startsWith('<')) throw new FeedRefusal('HTML_PAGE')
  const format = FORMATS.find(({ head: form }) => form.test(head))
  if (format === undefined) throw new FeedRefusal('NOT_A_FEED')
  return format.row
}

function hasOpenQuote(line: Buffer): boolean {
  return line.toString('latin1').replace(/[^"]/g, '').length % 2 === 1
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.readUInt16BE() === GZIP_MAGIC
  } finally {
    await file.close()
  }
}

function refusalOf(error: unknown): FeedRefusal {
  if (error instanceof FeedRefusal) return error
  const { cause = '' } = causeOf(error)
  if (cause === 'Z_BUF_ERROR') return new FeedRefusal('TRUNCATED', { cause })
  if (cause.startsWith('Z_')) return new FeedRefusal('BROKEN', { cause })
  return new FeedRefusal('FILE', { cause })
}

/** Room for entries at first, doubled when it is full. */
const ROOM_MIN = 1024

/** Feeds write numbers in decimal; larger ones would not fit beside WIDE. */
const NUMBER = /^\d{1,9}$/

/** An absolute URL that a browser opens. */
const WEB_URL = /^(?:https?|ftp):\/\//i

/** Makes rows of the entries of one feed. */
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
