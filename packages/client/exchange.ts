/**
 * One request and its whole answer, within a time limit.
 */
import { type ClientErrorCode, TamisClientError } from './client-error.ts'
import { type ByteStream, isStream, sendableStream } from './stream.ts'
import type { ErrorResult } from './types.ts'

/** What `fetch` is to the client: that of Node and of browsers, or one in its place. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * The bytes of a message. A stream is sent as it comes, in chunks, since its length is not known
 * beforehand, and once: it cannot be read again.
 */
export type MessageBody = Uint8Array | Blob | ByteStream

export interface CallOptions {
  /** Gives up when aborted; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Longest time to the end of the answer, in milliseconds, in place of the client's own. */
  readonly timeoutMs?: number | undefined
}

export interface ClientRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body?: MessageBody | string
}

/** A Retry-After in seconds; the service gives no dates. */
const SECONDS = /^\d{1,9}$/

/**
 * The body of the answer to `request`, as text.
 *
 * @throws TamisClientError, or the reason of an aborted `signal`, or what a stream of a message throws.
 */
export async function exchange(
  fetchAnswer: Fetch,
  request: ClientRequest,
  { signal, timeoutMs }: { signal: AbortSignal | undefined; timeoutMs: number },
): Promise<string> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const giveUp = () => ending.abort(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  const timer = setTimeout(() => ending.abort(timedOut(timeoutMs)), timeoutMs)
  try {
    const response = await fetchAnswer(request.url, initOf(request, ending))
    const text = await response.text()
    if (!response.ok) throw refusal(response, text)
    return text
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason
    throw isTransportFailure(error) ? unreachable(request, error) : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** JSON of an answer. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TamisClientError('ANSWER_INVALID', 'The answer is not JSON', { cause })
  }
}

function initOf({ method, headers, body }: ClientRequest, ending: AbortController): RequestInit {
  return {
    method,
    headers,
    signal: ending.signal,
    // A message goes to the service it was meant for and nowhere else.
    redirect: 'error',
    ...(body === undefined ? {} : bodyOf(body, ending)),
  } as RequestInit
}

function bodyOf(body: MessageBody | string, ending: AbortController): object {
  if (typeof body === 'string' || !isStream(body)) return { body }
  // Fetch wants to be told that a stream is sent before the answer is read.
  return { body: sendableStream(body, (reason) => ending.abort(reason)), duplex: 'half' }
}

/** The error that an answer other than 2xx stands for. */
function refusal({ status, headers }: Response, text: string): TamisClientError {
  const body = errorBody(text)
  const retryAfter = headers.get('retry-after') ?? ''
  const retryAfterS = SECONDS.test(retryAfter) ? Number(retryAfter) : undefined
  if (body === undefined) {
    const message = `The answer has status ${status} and does not come from Tamis; is there a proxy in between?`
    return new TamisClientError('ANSWER_INVALID', message, { status, retryAfterS })
  }
  return new TamisClientError(body.code as ClientErrorCode, body.error, {
    status,
    field: body.field ?? body.header,
    retryAfterS,
    queueDepth: body.queueDepth,
  })
}

function errorBody(text: string): ErrorResult | undefined {
  try {
    const body = JSON.parse(text)
    return typeof body?.code === 'string' && typeof body.error === 'string' ? body : undefined
  } catch {
    return undefined
  }
}

function timedOut(timeoutMs: number): TamisClientError {
  return new TamisClientError(
    'TIMEOUT',
    `There was no whole answer within ${Math.round(timeoutMs)} ms`,
  )
}

/** What `fetch` throws when there is no answer; a header that cannot be sent is a TypeError without a cause. */
function isTransportFailure(error: unknown): error is Error {
  return error instanceof TypeError && error.cause !== undefined
}

function unreachable({ url }: ClientRequest, error: Error): TamisClientError {
  const { cause } = error
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : error.message
  const { origin } = new URL(url)
  return new TamisClientError('UNREACHABLE', `${origin} did not answer: ${reason}`, {
    cause: error,
  })
}
