/**
 * Signals from To and Cc: how the sender fills them in, never who is in them.
 *
 * A recipient's own address names the receiving side, so no part of it is in any evidence.
 */
import type { Mailbox } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { fieldBodies, fieldBody, mailboxesOf } from './fields.ts'
import { originOf } from './origin.ts'
import { raised, type Signal } from './signal.ts'

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
  const all = [...to, ...cc]
  const isUndisclosed = toBodies.some((it) => /undisclosed|unlisted|^\s*recipients?\s*:/i.test(it))
  const isMissing = !isUndisclosed && toBodies.length === 0
  const isUnreadable = !isUndisclosed && !isMissing && to.every(({ domain }) => domain === '')
  return [
    ...raised({
      RECIPIENTS_TO_REPEATED: toBodies.length > 1 && toBodies.length,
      RECIPIENTS_UNDISCLOSED: isUndisclosed,
      RECIPIENTS_NONE: isMissing && cc.length === 0,
      RECIPIENTS_TO_MISSING: isMissing && cc.length > 0,
      RECIPIENTS_TO_UNREADABLE: isUnreadable,
      RECIPIENTS_MANY: all.length >= MANY_MIN && all.length,
      RECIPIENTS_SORTED: all.length >= SORTED_MIN && isSorted(all) && all.length,
      RECIPIENTS_CC: cc.length > 0 && cc.length,
      RECIPIENTS_BCC_FIELD: fieldBodies(message, 'bcc').length > 0,
    }),
    // Nearly all mail is to one mailbox.
    ...(all.length === 1 && to[0] !== undefined ? singleSignals(message, to[0]) : []),
  ]
}

function isSorted(mailboxes: readonly Mailbox[]): boolean {
  return mailboxes.every(
    (mailbox, at) =>
      at === 0 || mailboxes[at - 1]!.address.toLowerCase() < mailbox.address.toLowerCase(),
  )
}

function singleSignals(message: Message, only: Mailbox): Signal[] {
  const address = only.address.toLowerCase()
  const name = only.displayName.trim().toLowerCase()
  const isFrom = originOf(message).mailbox?.address.toLowerCase() === address
  return raised({
    RECIPIENTS_TO_IS_FROM: isFrom && !isListAddress(message, only),
    RECIPIENTS_NAME_MISSING: name === '',
    RECIPIENTS_NAME_IS_ADDRESS:
      name !== '' && (name === address || name === only.localPart.toLowerCase()),
  })
}

/** Whether the List-Id is that of a list whose address is `mailbox`: its label and host (RFC 2919 §2). */
function isListAddress(message: Message, { localPart, domain }: Mailbox): boolean {
  const id = fieldBody(message, 'list-id')?.toLowerCase()
  return id?.includes(`<${localPart.toLowerCase()}.${domain}>`) === true
}
