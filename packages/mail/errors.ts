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
  NOT_A_MESSAGE: 'The body is not a message: it is empty or has no header field.',
  HEADER_INVALID: 'A request header, such as X-Sender-IP, is missing or cannot be read.',
  FIELD_INVALID: 'A field of the JSON body or query is missing or has a value that is not allowed.',
  PATH_NOT_READABLE:
    'The path names a file that is missing, outside the allowed folders, or not a regular file.',
  PATH_FORMS_DISABLED: 'The path forms are turned off.',
  MESSAGE_TOO_LARGE: 'The message or the JSON body is larger than the limit.',
  CONTENT_TYPE_UNSUPPORTED: 'This path does not accept this Content-Type.',
  BODY_TRUNCATED: 'The body is shorter than announced.',
  REQUEST_ABANDONED: 'The client closed the connection before it had its answer.',
  REQUEST_MALFORMED: 'The request is not valid HTTP (RFC 9112).',
  REQUEST_TIMEOUT: 'The request took too long to arrive.',
  REQUEST_HEADER_TOO_LARGE: 'The header fields of the request are larger than the limit.',
  ORIGIN_FORBIDDEN:
    'No key is configured, and the Host is not this machine or the request comes from a page of another site.',
  UNAUTHENTICATED: 'The request has no API key, or an unknown one.',
  SCOPE_MISSING: 'The key does not have the scope that this request requires.',
  RATE_LIMITED: 'The key has used up its requests for this minute.',
  NOT_ENTITLED: 'The key or the licence does not include this function.',
  RULES_FULL: 'The user or the tenant has reached the largest number of rules or settings.',
  RULE_CONTRADICTS: 'The tenant has a site rule that says the opposite.',
  HISTORY_OFF: 'No history of judged messages is kept.',
  NOT_FOUND: 'The tenant has no such rule, setting, correction, job or model.',
  PATH_UNKNOWN: 'There is nothing at this path.',
  METHOD_NOT_ALLOWED: 'The path does not accept this method.',
  QUEUE_FULL: 'The queue is full, or the wait would be too long.',
  QUEUE_TIMEOUT: 'The request waited too long to be judged.',
  BUFFERS_FULL: 'The memory or disk space for message bodies is used up.',
  NOT_READY: 'The service, or a part that is needed, is not up.',
  STORE_UNAVAILABLE: 'The store cannot be read or written now. Nothing was recorded.',
  SHUTTING_DOWN: 'The service is shutting down and accepts no new requests.',
  CONFIG_INVALID: 'A setting has a value that is not allowed.',
  ARTIFACT_MISMATCH:
    'A model was made for another version of the features, or its files do not belong together.',
  CORPUS_INVALID: 'A corpus folder lacks something that training or evaluation needs.',
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
