/**
 * The errors that callers may expect, each with a stable code, in one table.
 *
 * Three things are kept apart. A strange message is not an error: it is a signal, or an empty
 * part. A caller's mistake in code is a `TypeError` or `RangeError`. What is left is a
 * `TamisError`. docs/errors.md says what to do about each; a test keeps the two in step.
 */
import { EXIT } from './exit-status.ts'

interface ErrorRow {
  /** Status of the HTTP answer. */
  readonly status: number
  /** Exit status of a command. */
  readonly exit: number
  readonly meaning: string
}

/** Every code, with what comes of it. */
export const ERRORS = {
  NOT_A_MESSAGE: row(
    400,
    EXIT.data,
    'The body is not a message: it is empty or has no header field.',
  ),
  HEADER_INVALID: row(
    400,
    EXIT.data,
    'A request header, such as X-Sender-IP, is missing or cannot be read.',
  ),
  FIELD_INVALID: row(
    400,
    EXIT.data,
    'A field of the JSON body or query is missing or has a value that is not allowed.',
  ),
  PATH_NOT_READABLE: row(
    400,
    EXIT.noInput,
    'The path names a file that is missing, outside the allowed folders, or not a regular file.',
  ),
  PATH_FORMS_DISABLED: row(501, EXIT.protocol, 'The path forms are turned off.'),
  MESSAGE_TOO_LARGE: row(413, EXIT.data, 'The message or the JSON body is larger than the limit.'),
  CONTENT_TYPE_UNSUPPORTED: row(415, EXIT.protocol, 'This path does not accept this Content-Type.'),
  TRANSFER_ENCODING_UNSUPPORTED: row(
    501,
    EXIT.protocol,
    'The Transfer-Encoding is another than chunked.',
  ),
  BODY_TRUNCATED: row(400, EXIT.protocol, 'The body is shorter than announced.'),
  // This is nginx's status for it. Only the log shows it, because the client has gone.
  REQUEST_ABANDONED: row(
    499,
    EXIT.protocol,
    'The client closed the connection before it had its answer.',
  ),
  REQUEST_MALFORMED: row(400, EXIT.protocol, 'The request is not valid HTTP (RFC 9112).'),
  REQUEST_TIMEOUT: row(408, EXIT.later, 'The request took too long to arrive.'),
  REQUEST_HEADER_TOO_LARGE: row(
    431,
    EXIT.protocol,
    'The header fields of the request are larger than the limit.',
  ),
  ORIGIN_FORBIDDEN: row(
    403,
    EXIT.refused,
    'No key is configured, and the Host is not this machine or the request comes from a page of another site.',
  ),
  UNAUTHENTICATED: row(401, EXIT.refused, 'The request has no API key, or an unknown one.'),
  SCOPE_MISSING: row(
    403,
    EXIT.refused,
    'The key does not have the scope that this request requires.',
  ),
  RATE_LIMITED: row(429, EXIT.later, 'The key has used up its requests for this minute.'),
  NOT_ENTITLED: row(403, EXIT.refused, 'The key or the licence does not include this function.'),
  RULES_FULL: row(400, EXIT.data, 'The user already has the most rules of this kind.'),
  HISTORY_OFF: row(501, EXIT.config, 'No history of judged messages is kept.'),
  NOT_FOUND: row(
    404,
    EXIT.data,
    'There is no such rule, setting, correction, job or model for this key.',
  ),
  PATH_UNKNOWN: row(404, EXIT.protocol, 'There is nothing at this path.'),
  METHOD_NOT_ALLOWED: row(405, EXIT.protocol, 'The path does not accept this method.'),
  QUEUE_FULL: row(503, EXIT.later, 'The queue is full.'),
  QUEUE_TIMEOUT: row(503, EXIT.later, 'The request waited too long to be judged.'),
  BUFFERS_FULL: row(503, EXIT.later, 'The memory or disk space for message bodies is used up.'),
  NOT_READY: row(503, EXIT.later, 'The service, or a process that it needs, is not running.'),
  STORE_UNAVAILABLE: row(
    503,
    EXIT.later,
    'The store cannot be read or written now. Nothing was recorded.',
  ),
  STORE_DAMAGED: row(503, EXIT.config, 'The SQLite file of the store is malformed.'),
  SHUTTING_DOWN: row(
    503,
    EXIT.later,
    'The service is shutting down, and there was no time left for this request.',
  ),
  CONFIG_INVALID: row(500, EXIT.config, 'A setting has a value that is not allowed.'),
  ARTIFACT_MISMATCH: row(
    500,
    EXIT.config,
    'A model was made for another version of the features, or its files do not belong together.',
  ),
  ENCODER_UNAVAILABLE: row(
    503,
    EXIT.config,
    'The pretrained encoder does not run on this machine.',
  ),
  LEARNING_HARMS: row(
    409,
    EXIT.data,
    'Sorted mail was not learned: by the check of the command it would make verdicts worse.',
  ),
  CORPUS_INVALID: row(
    500,
    EXIT.data,
    'A corpus folder lacks something that training or evaluation needs.',
  ),
  INTERNAL: row(500, EXIT.internal, 'A bug in Tamis. The log has the cause.'),
}

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

function row(status: number, exit: number, meaning: string): ErrorRow {
  return { status, exit, meaning }
}
