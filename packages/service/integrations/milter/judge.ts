/**
 * Asks Tamis about a message for all its recipients: in one request for up to a hundred, in several for more.
 *
 * The answer to the first request is needed for a verdict. Further ones make it right for more recipients; those
 * that Tamis was not asked about, or gave no answer for, count as recipients who have corrected nothing.
 */
import {
  type ClientErrorCode,
  type MessageBody,
  type MessageOptions,
  type RecipientsResult,
  type TamisClient,
  TamisClientError,
} from '../../../client/client.ts'
import { type Judgement, judgementOf, type Unscanned, type UnscannedCause } from './judgement.ts'

/** Users in one request; the service accepts no more. */
const USERS_PER_REQUEST_MAX = 100

/** Bytes of their names in one request: half of what the header of a request may hold. */
const NAMES_BYTES_MAX = 8 * 1024

/**
 * Requests about one message, each of which the service analyses anew. Ten are enough for a thousand
 * recipients, more than which Postfix does not take by default (smtpd_recipient_limit).
 */
const REQUESTS_MAX = 10

/** Users that one message is judged for. */
export const USERS_MAX = REQUESTS_MAX * USERS_PER_REQUEST_MAX

export interface HeldMessage {
  /** Gives the whole message; may be called several times. */
  readonly body: () => MessageBody
  readonly delivery: MessageOptions<'/classify-stream/recipients'>
  /** True when some recipients are no users. */
  readonly ofOthers: boolean
  /** Recipients who would be users beyond USERS_MAX. */
  readonly usersLeft: number
  /** Aborted when nobody waits for the judgement any more. */
  readonly abandoned: AbortSignal
  /** Time for all requests after the first, counted from the beginning of that one, in milliseconds. */
  readonly timeoutMs: number
}

const CAUSES: Partial<Record<ClientErrorCode, UnscannedCause>> = {
  TIMEOUT: 'timeout',
  UNREACHABLE: 'unreachable',
  QUEUE_FULL: 'busy',
  QUEUE_TIMEOUT: 'busy',
  BUFFERS_FULL: 'busy',
  NOT_READY: 'busy',
  SHUTTING_DOWN: 'busy',
  RATE_LIMITED: 'busy',
  UNAUTHENTICATED: 'refused',
  SCOPE_MISSING: 'refused',
  ORIGIN_FORBIDDEN: 'refused',
  NOT_ENTITLED: 'refused',
  MESSAGE_TOO_LARGE: 'refused',
}

/** The verdict of Tamis, or why there is none; never rejects. */
export async function judge(
  client: TamisClient,
  held: HeldMessage,
): Promise<Judgement | Unscanned> {
  const late = AbortSignal.timeout(held.timeoutMs)
  const [first = [], ...others] = requestsFor(held.delivery.userIds)
  try {
    const answer = await ask(client, held, first, held.abandoned).catch((error) => {
      // A connection that was kept open ends when its service ends; the next service may be up already.
      if (error instanceof TamisClientError && error.code === 'UNREACHABLE') {
        return ask(client, held, first, held.abandoned)
      }
      throw error
    })
    const more = await verdictsFor(client, held, others.slice(0, REQUESTS_MAX - 1), late)
    const recipients = [...answer.recipients, ...more]
    const usersLeft = held.usersLeft + held.delivery.userIds.length - recipients.length
    return judgementOf({ ...answer, recipients }, held.ofOthers, usersLeft)
  } catch (error) {
    const code = error instanceof TamisClientError ? error.code : 'INTERNAL'
    return { kind: 'unscanned', cause: CAUSES[code] ?? 'error', code }
  }
}

/** The verdicts for the users of `requests`, one request after the other, up to the first that fails. */
async function verdictsFor(
  client: TamisClient,
  held: HeldMessage,
  requests: readonly (readonly string[])[],
  late: AbortSignal,
): Promise<RecipientsResult['recipients']> {
  const verdicts: RecipientsResult['recipients'] = []
  const signal = AbortSignal.any([held.abandoned, late])
  for (const userIds of requests) {
    try {
      verdicts.push(...(await ask(client, held, userIds, signal)).recipients)
    } catch {
      // The first verdict stands, and the log line counts the users who are left.
      break
    }
  }
  return verdicts
}

function ask(
  client: TamisClient,
  { body, delivery }: HeldMessage,
  userIds: readonly string[],
  signal: AbortSignal,
): Promise<RecipientsResult> {
  return client.message('/classify-stream/recipients', body(), {
    ...delivery,
    userIds,
    summary: true,
    signal,
  })
}

/** `userIds` in requests as Tamis accepts them. */
function requestsFor(userIds: readonly string[]): string[][] {
  const requests: string[][] = []
  let bytes = 0
  for (const userId of userIds) {
    const more = Buffer.byteLength(JSON.stringify(userId)) + 1
    const request = requests.at(-1)
    bytes += more
    if (request && request.length < USERS_PER_REQUEST_MAX && bytes <= NAMES_BYTES_MAX) {
      request.push(userId)
    } else {
      requests.push([userId])
      bytes = more
    }
  }
  return requests
}
