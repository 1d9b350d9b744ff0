/** The one error of the client: the service said no, or said nothing. */
import type { components } from './api.ts'

/** What the service answers in place of a success. */
type ErrorBody = components['schemas']['Error']

/**
 * What went wrong, for programs: the service's codes (docs/errors.md), and three of the client's own.
 *
 * `TIMEOUT`: no whole answer within the time limit. `UNREACHABLE`: no connection, or it broke.
 * `ANSWER_INVALID`: the answer is not from Tamis: from a proxy, or a wrong address. A correction or a
 * rule may have been recorded all the same; to send it again is safe.
 */
export type ClientErrorCode = ErrorBody['code'] | 'TIMEOUT' | 'UNREACHABLE' | 'ANSWER_INVALID'

interface ClientErrorDetails {
  readonly status?: number | undefined
  readonly field?: string | undefined
  readonly retryAfterS?: number | undefined
  readonly queueDepth?: number | undefined
  readonly cause?: unknown
}

/** Match on `code`: the text may change between versions. */
export class TamisClientError extends Error {
  readonly code: ClientErrorCode
  /** HTTP status; undefined where nobody answered. */
  readonly status: number | undefined
  /** The header or the field of the JSON body that is at fault, where it is one. */
  readonly field: string | undefined
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfterS: number | undefined
  /** Requests that wait, where the queue refused one more. */
  readonly queueDepth: number | undefined

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.name = 'TamisClientError'
    this.code = code
    this.status = details.status
    this.field = details.field
    this.retryAfterS = details.retryAfterS
    this.queueDepth = details.queueDepth
  }
}

/** A Retry-After in seconds; the service gives no dates. */
const SECONDS = /^\d{1,9}$/

/** The error that an answer other than 2xx stands for. */
export function refusal({ status, headers }: Response, text: string): TamisClientError {
  const body = errorBody(text)
  const retryAfter = headers.get('retry-after') ?? ''
  const retryAfterS = SECONDS.test(retryAfter) ? Number(retryAfter) : undefined
  if (body === undefined) {
    const message = `The answer has status ${status} and does not come from Tamis; is there a proxy in between?`
    return new TamisClientError('ANSWER_INVALID', message, { status, retryAfterS })
  }
  return new TamisClientError(body.code, body.error, {
    status,
    field: body.field ?? body.header,
    retryAfterS,
    queueDepth: body.queueDepth,
  })
}

function errorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text)
    return typeof body?.code === 'string' && typeof body.error === 'string' ? body : undefined
  } catch {
    return undefined
  }
}

/** Nobody answered at `url`, by what `fetch` threw. */
export function unreachable(url: string, error: Error): TamisClientError {
  const { cause } = error
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : error.message
  const message = `${new URL(url).origin} did not answer: ${reason}`
  return new TamisClientError('UNREACHABLE', message, { cause: error })
}
