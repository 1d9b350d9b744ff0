/** The one error of the client: the service said no, or said nothing. */
import type { ErrorCode } from './answers.ts'

/**
 * What went wrong, for programs: the service's codes (docs/errors.md), and three of the client's own.
 *
 * `TIMEOUT`: no whole answer within the time limit. `UNREACHABLE`: no connection, or it broke.
 * `ANSWER_INVALID`: the answer is not from Tamis: from a proxy, or a wrong address. A correction or a
 * rule may have been recorded all the same; to send it again is safe.
 */
export type ClientErrorCode = ErrorCode | 'TIMEOUT' | 'UNREACHABLE' | 'ANSWER_INVALID'

export interface ClientErrorDetails {
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
