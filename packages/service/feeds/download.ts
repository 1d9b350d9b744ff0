/**
 * Downloads a feed as its publisher asks for: one conditional GET, never HEAD, which counts against PhishTank's limit, with a user
 * agent that says who asks. Redirects are followed by hand, so that none leads to another scheme.
 */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FEED_FILE_MODE, type Manifest } from './feed-files.ts'
import { causeOf, FeedRefusal, type RefusalReason } from './refusal.ts'
import { isAllowedAddress, type RemoteSource } from './sources.ts'

export interface DownloadLimits {
  /** Largest download, in bytes as sent. */
  readonly bytesMax: number
  readonly timeoutMs: number
  /** Longest time without data. */
  readonly idleTimeoutMs: number
}

export const DOWNLOAD_LIMITS: DownloadLimits = {
  // URLhaus in full has 100 MB unpacked. Stops a server that never ends.
  bytesMax: 256 * 1024 * 1024,
  // At 500 KB/s the largest feed takes nine minutes. Stops a server that sends a byte a second.
  timeoutMs: 10 * 60 * 1000,
  idleTimeoutMs: 30 * 1000,
}

export interface Downloaded {
  readonly etag?: string
  readonly lastModified?: string
  /** Whether the protocol said where the feed ends. */
  readonly isWhole: boolean
}

export interface DownloadOptions {
  readonly fetch: typeof fetch
  readonly limits: DownloadLimits
  /** Ends the download. */
  readonly signal: AbortSignal
  /** The last feed; another download is only made if the feed has changed since. */
  readonly previous: Pick<Manifest, 'etag' | 'lastModified'> | undefined
}

/** Redirects followed; PhishTank redirects once, to a content delivery network. */
const REDIRECTS_MAX = 5

/** Forbidden, too many requests, and PhishTank's own status for a used-up limit. */
const RATE_LIMITED: ReadonlySet<number> = new Set([403, 429, 509])

const SECOND_MS = 1000

/**
 * Writes the feed to `path`; 'unchanged' when it is the same as before.
 *
 * @throws FeedRefusal NETWORK, TIMEOUT, RATE_LIMITED, HTTP_STATUS, REDIRECT, TOO_LARGE, TRUNCATED, HTML_PAGE, FILE.
 */
export async function download(
  source: RemoteSource,
  path: string,
  options: DownloadOptions,
): Promise<Downloaded | 'unchanged'> {
  const { limits } = options
  const patience = new AbortController()
  const whole = setTimeout(() => patience.abort(), limits.timeoutMs).unref()
  const idle = setTimeout(() => patience.abort(), limits.idleTimeoutMs).unref()
  const signal = AbortSignal.any([patience.signal, options.signal])
  try {
    const response = await request(source, { ...options, signal })
    if (response.status === 304) {
      if (options.previous === undefined) throw new FeedRefusal('HTTP_STATUS', { status: 304 })
      return 'unchanged'
    }
    return await save(response, path, limits, () => idle.refresh())
  } catch (error) {
    if (error instanceof FeedRefusal) throw error
    const isLate = patience.signal.aborted
    throw new FeedRefusal(isLate ? 'TIMEOUT' : reasonOf(error), causeOf(error))
  } finally {
    clearTimeout(whole)
    clearTimeout(idle)
  }
}

/** Why a download failed. undici reports a body that is shorter than announced by these codes. */
function reasonOf(error: unknown): RefusalReason {
  const { cause } = causeOf(error)
  if (error instanceof Error && 'syscall' in error && 'path' in error) return 'FILE'
  return cause !== undefined && CUT_OFF.has(cause) ? 'TRUNCATED' : 'NETWORK'
}

const CUT_OFF: ReadonlySet<string> = new Set([
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET',
  'HPE_INVALID_EOF_STATE',
])

/** The answer, 200 or 304, after redirects. */
async function request(source: RemoteSource, options: DownloadOptions): Promise<Response> {
  const { previous, signal } = options
  const headers = {
    'user-agent': source.userAgent,
    ...(previous?.etag === undefined ? {} : { 'if-none-match': previous.etag }),
    ...(previous?.lastModified === undefined ? {} : { 'if-modified-since': previous.lastModified }),
  }
  let address = source.address
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const response = await options.fetch(address, { headers, signal, redirect: 'manual' })
    if (response.status === 200 || response.status === 304) return response
    await response.body?.cancel()
    if (response.status < 300 || response.status > 399) throw statusRefusal(response)
    address = redirected(address, response.headers.get('location'))
  }
  throw new FeedRefusal('REDIRECT')
}

function redirected(address: string, location: string | null): string {
  const target = location === null ? null : URL.parse(location, address)
  const isSame = target?.protocol === new URL(address).protocol
  if (target === null || !isSame || !isAllowedAddress(target.href)) {
    throw new FeedRefusal('REDIRECT')
  }
  return target.href
}

function statusRefusal({ status, headers }: Response): FeedRefusal {
  if (!RATE_LIMITED.has(status)) return new FeedRefusal('HTTP_STATUS', { status })
  const seconds = headers.get('retry-after') ?? headers.get('x-request-limit-interval') ?? ''
  const retryAfterMs = /^\d{1,9}$/.test(seconds) ? Number(seconds) * SECOND_MS : undefined
  return new FeedRefusal('RATE_LIMITED', {
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

/** Fields by which fetch knows where a body ends; it fails when one ends before. */
const FRAMED = ['content-length', 'content-encoding', 'transfer-encoding']

async function save(
  { headers, body }: Response,
  path: string,
  limits: DownloadLimits,
  onBytes: () => void,
): Promise<Downloaded> {
  if (headers.get('content-type')?.startsWith('text/html')) {
    await body?.cancel()
    throw new FeedRefusal('HTML_PAGE')
  }
  let bytes = 0
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      onBytes()
      bytes += chunk.length
      if (bytes > limits.bytesMax) throw new FeedRefusal('TOO_LARGE')
      yield chunk
    }
  }
  await pipeline(
    body ?? Readable.from([]),
    counted,
    createWriteStream(path, { mode: FEED_FILE_MODE }),
  )
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  return {
    isWhole: FRAMED.some((name) => headers.has(name)),
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { lastModified }),
  }
}
