/** Which error codes a route may end in: those it names, and those that follow from what it takes. */
import type { ErrorCode } from '../../../mail/errors.ts'
import type { Operation } from '../route.ts'

/** Refusals that any path may answer, before it looks at the request; without a key the first three do not occur. */
const ALWAYS: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'SCOPE_MISSING',
  'RATE_LIMITED',
  'ORIGIN_FORBIDDEN',
  'REQUEST_HEADER_TOO_LARGE',
  'INTERNAL',
]

/** The same of what is answered to everybody. */
const OPEN: readonly ErrorCode[] = ['ORIGIN_FORBIDDEN', 'REQUEST_HEADER_TOO_LARGE']

/** What any request with a body may end in. */
const BODY: readonly ErrorCode[] = [
  'BODY_TRUNCATED',
  'REQUEST_TIMEOUT',
  'MESSAGE_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
]

/** What any reading of a message may end in. */
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
