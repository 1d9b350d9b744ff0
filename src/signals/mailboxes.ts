/** Mailboxes of the address fields of a message. */
import { domainToASCII } from 'node:url'
import { type Mailbox, parseAddresses } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { fieldsOf } from './fields.ts'

/** Mailboxes of all fields of that name (lower case), in order. */
export function mailboxesOf(message: Message, name: string): Mailbox[] {
  return fieldsOf(message, name).flatMap((field) => parseAddresses(field.rawBody))
}

/** The domain of a mailbox as DNS knows it (punycode), '' when it has none. */
export function hostOfMailbox(mailbox: Mailbox | undefined): string {
  if (mailbox === undefined || /^[\0-\x7f]*$/.test(mailbox.domain)) return mailbox?.domain ?? ''
  // What is no valid name stays as it is written: it still differs from every valid one.
  return domainToASCII(mailbox.domain) || mailbox.domain
}
