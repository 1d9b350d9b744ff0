/**
 * The errors that callers may expect, each with a stable code.
 *
 * Three things are kept apart. A strange message is not an error: it is a signal, or an empty
 * part. A caller's mistake in code is a `TypeError` or `RangeError`. What is left is a
 * `TamisError`. `http/error-handler.ts` gives each code its status and `docs/errors.md` says
 * what to do about it; a test keeps the three in step.
 */

/** Every code, with what it means. */
export const ERRORS = {
  NOT_A_MESSAGE: 'The body is empty or has no header field: these bytes are no message.',
  HEADER_INVALID: 'A request header (X-Sender-IP and its like) is missing or cannot be read.',
  FIELD_INVALID: 'A JSON body or query has a missing field or a value that is not allowed.',
  PATH_NOT_READABLE:
    'A path form names a file that is missing, outside the folders allowed, or not regular.',
  PATH_FORMS_DISABLED: 'The path forms are switched off.',
  MESSAGE_TOO_LARGE: 'The message, or the JSON body, is larger than the limit.',
  CONTENT_TYPE_UNSUPPORTED: 'The Content-Type is not the one this path takes.',
  BODY_TRUNCATED: 'The body ended before the length that was announced.',
  REQUEST_ABANDONED: 'The client closed the connection before it had its answer.',
  REQUEST_MALFORMED: 'The request is not HTTP as RFC 9112 has it.',
  REQUEST_TIMEOUT: 'The request took longer to arrive than it may.',
  REQUEST_HEADER_TOO_LARGE: 'The header fields of the request are larger than the limit.',
  ORIGIN_FORBIDDEN:
    'The Host is not this machine, or the request comes from another page, and no key is configured.',
  UNAUTHENTICATED: 'The request has no API key, or one that is not known.',
  SCOPE_MISSING: 'The key is not good for what was asked for.',
  RATE_LIMITED: 'The key has used up its requests of this minute.',
  NOT_ENTITLED: 'The key, or the licence, does not include what was asked for.',
  RULES_FULL: 'The user has as many rules as one may have.',
  NOT_FOUND: 'The tenant has no such rule, correction, job or model.',
  PATH_UNKNOWN: 'There is nothing at this path.',
  METHOD_NOT_ALLOWED: 'The path does not take this method.',
  QUEUE_FULL: 'As many requests wait as may wait.',
  QUEUE_TIMEOUT: 'The request waited as long as it may.',
  BUFFERS_FULL: 'Bodies that are being received or wait take up as many bytes as they may.',
  NOT_READY: 'No worker is up.',
  STORE_UNAVAILABLE: 'The store cannot be read or written now: nothing was recorded.',
  SHUTTING_DOWN: 'The service is about to end and takes no new work.',
  CONFIG_INVALID: 'A setting is not one of the values it may have.',
  ARTIFACT_MISMATCH:
    'A model was made by another version of the features, or its files do not belong together.',
  CORPUS_INVALID: 'A corpus folder lacks what training or evaluation needs.',
  INTERNAL: 'A bug in Tamis. The log has the cause.',
} as const

export type ErrorCode = keyof typeof ERRORS

/**
 * An error with a stable `code`. Match on the code: the text may change between versions.
 *
 * It has no stack unless it is INTERNAL: capturing a stack takes 37 µs, as long as the rest of a
 * refusal, and an overloaded service refuses thousands of requests a second.
 */
export class TamisError extends Error {
  readonly code: ErrorCode
  /** Further fields in the body of an HTTP answer, beside `error` and `code`. */
  readonly details: Readonly<Record<string, string | number>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, string | number> } = {},
  ) {
    const { stackTraceLimit } = Error
    if (code !== 'INTERNAL') Error.stackTraceLimit = 0
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'TamisError'
    this.code = code
    this.details = options.details ?? {}
  }
}
