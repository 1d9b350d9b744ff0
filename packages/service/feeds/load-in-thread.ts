/** The thread that loads one feed. It holds one chunk of the file at a time, at most RECORD_BYTES_MAX of a record, and the rows. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { isMainThread } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import type { HashKey } from '../../mail/urls/keyed-hash.ts'
import { answerCalls } from '../threads/calls.ts'
import { type FeedReader, formOf, readerOf } from './feed-reader.ts'
import { ListBuilder } from './list-builder.ts'
import { causeOf, FeedRefusal, type RefusalDetails, type RefusalReason } from './refusal.ts'

/** Unpacked bytes of one feed: a million entries of PhishTank in JSON have 500 MB. Stops a gzip bomb. */
const FEED_BYTES_MAX = 1024 ** 3

/** Bytes read at a time. */
const CHUNK_BYTES = 128 * 1024

/** Comments and blank lines before the first entry, in bytes. URLhaus has 500. */
const HEAD_BYTES_MAX = 64 * 1024

/** Share of records that need not be URLs. Stops a table about something else. */
const SKIPPED_SHARE_MAX = 1 / 2

/** The first two bytes of a gzip file, RFC 1952 §2.3.1. */
const GZIP_MAGIC = 0x1f8b

export interface LoadRequest {
  readonly path: string
  readonly key: HashKey
  /** Whether the file is known to be complete. */
  readonly isWhole: boolean
  /** Smaller bounds than FEED_BYTES_MAX and ENTRIES_MAX, for tests. */
  readonly bytesMax?: number
  readonly entriesMax?: number
}

export interface LoadedFeed {
  /** See urls/feed-table.ts. */
  readonly memory: SharedArrayBuffer
  readonly entries: number
  /** SHA-256 of the file as it is on disk, in hexadecimal. */
  readonly sha256: string
  /** The number of records that did not name a page with one owner, or were too long. */
  readonly skipped: number
}

/** The result as plain data, because a refusal loses its class between threads. */
type LoadResult = LoadedFeed | { readonly refused: RefusalReason; readonly details: RefusalDetails }

export type LoadCalls = typeof CALLS

const CALLS = {
  load: async (request: LoadRequest): Promise<LoadResult> => {
    try {
      return await readFeed(request)
    } catch (error) {
      if (!(error instanceof FeedRefusal)) throw error
      return { refused: error.reason, details: error.details }
    }
  },
}

if (!isMainThread) answerCalls(CALLS)

/** @throws FeedRefusal FILE, TOO_LARGE, TRUNCATED, HTML_PAGE, NOT_A_FEED, BROKEN, EMPTY. */
export async function readFeed(request: LoadRequest): Promise<LoadedFeed> {
  const { path, key, isWhole, bytesMax = FEED_BYTES_MAX } = request
  const builder = new ListBuilder(key, request.entriesMax)
  const content = new Content(builder, bytesMax)
  const sha256 = createHash('sha256')
  try {
    const isPacked = await isGzip(path)
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    file.on('data', (chunk) => sha256.update(chunk))
    const read = async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) content.write(chunk)
    }
    if (isPacked) await pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), read)
    else await pipeline(file, read)
  } catch (error) {
    throw refusalOf(error)
  }
  const dropped = content.end(isWhole)
  const { entries } = builder
  const skipped = builder.skipped + dropped
  if (entries + skipped === 0) throw new FeedRefusal('EMPTY')
  if (skipped > (entries + skipped) * SKIPPED_SHARE_MAX) throw new FeedRefusal('NOT_A_FEED')
  return { memory: builder.finish(), entries, sha256: sha256.digest('hex'), skipped }
}

/** Reads the unpacked bytes, whose form is known once the first entry has arrived. */
class Content {
  readonly #builder: ListBuilder
  readonly #bytesMax: number
  #bytes = 0
  #head: Buffer = Buffer.alloc(0)
  #reader: FeedReader | undefined

  constructor(builder: ListBuilder, bytesMax: number) {
    this.#builder = builder
    this.#bytesMax = bytesMax
  }

  write(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#bytesMax) throw new FeedRefusal('TOO_LARGE')
    if (this.#reader === undefined) this.#begin(chunk)
    else this.#reader.write(chunk)
  }

  /** Returns the number of records that were too long. */
  end(isWhole: boolean): number {
    if (this.#reader === undefined) return 0
    this.#reader.end(isWhole)
    return this.#reader.dropped
  }

  #begin(chunk: Buffer): void {
    this.#head = Buffer.concat([this.#head, chunk])
    const form = formOf(this.#head)
    if (form === undefined) {
      if (this.#head.length > HEAD_BYTES_MAX) throw new FeedRefusal('NOT_A_FEED')
      return
    }
    this.#reader = readerOf(form, (url, number) => this.#builder.add(url, number))
    this.#reader.write(this.#head)
  }
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
