/**
 * The HTTP API of Tamis, typed: openapi-fetch with the types of the OpenAPI document (api.ts, made by build-types.js), and
 * what the document cannot say: messages with their metadata, waiting while the service is full, errors by code.
 *
 *   const tamis = new TamisClient({ url: 'http://127.0.0.1:8025' })
 *   const { isSpam } = await tamis.message('/classify-stream', bytes, { userId: 'ann' })
 *   const { rules } = await tamis.get('/feedback/create-rule', { params: { query: { userId: 'ann' } } })
 *
 * Every call rejects with a TamisClientError (client-error.ts), or with the reason of a signal that was aborted, or with
 * what a stream of a message throws, or with a TypeError for a value that no header can carry.
 */
import createClient, { type Client, type MaybeOptionalInit } from 'openapi-fetch'
import type { paths } from './api.ts'
import { refusal, TamisClientError, unreachable } from './client-error.ts'
import { type ByteStream, isStream, sendableStream } from './stream.ts'

export type * from './api.ts'
export { type ClientErrorCode, TamisClientError } from './client-error.ts'
export type { ByteStream } from './stream.ts'

/** The queue (5 s), DNS (2 s) and a worker (3 s) may all take their longest, and the message has to arrive. */
const TIMEOUT_MS = 15_000

/** The longest time of a timer in JavaScript, 25 days. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** Answers that ask to come again. */
const LATER: readonly (number | undefined)[] = [429, 503]

/** Up to this share is added to a wait by chance, so that those who were refused together do not come back together. */
const WAIT_SPREAD = 0.25

export interface ClientOptions {
  /** Where the service is, with the path in front of its own, if there is one. */
  readonly url: string
  /** API key; none where the service needs none. */
  readonly key?: string | undefined
  /** In place of the global one. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** Longest time of a call to the end of its answer, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /**
   * Whether a request that the service has no room for now (503 or 429 with Retry-After) is sent again when that time is
   * over, as long as the time limit allows. True by default. A stream is never sent again.
   */
  readonly retry?: boolean | undefined
}

/** The bytes of a message. A stream is sent as it comes, in chunks, and once. */
export type MessageBody = Uint8Array | Blob | ByteStream

type Method = 'get' | 'post' | 'put' | 'delete'

type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends object ? Path : never
}[keyof paths]

/** The body of a success. */
type Answer<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201 | 202)] extends { content: infer Content }
    ? Content[keyof Content]
    : never
  : never

type Call<M extends Method> = <
  Path extends PathsWith<M>,
  Init extends MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init] : [init: Init]
) => Promise<Answer<paths[Path][M]>>

type MessageOperation = {
  parameters: { header?: object }
  requestBody: { content: { 'message/rfc822': unknown } }
}

/** The paths that take a message. */
export type MessagePath = {
  [Path in keyof paths]: paths[Path]['post'] extends MessageOperation ? Path : never
}[keyof paths]

type MessageHeaders<Path extends MessagePath> = paths[Path]['post'] extends MessageOperation
  ? NonNullable<paths[Path]['post']['parameters']['header']>
  : never

/** `senderIp` of `x-sender-ip`. */
type OptionName<Header> = Header extends `x-${infer Words}` ? Camel<Words> : never
type Camel<Words> = Words extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Words

type OptionValue<Value> = [Value] extends ['true' | 'false' | undefined] ? boolean : Value

/** The metadata of a message: each option is a header, without its `X-`. */
export type MessageOptions<Path extends MessagePath> = {
  readonly [Name in keyof MessageHeaders<Path> as OptionName<Lowercase<Name & string>>]:
    | OptionValue<MessageHeaders<Path>[Name]>
    | (Record<never, never> extends Pick<MessageHeaders<Path>, Name> ? undefined : never)
}

/** The metadata that every message may have. */
export type Delivery = MessageOptions<'/classify/diagnostic-stream'>

