/**
 * Signals from To and Cc: how the sender fills them in, never who is in them.
 *
 * A recipient's own address names the receiving side, so no part of it is in any evidence.
 */
import type { Mailbox } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { fieldBodies, fieldBody, mailboxesOf } from './fields.ts'
import { originOf } from './origin.ts'
import { type Signal, signal } from './signal.ts'

/** More people than a private letter goes to. */
const MANY_MIN = 10

/** Fewer addresses are in order by chance: five are once in 120 times. */
const SORTED_MIN = 5

/** Mailboxes in To and Cc together. */
export function recipientsCount(message: Message): number {
  return mailboxesOf(message, 'to').length + mailboxesOf(message, 'cc').length
}

export function recipientsSignals(message: Message): Signal[] {
  const toBodies = fieldBodies(message, 'to')
  const to = mailboxesOf(message, 'to')
  const cc = mailboxesOf(message, 'cc')
  const found: Signal[] = []
  if (toBodies.length > 1) found.push(signal('RECIPIENTS_TO_REPEATED', String(toBodies.length)))

  if (toBodies.some((body) => /undisclosed|unlisted|^\s*recipients?\s*:/i.test(body))) {
    found.push(signal('RECIPIENTS_UNDISCLOSED'))
  } else if (toBodies.length === 0) {
    found.push(signal(cc.length === 0 ? 'RECIPIENTS_NONE' : 'RECIPIENTS_TO_MISSING'))
  } else if (!to.some((mailbox) => mailbox.domain !== '')) {
    found.push(signal('RECIPIENTS_TO_UNREADABLE'))
  }

  const all = [...to, ...cc]
  if (all.length >= MANY_MIN) found.push(signal('RECIPIENTS_MANY', String(all.length)))
  if (all.length >= SORTED_MIN && isSorted(all)) {
    found.push(signal('RECIPIENTS_SORTED', String(all.length)))
  }
  if (cc.length > 0) found.push(signal('RECIPIENTS_CC', String(cc.length)))
  if (fieldBodies(message, 'bcc').length > 0) found.push(signal('RECIPIENTS_BCC_FIELD'))
  found.push(...singleSignals(message, to, cc))
  return found
}

function isSorted(mailboxes: readonly Mailbox[]): boolean {
  return mailboxes.every(
    (mailbox, at) =>
      at === 0 || mailboxes[at - 1]!.address.toLowerCase() < mailbox.address.toLowerCase(),
  )
}

/** Signals of a message to one mailbox, as nearly all mail is. */
function singleSignals(message: Message, to: readonly Mailbox[], cc: readonly Mailbox[]): Signal[] {
  const [only] = to
  if (only === undefined || to.length > 1 || cc.length > 0) return []

  const found: Signal[] = []
  const address = only.address.toLowerCase()
  const name = only.displayName.trim().toLowerCase()
  const isFrom = originOf(message).mailbox?.address.toLowerCase() === address
  if (isFrom && !isListAddress(message, only)) found.push(signal('RECIPIENTS_TO_IS_FROM'))
  if (name === '') found.push(signal('RECIPIENTS_NAME_MISSING'))
  else if (name === address || name === only.localPart.toLowerCase()) {
    found.push(signal('RECIPIENTS_NAME_IS_ADDRESS'))
  }
  return found
}

/** Whether the List-Id is that of a list whose address is `mailbox`: its label and host (RFC 2919 §2). */
function isListAddress(message: Message, { localPart, domain }: Mailbox): boolean {
  const id = fieldBody(message, 'list-id')?.toLowerCase()
  return id?.includes(`<${localPart.toLowerCase()}.${domain}>`) === true
}
