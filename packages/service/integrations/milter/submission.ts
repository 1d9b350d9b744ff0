/**
 * What a message that a user sends tells of its user: who it is, whom the user writes to, and the
 * Message-ID. Tamis gets no more of it (docs/correspondents.md), so that outgoing mail need not be judged.
 */

import { performance } from 'node:perf_hooks'
import { type TamisClient, TamisClientError } from '../../../client/client.ts'
import { RECIPIENTS_MAX, saysAutomatic } from '../../../mail/personalization/correspondence.ts'
import { readMessageId } from '../../../mail/personalization/patterns.ts'
import { comparedAddress } from '../../../mail/personalization/sender-address.ts'
import { userIdOf, withoutBrackets } from '../../http/user-of.ts'
import type { MilterPolicy } from './settings.ts'

/** Characters of a field that are looked at. Stops a field of a megabyte; a Message-ID has some 80. */
const FIELD_LENGTH_MAX = 1_024

/** What is told of a message. */
export interface Told {
  readonly userId: string
  readonly addresses: readonly string[]
  readonly messageIds: readonly string[]
}

export class Submission {
  readonly #userId: string
  readonly #mailFrom: string
  readonly #recipients = new Set<string>()
  #messageId: string | undefined
  #isAutomatic: boolean

  constructor(userId: string, mailFrom: string) {
    this.#userId = userId
    this.#mailFrom = withoutBrackets(mailFrom)
    // The null sender is that of bounces and receipts (RFC 5321 §4.5.5).
    this.#isAutomatic = this.#mailFrom === ''
  }

  addRecipient(path: string): void {
    const address = comparedAddress(withoutBrackets(path))
    // One more than may be: then nobody counts.
    if (address !== undefined && this.#recipients.size <= RECIPIENTS_MAX) {
      this.#recipients.add(address)
    }
  }

  seeField(name: Buffer, body: Buffer): void {
    const lower = name.toString('latin1').toLowerCase()
    const text = body.toString('latin1', 0, FIELD_LENGTH_MAX)
    if (lower === 'message-id') this.#messageId ??= readMessageId(text)
    else if (saysAutomatic(lower, text)) this.#isAutomatic = true
  }

  /** What it tells; undefined where a program wrote the message, or it says nothing. */
  told(): Told | undefined {
    if (this.#isAutomatic) return undefined
    const isMailing = this.#recipients.size > RECIPIENTS_MAX
    const own = comparedAddress(this.#mailFrom)
    const addresses = isMailing ? [] : [...this.#recipients].filter((address) => address !== own)
    const messageIds = this.#messageId === undefined ? [] : [this.#messageId]
    if (addresses.length + messageIds.length === 0) return undefined
    return { userId: this.#userId, addresses, messageIds }
  }
}

/**
 * The user who sends a message; undefined if that is not certain.
 *
 * MAIL FROM may be anybody's where the MTA does not compare it with the login, and who sends in the name of
 * another must not teach Tamis whom that one writes to. So the login counts: an address is the user's, and
 * a bare name must be that of MAIL FROM. Without a login, on a port where only users may send, MAIL FROM is
 * all there is.
 *
 * @param login the macro `{auth_authen}`; undefined if there is none.
 */
export function senderOf(
  mailFrom: string,
  login: string | undefined,
  { userOf, recipientDelimiter }: Pick<MilterPolicy, 'userOf' | 'recipientDelimiter'>,
): string | undefined {
  const ofPath = userIdOf(mailFrom, userOf, recipientDelimiter)
  if (login === undefined) return ofPath
  if (login.includes('@')) return userIdOf(login, userOf, recipientDelimiter)
  const local = userIdOf(mailFrom, 'localpart', recipientDelimiter)
  return local === login.toLowerCase() ? ofPath : undefined
}

/** Requests in flight about sent messages; more would wait for a Tamis that does not answer. */
const AT_ONCE_MAX = 64

const WARNING_EVERY_MS = 60_000

/**
 * Reports messages that users send to Tamis. No message waits for it: what Tamis does not accept at once is
 * lost, and a line in the log says so once a minute.
 */
export class SubmissionTeller {
  readonly #client: TamisClient
  readonly #log: { warn(fields: object, message: string): void }
  #inProgress = 0
  #lost = 0
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(client: TamisClient, log: { warn(fields: object, message: string): void }) {
    this.#client = client
    this.#log = log
  }

  /** Never throws, and does not wait. */
  tell({ userId, addresses, messageIds }: Told): void {
    if (this.#inProgress >= AT_ONCE_MAX) {
      this.#lose('QUEUE_FULL')
      return
    }
    this.#inProgress += 1
    const body = { userId, addresses: [...addresses], messageIds: [...messageIds] }
    this.#client
      .post('/personalization/correspondents', { body })
      .catch((error) => this.#lose(error instanceof TamisClientError ? error.code : 'INTERNAL'))
      .finally(() => {
        this.#inProgress -= 1
      })
  }

  #lose(code: string): void {
    this.#lost += 1
    const now = performance.now()
    if (now - this.#warnedAt < WARNING_EVERY_MS) return
    this.#warnedAt = now
    const why =
      code === 'SCOPE_MISSING'
        ? 'Tamis was not told whom users write to: the key of the milter needs the scope feedback, or set --correspondents off'
        : 'Tamis was not told whom users write to'
    this.#log.warn({ code, messages: this.#lost }, why)
    this.#lost = 0
  }
}