/** What every call takes. */
export interface CallOptions {
  /** Gives up when aborted; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export class TamisClient {
  readonly get: Call<'get'>
  readonly post: Call<'post'>
  readonly put: Call<'put'>
  readonly delete: Call<'delete'>

  readonly #base: string
  readonly #headers: Record<string, string>
  readonly #fetch: (request: Request) => Promise<Response>
  readonly #timeoutMs: number
  readonly #retry: boolean

  /**
   * @throws TypeError for a URL that is none of http or https, or that has a user, a query or a fragment; RangeError for
   *   a time limit that no timer has.
   */
  constructor({ url, key, retry = true, ...options }: ClientOptions) {
    const { fetch: ownFetch, timeoutMs = TIMEOUT_MS } = options
    if (!(timeoutMs > 0 && timeoutMs <= TIMER_MS_MAX)) {
      throw new RangeError(`timeoutMs is ${timeoutMs}; allowed: above 0, up to ${TIMER_MS_MAX}`)
    }
    this.#base = baseOf(url)
    this.#headers = {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    this.#fetch = ownFetch ?? ((request) => fetch(request))
    this.#timeoutMs = timeoutMs
    this.#retry = retry
    const client = createClient<paths>({
      baseUrl: this.#base,
      headers: this.#headers,
      redirect: 'error',
      fetch: async (request) => {
        const text = await this.#answer(
          ({ signal }) => new Request(request.clone(), { signal }),
          request.signal,
        )
        return new Response(text)
      },
    })
    this.get = asks(client, 'get') as Call<'get'>
    this.post = asks(client, 'post') as Call<'post'>
    this.put = asks(client, 'put') as Call<'put'>
    this.delete = asks(client, 'delete') as Call<'delete'>
  }

  /** The answer about `message`, with its metadata. */
  async message<Path extends MessagePath>(
    path: Path,
    message: MessageBody,
    ...[options]: Record<never, never> extends MessageOptions<Path>
      ? [options?: MessageOptions<Path> & CallOptions]
      : [options: MessageOptions<Path> & CallOptions]
  ): Promise<Answer<paths[Path]['post']>> {
    const { signal, ...metadata } = options ?? ({} as CallOptions)
    const headers = { ...this.#headers, 'content-type': 'message/rfc822', ...headersOf(metadata) }
    const request = (ending: AbortController) => {
      // A stream's own failure would otherwise be a failure of the network; fetch is told beforehand that one is sent.
      const body = isStream(message)
        ? { body: sendableStream(message, (reason) => ending.abort(reason)), duplex: 'half' }
        : { body: message as Blob }
      const init = { method: 'POST', headers, redirect: 'error', signal: ending.signal, ...body }
      return new Request(this.#base + path, init as RequestInit)
    }
    return parsed(await this.#answer(request, signal, !isStream(message)))
  }

  /** The text of the answer to `request`, which is asked again as long as the service is full and there is time. */
  async #answer(
    request: (ending: AbortController) => Request,
    signal: AbortSignal | undefined,
    repeatable = true,
  ): Promise<string> {
    const until = performance.now() + this.#timeoutMs
    for (let leftMs = this.#timeoutMs; ; leftMs = until - performance.now()) {
      try {
        return await this.#exchange(request, signal, leftMs)
      } catch (error) {
        const waitMs = this.#retry && repeatable ? waitBeforeNext(error) : undefined
        if (waitMs === undefined || performance.now() + waitMs >= until) throw error
        await pause(waitMs, signal)
      }
    }
  }

  async #exchange(
    request: (ending: AbortController) => Request,
    signal: AbortSignal | undefined,
    timeoutMs: number,
  ): Promise<string> {
    signal?.throwIfAborted()
    const ending = new AbortController()
    const giveUp = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', giveUp, { once: true })
    const late = `There was no whole answer within ${Math.round(timeoutMs)} ms`
    const timer = setTimeout(() => ending.abort(new TamisClientError('TIMEOUT', late)), timeoutMs)
    try {
      const response = await this.#fetch(request(ending))
      const text = await response.text()
      if (!response.ok) throw refusal(response, text)
      return text
    } catch (error) {
      if (ending.signal.aborted) throw ending.signal.reason
      // A header that cannot be sent is a TypeError without a cause.
      throw error instanceof TypeError && error.cause ? unreachable(this.#base, error) : error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }
}

/** A call that gives the data of an answer, which is always there: others than successes throw. */
function asks(client: Client<paths>, method: Method) {
  return async (path: string, init: object = {}): Promise<unknown> => {
    const asked = client.request(method, path as never, { parseAs: 'text', ...init } as never)
    const { data } = (await asked) as { readonly data: string }
    // The one answer that is no JSON.
    return path === '/metrics' ? data : parsed(data)
  }
}

function parsed<T>(text: string): T {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TamisClientError('ANSWER_INVALID', 'The answer is not JSON', { cause })
  }
}

/** Milliseconds after which to send a request again; undefined where that would not help. */
function waitBeforeNext(error: unknown): number | undefined {
  if (!(error instanceof TamisClientError)) return undefined
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

/** Flags and lists are JSON. Header values are UTF-8 to the service and bytes to `fetch`, one character each. */
function headersOf(metadata: object): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [option, value] of Object.entries(metadata)) {
    if (value === undefined) continue
    const name = `x-${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const bytes = new TextEncoder().encode(
      typeof value === 'string' ? value : JSON.stringify(value),
    )
    headers[name] = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  }
  return headers
}
