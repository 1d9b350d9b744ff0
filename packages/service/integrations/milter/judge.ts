/** Asks Tamis about a message, once for all its recipients. */
import {
  type ClientErrorCode,
  type MessageBody,
  type RecipientsDelivery,
  type TamisClient,
  TamisClientError,
} from '../../../client/client.ts'
import { type Judgement, judgementOf, type Unscanned, type UnscannedCause } from './judgement.ts'

export interface Question {
  /** Gives the whole message; may be called several times. */
  readonly body: () => MessageBody
  readonly delivery: RecipientsDelivery
  /** True when some recipients are not among the users. */
  readonly ofOthers: boolean
  /** Aborted when nobody waits for the judgement any more. */
  readonly abandoned: AbortSignal
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
  question: Question,
): Promise<Judgement | Unscanned> {
  try {
    return await ask(client, question).catch((error) => {
      // A connection that was kept open ends when its service ends; the next service may be up already.
      if (error instanceof TamisClientError && error.code === 'UNREACHABLE') {
        return ask(client, question)
      }
      throw error
    })
  } catch (error) {
    const code = error instanceof TamisClientError ? error.code : 'INTERNAL'
    return { kind: 'unscanned', cause: CAUSES[code] ?? 'error', code }
  }
}

async function ask(
  client: TamisClient,
  { body, delivery, ofOthers, abandoned }: Question,
): Promise<Judgement> {
  const options = { ...delivery, summary: true, signal: abandoned }
  return judgementOf(await client.classifyStreamRecipients(body(), options), ofOthers)
}
