/**
 * Turns errors into answers: each code has its status (errors.ts), each answer has the form
 * `{ error, code, ... }`, and no detail of an internal error is sent to clients.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorCode, TamisError } from '../../errors/errors.ts'

/** Retry-After of every 503, in seconds: a full queue of a thousand messages is done in about one second. */
export const RETRY_AFTER_S = 1

/** Errors that Fastify finds in a request before our own code sees it. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'CONTENT_TYPE_UNSUPPORTED',
  FST_ERR_CTP_BODY_TOO_LARGE: 'MESSAGE_TOO_LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BODY_TRUNCATED',
  FST_ERR_BAD_URL: 'PATH_UNKNOWN',
  FST_ERR_NOT_FOUND: 'PATH_UNKNOWN',
}

/** What is said of an error that Fastify finds, where it can be more than the meaning of its code. */
const FASTIFY_MESSAGES: Partial<Record<ErrorCode, string>> = {
  CONTENT_TYPE_UNSUPPORTED:
    'This path does not accept this Content-Type. Send a raw message as message/rfc822, and anything else as application/json.',
}

/** Errors that Node's HTTP parser finds in a request. There is no request object then. */
const NODE_CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'REQUEST_HEADER_TOO_LARGE',
  HPE_INVALID_EOF_STATE: 'BODY_TRUNCATED',
}

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, string | number>>
}

/** Headers of every answer: no browser may take a message's words in it for a page or a script. */
export const NOSNIFF = { 'x-content-type-options': 'nosniff' } as const

/** The answer to a request that ended in `error`. */
export function errorAnswer(error: TamisError): ErrorAnswer {
  const { status } = ERRORS[error.code]
  return {
    status,
    headers: { ...NOSNIFF, ...headersFor(status, error) },
    body:
      status === 500
        ? { error: ERRORS.INTERNAL.meaning, code: 'INTERNAL' }
        : { error: error.message, code: error.code, ...error.details },
  }
}

function headersFor(status: number, { details }: TamisError): Record<string, string> {
  // RFC 6750 §3.
  if (status === 401) return { 'www-authenticate': 'Bearer' }
  if (status === 429) return { 'retry-after': `${details['retryAfterS']}` }
  return status === 503 ? { 'retry-after': `${RETRY_AFTER_S}` } : {}
}

/** Any error as one of ours; the original is its `cause`. */
export function asTamisError(error: unknown): TamisError {
  if (error instanceof TamisError) return error
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const known = FASTIFY_CODES[String(code)]
  if (known !== undefined) {
    return new TamisError(known, FASTIFY_MESSAGES[known] ?? ERRORS[known].meaning, { cause: error })
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new TamisError('REQUEST_MALFORMED', ERRORS.REQUEST_MALFORMED.meaning, { cause: error })
  }
  return new TamisError('INTERNAL', ERRORS.INTERNAL.meaning, { cause: error })
}

/** Answers a request that ended in `error`. This is where errors are logged, and once. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const tamisError = asTamisError(error)
  const { status, headers, body } = errorAnswer(tamisError)
  const ours = status === 500 || (status === 503 && tamisError.cause !== undefined)
  // The text of a caller's error may quote the message, so it is logged only on request.
  request.log[ours ? 'error' : 'debug']({ err: tamisError.cause ?? tamisError }, tamisError.message)
  // Fastify would cut the connection when it refuses a body, and the answer would be lost; server.ts discards the rest of the body.
  void reply.removeHeader('connection').code(status).headers(headers).send(body)
  if (tamisError.code === 'QUEUE_FULL') rest(request.raw)
}

/** Reads nothing from a connection until Retry-After is over: a client that asks again at once would be refused thousands of times a second. */
function rest(request: IncomingMessage): void {
  const { socket } = request
  request.once('close', () => {
    socket.pause()
    setTimeout(() => socket.resume(), RETRY_AFTER_S * 1_000).unref()
  })
}

/** The answer, byte by byte, to bytes that are not an HTTP request. */
export function rawErrorAnswer(nodeCode: string): string {
  const code = NODE_CODES[nodeCode] ?? 'REQUEST_MALFORMED'
  const { status, headers, body } = errorAnswer(new TamisError(code, ERRORS[code].meaning))
  const json = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status} ${code}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    json,
  ].join('\r\n')
}
