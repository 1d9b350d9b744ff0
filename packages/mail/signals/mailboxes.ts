/** Mailboxes of the address fields of a message. */
import { type Mailbox, parseAddresses } from '../message/address.ts'
import { asciiDomain } from '../message/domain.ts'
import { ADDRESSES_MAX } from '../message/limits.ts'
import type { Message } from '../message/message.ts'
import { rawBodyInUtf8 } from '../message/raw-header-text.ts'
import { fieldsOf } from './fields.ts'
import { perMessage } from './per-message.ts'

const mailboxesByName = perMessage((): Map<string, readonly Mailbox[]> => new Map())

/**
 * Mailboxes of all fields of that name (lower case), in order, at most ADDRESSES_MAX. Stops a
 * thousand fields of hundreds each.
 */
export function mailboxesOf(message: Message, name: string): readonly Mailbox[] {
  const byName = mailboxesByName(message)
  let mailboxes = byName.get(name)
  if (mailboxes === undefined) {
    mailboxes = readMailboxes(message, name)
    byName.set(name, mailboxes)
  }
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
