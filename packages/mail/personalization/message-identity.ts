/**
 * The identity of a message: the same message has the same one for every recipient and at any time.
 *
 * A Message-ID alone would do for honest mail (RFC 5322 §3.6.4), but a sender can give a new message
 * the identifier of one that the user has called ham. So the identity covers what the message says and
 * where its links lead.
 */
import { createHash } from 'node:crypto'
import { headerBody, type Message } from '../message/message.ts'
import { readerText, subjectOf } from '../signals/text.ts'

/** Characters of the text that the identity covers. */
const TEXT_LENGTH_MAX = 20_000

/** SHA-256 of Message-ID, From, subject, text and links, in base64url; 43 characters. */
export function identityOf(message: Message): string {
  return createHash('sha256')
    .update(
      JSON.stringify([
        headerBody(message, 'message-id')?.trim() ?? '',
        headerBody(message, 'from')?.trim() ?? '',
        subjectOf(message),
        readerText(message).slice(0, TEXT_LENGTH_MAX),
        message.links.map(({ href }) => href),
      ]),
    )
    .digest('base64url')
}
