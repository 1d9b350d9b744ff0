/** Answers a request with what Tamis says of the message, in the form that the command asks for. */
import { type ReasonsResult, type TamisClient, TamisClientError } from '../../../client/client.ts'
import { asciiHeaderValue } from '../../http/header-value.ts'
import { judgedAs, messageLine } from '../../http/message-line.ts'
import { type UserOf, userIdOf } from '../../http/user-of.ts'
import { headerOf, markedMessage } from './marked-message.ts'
import { reportOf } from './report.ts'
import type { RequestHead } from './request.ts'
import { okResponse, PONG, Refusal } from './response.ts'

export interface AnswerSettings {
  readonly client: TamisClient
  readonly userOf: UserOf
  /** Whether users may correct verdicts (TELL). */
  readonly allowTell: boolean
  /** The version of Tamis, for fields and reports. */
  readonly version: string
}

export interface SpamdAnswer {
  readonly response: readonly Uint8Array[]
  /** Fields for the log, with no text of the message and nothing of the user. */
  readonly fields: object
}

/**
 * The answer to a request; `message` is empty for a command without one.
 *
 * @param signal aborted when nobody waits any more.
 * @throws Refusal
 */
export async function answerTo(
  settings: AnswerSettings,
  head: RequestHead,
  message: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<SpamdAnswer> {
  switch (head.command) {
    case 'PING':
      return { response: [PONG], fields: {} }
    case 'SKIP':
      return { response: [], fields: {} }
    case 'TELL':
      return await asked(tell(settings, head, message, signal))
    default:
      return await asked(judge(settings, head, message, signal))
  }
}

async function judge(
  { client, userOf, version }: AnswerSettings,
  head: RequestHead,
  message: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<SpamdAnswer> {
  const found = await client.message('/classify-stream/reasons', message, {
    userId: userIdFrom(head, userOf),
    summary: true,
    signal,
  })
  return {
    response: verdictResponse(head, message, found, version),
    fields: {
      ...messageLine(found.summary, judgedAs([found], found)),
      score: found.score,
      bytes: message.length,
    },
  }
}

function verdictResponse(
  head: RequestHead,
  message: Uint8Array,
  found: ReasonsResult,
  version: string,
): Uint8Array[] {
  switch (head.command) {
    case 'CHECK':
      return okResponse([spamField(found, ['True', 'False'])])
    case 'SYMBOLS': {
      const names = found.reasons.map(({ name }) => asciiHeaderValue(name)).join(',')
      return textResponse(head, found, head.answersWithLength ? names : `${names}\r\n`)
    }
    case 'REPORT':
      return textResponse(head, found, reportOf(found, version))
    case 'REPORT_IFSPAM':
      return textResponse(head, found, found.isSpam ? reportOf(found, version) : '')
    case 'HEADERS':
      return messageResponse(head, found, [headerOf(markedMessage(message, found, version))])
    default:
      return messageResponse(head, found, markedMessage(message, found, version))
  }
}

/** Before 1.3 an answer has only one header line, so the answer to PROCESS does not give the verdict. */
function messageResponse(
  { answersWithLength }: RequestHead,
  found: ReasonsResult,
  parts: readonly Uint8Array[],
): Uint8Array[] {
  const length = `Content-length: ${parts.reduce((sum, part) => sum + part.length, 0)}`
  const fields = answersWithLength ? [length, spamField(found, ['True', 'False'])] : [length]
  return okResponse(fields, parts)
}

function textResponse(
  { command, answersWithLength }: RequestHead,
  found: ReasonsResult,
  text: string,
): Uint8Array[] {
  const body = Buffer.from(text)
  const spam = spamField(found, command === 'REPORT_IFSPAM' ? ['Yes', 'No'] : ['True', 'False'])
  return okResponse(answersWithLength ? [`Content-length: ${body.length}`, spam] : [spam], [body])
}

function spamField(
  { isSpam, score, requiredScore }: ReasonsResult,
  [yes, no]: readonly [string, string],
): string {
  return `Spam: ${isSpam ? yes : no} ; ${score.toFixed(1)} / ${requiredScore.toFixed(1)}`
}

/** Handles TELL. Local is what Tamis remembers of this user. Remote, reporting to others, is not done, and the answer does not claim it. */
async function tell(
  { client, userOf, allowTell }: AnswerSettings,
  head: RequestHead,
  message: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<SpamdAnswer> {
  if (!allowTell) {
    throw new Refusal('EX_UNAVAILABLE', 'TELL is off; turn it on with tamis spamd --allow-tell')
  }
  const sets = head.tell.set.includes('local')
  const removes = head.tell.remove.includes('local')
  if (sets && removes) throw tellError('Set and Remove are both local')
  if (!sets && !removes) return { response: okResponse([]), fields: { told: 'nothing' } }

  const userId = userIdFrom(head, userOf)
  if (userId === undefined) throw new Refusal('EX_NOUSER', 'TELL needs a valid User')
  if (removes) {
    const { status } = await client.message('/feedback/withdraw-stream', message, {
      userId,
      signal,
    })
    return told('forget', status === 'removed' ? 'DidRemove: local' : undefined)
  }
  const isSpam = spamFrom(head.tell.messageClass)
  const { status } = await client.message('/feedback-stream', message, { userId, isSpam, signal })
  return told(isSpam ? 'spam' : 'ham', status === 'already_recorded' ? undefined : 'DidSet: local')
}

function told(what: string, field: string | undefined): SpamdAnswer {
  const did = field !== undefined
  return { response: okResponse(did ? [field] : []), fields: { told: what, did } }
}

function spamFrom(messageClass: string | undefined): boolean {
  if (messageClass === 'spam') return true
  if (messageClass === 'ham') return false
  throw tellError('the Message-class must be spam or ham')
}

function tellError(what: string): Refusal {
  return new Refusal('EX_PROTOCOL', `Bad request: ${what}`)
}

/** The user of a request; undefined for a name that no user of Tamis can have. */
function userIdFrom({ user }: RequestHead, userOf: UserOf): string | undefined {
  return user === undefined ? undefined : userIdOf(user, userOf)
}

/** The answer of Tamis. Errors are temporary, except those that are due to the message. */
async function asked(answer: Promise<SpamdAnswer>): Promise<SpamdAnswer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof TamisClientError)) throw error
    const { code, cause } = error
    const options = { cause: cause ?? error }
    if (code === 'NOT_A_MESSAGE') {
      throw new Refusal('EX_DATAERR', 'The message has no header field', options)
    }
    if (code === 'MESSAGE_TOO_LARGE') {
      throw new Refusal('EX_TOOBIG', 'The message is larger than Tamis accepts', options)
    }
    throw new Refusal('EX_TEMPFAIL', `Tamis did not answer (${asciiHeaderValue(code)})`, options)
  }
}
