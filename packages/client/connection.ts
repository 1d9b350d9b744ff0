/** Where the service is, how its answers are asked for, and when a request is sent again. */
import { TamisClientError } from './client-error.ts'
import {
  type CallOptions,
  type ClientRequest,
  exchange,
  type Fetch,
  type MessageBody,
  readJson,
} from './exchange.ts'
import { isStream } from './stream.ts'

export type { CallOptions, Fetch, MessageBody } from './exchange.ts'

/** The queue (5 s), DNS (2 s) and a worker (3 s) may all take their longest, and the message has to arrive. */
const TIMEOUT_MS = 15_000

/** The longest time of a timer in JavaScript, 25 days. */
const TIMER_MS_MAX = 2 ** 31 - 1

export interface ClientOptions {
  /** Where the service is, with the path in front of its own, if there is one. */
  readonly url: string
  /** API key; none where the service needs none. */
  readonly key?: string | undefined
  /** In place of the global one. */
  readonly fetch?: Fetch | undefined
  /** Longest time of a call to the end of its answer, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /**
   * Whether a request that the service has no room for now (503 or 429 with Retry-After) is sent again
   * when that time is over, as long as the time limit allows. True by default. A stream is never sent again.
   */
  readonly retry?: boolean | undefined
}

/** Answers that ask to come again. */
const LATER: readonly (number | undefined)[] = [429, 503]

/** Up to this share is added to a wait by chance, so that those who were refused together do not come back together. */
const WAIT_SPREAD = 0.25

type Headers = Readonly<Record<string, string | undefined>>

/** Each way to ask rejects as the methods of the client do. */
export class Connection {
  readonly #base: string
  readonly #headers: Record<string, string>
  readonly #fetch: Fetch
  readonly #timeoutMs: number
  readonly #retry: boolean

  /**
   * @throws TypeError for a URL that is none of http or https, or that has a user, a query or a
   *   fragment; RangeError for a time limit that no timer has.
   */
  constructor({ url, key, retry = true, ...options }: ClientOptions) {
    const { fetch: ownFetch, timeoutMs = TIMEOUT_MS } = options
    this.#base = baseOf(url)
    this.#headers = {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    this.#fetch = ownFetch ?? ((...request) => fetch(...request))
    this.#timeoutMs = checkTimeout(timeoutMs)
    this.#retry = retry
  }

  /** The answer to `message`; `names` says in which header each of `options` travels. */
  message<Answer>(
    path: string,
    message: MessageBody,
    names: Readonly<Record<string, string>>,
    options: CallOptions = {},
  ): Promise<Answer> {
    const headers: Record<string, string | undefined> = { 'content-type': 'message/rfc822' }
    const values = options as Readonly<Record<string, unknown>>
    for (const [option, name] of Object.entries(names)) headers[name] = headerText(values[option])
    return this.#answer(this.#exchange('POST', path, headers, message, options))
  }

  /** The answer to `body`, or to nothing. */
  json<Answer>(
    method: string,
    path: string,
    body: object | undefined,
    options?: CallOptions,
  ): Promise<Answer> {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const json = body === undefined ? undefined : JSON.stringify(body)
    return this.#answer(this.#exchange(method, path, headers, json, options))
  }

  /** An answer that is no JSON. */
  text(method: string, path: string, options?: CallOptions): Promise<string> {
    return this.#exchange(method, path, {}, undefined, options)
  }

  async #answer<Answer>(text: Promise<string>): Promise<Answer> {
    return readJson(await text) as Answer
  }

  async #exchange(
    method: string,
    path: string,
    headers: Headers,
    body: ClientRequest['body'],
    { signal, timeoutMs = this.#timeoutMs }: CallOptions = {},
  ): Promise<string> {
    const request = {
      method,
      url: this.#base + path,
      headers: { ...this.#headers, ...sendable(headers) },
      ...(body === undefined ? {} : { body }),
    }
    const until = performance.now() + checkTimeout(timeoutMs)
    for (let leftMs = timeoutMs; ; leftMs = until - performance.now()) {
      try {
        return await exchange(this.#fetch, request, { signal, timeoutMs: leftMs })
      } catch (error) {
        const waitMs = this.#retry ? waitBeforeNext(error, body) : undefined
        if (waitMs === undefined || performance.now() + waitMs >= until) throw error
        await pause(waitMs, signal)
      }
    }
  }
}

/** Milliseconds after which to send the request again; undefined where that would not help, or cannot be. */
function waitBeforeNext(error: unknown, body: ClientRequest['body']): number | undefined {
  if (!(error instanceof TamisClientError)) return undefined
  if (typeof body === 'object' && isStream(body)) return undefined
  const { status, retryAfterS, code } = error
  if (!LATER.includes(status) || retryAfterS === undefined || code === 'ANSWER_INVALID') {
    return undefined
  }
  return retryAfterS * 1_000 * (1 + WAIT_SPREAD * Math.random())
}

/** @throws the reason of `signal` when it is aborted meanwhile. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** A longer one would end at once. */
function checkTimeout(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= TIMER_MS_MAX) return timeoutMs
  throw new RangeError(`timeoutMs is ${timeoutMs}; allowed: above 0, up to ${TIMER_MS_MAX}`)
}

function baseOf(text: string): string {
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    // Its text may have a password in it.
    throw new TypeError(
      'The URL of the service must look like http://host:port or https://host/path',
    )
  }
  return url.href.replace(/\/$/, '')
}

/** A query of what is there. */
export function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Flags and lists are JSON. */
function headerText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  return JSON.stringify(value)
}

/** Header values are UTF-8 to the service and bytes to `fetch`, one character each. */
function sendable(headers: Headers): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) values[name] = bytesAsCharacters(value)
  }
  return values
}

function bytesAsCharacters(text: string): string {
  let characters = ''
  for (const byte of new TextEncoder().encode(text)) characters += String.fromCharCode(byte)
  return characters
}
