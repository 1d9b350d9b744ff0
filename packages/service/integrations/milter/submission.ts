/**
 * What a message that a user sends tells of its user: who it is, whom the user writes to, and the
 * Message-ID. Tamis gets no more of it (docs/correspondents.md), so that outgoing mail need not be judged.
 */

import {
  type Outgoing,
  RECIPIENTS_MAX,
  saysAutomatic,
} from '../../../mail/personalization/correspondence.ts'
import { readMessageId } from '../../../mail/personalization/patterns.ts'
import { comparedAddress } from '../../../mail/personalization/sender-address.ts'
import type { Config } from '../../config.ts'
import { localPartOf, userIdOf, withoutBrackets } from '../../http/user-of.ts'

/** Characters of a field that are looked at. Stops a field of a megabyte; a Message-ID has some 80. */
const FIELD_LENGTH_MAX = 1_024

/** What is told of a message. */
export interface Told {
  readonly userId: string
  readonly outgoing: Outgoing
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
    const recipients = isMailing ? [] : [...this.#recipients].filter((address) => address !== own)
    const messageId = this.#messageId
    if (recipients.length === 0 && messageId === undefined) return undefined
    return { userId: this.#userId, outgoing: { recipients, ...(messageId && { messageId }) } }
  }
}

/**
 * The user who sends a message; undefined if that is not certain.
 *
 * MAIL FROM may be anybody's where the MTA does not compare it with the login, and who sends in the name of
 * another must not teach Tamis whom that one writes to. So the login counts: an address is the user's, and
 * a bare name must be that of MAIL FROM.
 *
 * @param login the macro `{auth_authen}`
 */
export function senderOf(
  mailFrom: string,
  login: string,
  { userOf }: Pick<Config, 'userOf'>,
): string | undefined {
  if (login.includes('@')) return userIdOf(login, userOf)
  const local = localPartOf(mailFrom, userOf)
  return local === login.toLowerCase() ? userIdOf(mailFrom, userOf) : undefined
}
