/** The error codes that a route may answer: those that it names, and those that follow from its input. */
import type { ErrorCode } from '../../../errors/errors.ts'
import type { Operation } from '../route.ts'

/** Codes that any path may answer before it reads the request; the first three do not occur without a key. */
const ALWAYS: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'SCOPE_MISSING',
  'RATE_LIMITED',
  'ORIGIN_FORBIDDEN',
  'REQUEST_HEADER_TOO_LARGE',
  'INTERNAL',
]

/** The same for routes that are open to everybody. */
const OPEN: readonly ErrorCode[] = ['ORIGIN_FORBIDDEN', 'REQUEST_HEADER_TOO_LARGE']

/** Codes that any request with a body may get. */
const BODY: readonly ErrorCode[] = [
  'BODY_TRUNCATED',
  'REQUEST_TIMEOUT',
  'MESSAGE_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
]

/** Codes that any request with a message may get. */
const ANALYSIS: readonly ErrorCode[] = [
  'NOT_A_MESSAGE',
  'BUFFERS_FULL',
  'QUEUE_FULL',
  'QUEUE_TIMEOUT',
  'NOT_READY',
  'SHUTTING_DOWN',
]

export function errorsOf(operation: Operation): ErrorCode[] {
  const { body, query, streamForm, errors = [], entitlement, scope } = operation
  const when = (holds: boolean, codes: readonly ErrorCode[]) => (holds ? codes : [])
  return [
    ...when(body === 'message', ['HEADER_INVALID']),
    ...when(typeof body === 'object' || query !== undefined, ['FIELD_INVALID']),
    ...when(body !== undefined, BODY),
    ...when(streamForm !== undefined, ['PATH_FORMS_DISABLED', 'PATH_NOT_READABLE']),
    ...when(body === 'message' || streamForm !== undefined, ANALYSIS),
    ...errors,
    ...when(entitlement !== undefined, ['NOT_ENTITLED']),
    ...(scope === 'none' ? OPEN : ALWAYS),
  ]
}
