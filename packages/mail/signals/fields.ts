/** Header fields of a message by name: aspects ask for some fifty of them, most of which are not there. */
import { type Mailbox, parseAddresses } from '../message/address.ts'
import { asciiDomain } from '../message/domain.ts'
import { rawBodyInUtf8 } from '../message/header.ts'
import { ADDRESSES_MAX } from '../message/limits.ts'
import type { HeaderField, Message } from '../message/message.ts'
import { perMessage } from './per-message.ts'

const fieldsByName = perMessage((message: Message) =>
  Map.groupBy(message.fields, ({ name }) => name),
)

/** All fields of that name (lower case), in order. */
export function fieldsOf(message: Message, name: string): readonly HeaderField[] {
  return fieldsByName(message).get(name) ?? []
}

/** Decoded bodies of all fields of that name (lower case), in order. */
export function fieldBodies(message: Message, name: string): string[] {
  return fieldsOf(message, name).map((field) => field.body)
}

/** Decoded body of the first field of that name (lower case), undefined when there is none. */
export function fieldBody(message: Message, name: string): string | undefined {
  return fieldsOf(message, name)[0]?.body
}

const mailboxesByName = perMessage((): Map<string, readonly Mailbox[]> => new Map())

/** Mailboxes of all fields of that name (lower case), in order, at most ADDRESSES_MAX. */
export function mailboxesOf(message: Message, name: string): readonly Mailbox[] {
  const byName = mailboxesByName(message)
  const mailboxes = byName.get(name) ?? readMailboxes(message, name)
  byName.set(name, mailboxes)
  return mailboxes
}

function readMailboxes(message: Message, name: string): Mailbox[] {
  const mailboxes: Mailbox[] = []
  for (const field of fieldsOf(message, name)) {
    if (mailboxes.length >= ADDRESSES_MAX) break
    mailboxes.push(...parseAddresses(rawBodyInUtf8(field)))
  }
  return mailboxes.slice(0, ADDRESSES_MAX)
}

/** The domain of a mailbox as DNS knows it (punycode), '' when it has none. */
export function hostOfMailbox(mailbox: Mailbox | undefined): string {
  if (mailbox === undefined || /^[\0-\x7f]*$/.test(mailbox.domain)) return mailbox?.domain ?? ''
  // What is no valid name stays as it is written: it still differs from every valid one.
  return asciiDomain(mailbox.domain) || mailbox.domain
}

const ENCODED_WORD = /=\?[^?]{1,40}\?[bq]\?/i

const PRINTABLE_ASCII = /^[ -~\t]*$/

/** Honest encoders take a whole field where a character needs it, break only long lines, and protect '=?'. */
const LINE_LENGTH_MAX = 70

/** True when the first field `name` has encoded words and only ASCII in them: a way past filters that read the raw header. */
export function isEncodedNeedlessly(message: Message, name: string): boolean {
  const field = fieldsOf(message, name)[0]
  if (field === undefined || !field.rawBody.includes('=?')) return false
  return (
    ENCODED_WORD.test(field.rawBody) &&
    PRINTABLE_ASCII.test(field.body) &&
    field.body.length <= LINE_LENGTH_MAX &&
    !field.body.includes('=?')
  )
}
