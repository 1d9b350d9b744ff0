/** Answers a request with what Tamis says of the message, in the form that the command asks for. */
import { Readable } from 'node:stream'
import { TamisError } from '../../../errors/errors.ts'
import { correctorOf, requireEntitlement } from '../../access/caller.ts'
import { bodyOctets, lengthOf, type MessageBody } from '../../admission/message-body.ts'
import type { Outlet } from '../../admission/queue.ts'
import type { Config } from '../../config.ts'
import { learnableMessage } from '../../correct.ts'
import { asciiHeaderValue } from '../../http/header-value.ts'
import { reasonsResult } from '../../http/results.ts'
import { correct } from '../../http/routes/feedback.ts'
import { userIdOf } from '../../http/user-of.ts'
import { lineOf, summaryOf } from '../../on-judged.ts'
import type { Request } from '../../request.ts'
import { spamOrHam } from '../../users/correction.ts'
import { type FilterParts, judgeFor } from '../filter.ts'
import { type Marking, markedMessage } from './marked-message.ts'
import { reportOf } from './report.ts'
import type { RequestHead } from './request.ts'
import { okResponse, PONG, Refusal } from './response.ts'

export interface AnswerSettings {
  readonly userOf: Config['userOf']
  /** Whether users may correct verdicts (TELL). */
  readonly allowTell: boolean
}

export interface SpamdAnswer {
  readonly response: readonly Uint8Array[]
  /** Fields for the log, with no text of the message and nothing of the user. */
  readonly fields: object
}

/**
 * The answer to a request; `message` is empty for a command without one.
 *
 * @param outlet closed when nobody waits any more.
 * @throws Refusal
 */
export async function answerTo(
  settings: AnswerSettings,
  parts: FilterParts,
  head: RequestHead,
  message: MessageBody,
  outlet: Outlet,
): Promise<SpamdAnswer> {
  switch (head.command) {
    case 'PING':
      return { response: [PONG], fields: {} }
    case 'SKIP':
      return { response: [], fields: {} }
    case 'TELL':
      return await asked(tell(settings, parts, head, message, outlet))
    default:
      return await asked(verdictOn(settings, parts, head, message, outlet))
  }
}

async function verdictOn(
  { userOf }: AnswerSettings,
  parts: FilterParts,
  head: RequestHead,
  message: MessageBody,
  outlet: Outlet,
): Promise<SpamdAnswer> {
  const request = requestFor(parts, message, outlet, userIdFrom(head, userOf))
  const judged = await judgeFor('spamd', parts, { ...request, want: 'reasons' })
  const found = { ...reasonsResult(judged), summary: summaryOf(judged) }
  return {
    response: verdictResponse(head, message, found),
    fields: { ...lineOf(judged), score: found.score, bytes: lengthOf(message) },
  }
}

function verdictResponse(head: RequestHead, message: MessageBody, found: Marking): Uint8Array[] {
  switch (head.command) {
    case 'CHECK':
      return okResponse([spamField(found, ['True', 'False'])])
    case 'SYMBOLS': {
      const names = found.reasons.map(({ name }) => asciiHeaderValue(name)).join(',')
      return textResponse(head, found, head.answersWithLength ? names : `${names}\r\n`)
    }
    case 'REPORT':
      return textResponse(head, found, reportOf(found))
    case 'REPORT_IFSPAM':
      return textResponse(head, found, found.isSpam ? reportOf(found) : '')
    case 'HEADERS':
      return messageResponse(head, found, [markedMessage(bytesOf(message), found)[0]])
    default:
      return messageResponse(head, found, markedMessage(bytesOf(message), found))
  }
}

/** Before 1.3 an answer has only one header line, so the answer to PROCESS does not give the verdict. */
function messageResponse(
  { answersWithLength }: RequestHead,
  found: Marking,
  parts: readonly Uint8Array[],
): Uint8Array[] {
  const length = `Content-length: ${parts.reduce((sum, part) => sum + part.length, 0)}`
  const fields = answersWithLength ? [length, spamField(found, ['True', 'False'])] : [length]
  return okResponse(fields, parts)
}

function textResponse(
  { command, answersWithLength }: RequestHead,
  found: Marking,
  text: string,
): Uint8Array[] {
  const body = Buffer.from(text)
  const spam = spamField(found, command === 'REPORT_IFSPAM' ? ['Yes', 'No'] : ['True', 'False'])
  return okResponse(answersWithLength ? [`Content-length: ${body.length}`, spam] : [spam], [body])
}

function spamField(
  { isSpam, score, requiredScore }: Marking,
  [yes, no]: readonly [string, string],
): string {
  return `Spam: ${isSpam ? yes : no} ; ${score.toFixed(1)} / ${requiredScore.toFixed(1)}`
}

/** Handles TELL. Local is what Tamis remembers of this user. Remote, reporting to others, is not done, and the answer does not claim it. */
async function tell(
  { userOf, allowTell }: AnswerSettings,
  parts: FilterParts,
  head: RequestHead,
  message: MessageBody,
  outlet: Outlet,
): Promise<SpamdAnswer> {
  if (!allowTell) {
    throw new Refusal('EX_UNAVAILABLE', 'TELL is taken on a Unix socket alone')
  }
  const sets = head.tell.set.includes('local')
  const removes = head.tell.remove.includes('local')
  if (sets && removes) throw tellError('Set and Remove are both local')
  if (!sets && !removes) return { response: okResponse([]), fields: { told: 'nothing' } }

  const userId = userIdFrom(head, userOf)
  if (userId === undefined) throw new Refusal('EX_NOUSER', 'TELL needs a valid User')
  const { services, caller } = parts
  requireEntitlement(caller, 'spam')
  const request = requestFor(parts, message, outlet, userId)
  if (removes) {
    const learnable = await learnableMessage(services.classifier, request)
    const corrector = correctorOf(caller, userId)
    const { status } = await services.corrections.withdraw('spam', corrector, learnable)
    return told('forget', status === 'reset' ? 'DidRemove: local' : undefined)
  }
  const isSpam = spamFrom(head.tell.messageClass)
  const { status } = await correct(services, caller, request, { userId, ...spamOrHam(isSpam) })
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

function bytesOf(message: MessageBody): Uint8Array {
  const octets = bodyOctets(message)
  return octets.slice(0, octets.length)
}

/** The message, which was received before it was known what for. */
function requestFor(
  { log }: FilterParts,
  message: MessageBody,
  outlet: Outlet,
  userId: string | undefined,
): Request {
  return {
    stream: Readable.from([]),
    declaredLength: undefined,
    received: Promise.resolve({ ...message, [Symbol.asyncDispose]: async () => {} }),
    ...(userId === undefined ? { metadata: {} } : { metadata: { userId }, users: [userId] }),
    outlet,
    log,
  }
}

/** The user of a request; undefined for a name that no user of Tamis can have. */
function userIdFrom({ user }: RequestHead, userOf: Config['userOf']): string | undefined {
  return user === undefined ? undefined : userIdOf(user, userOf)
}

/** The answer of Tamis. Errors are temporary, except those that are due to the message. */
async function asked(answer: Promise<SpamdAnswer>): Promise<SpamdAnswer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof TamisError)) throw error
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
