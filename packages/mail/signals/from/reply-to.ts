/**
 * Signals from Reply-To: where an answer would go, against where the message says it is from.
 */
import type { Mailbox } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { domainOf, ownLabel } from '../domains.ts'
import { fieldBodies } from '../fields.ts'
import { isFreeMail } from '../host-lists.ts'
import { hostOfMailbox } from '../mailboxes.ts'
import type { Origin } from '../origin.ts'
import { type Signal, signal } from '../signal.ts'
import { skeleton } from '../skeleton.ts'

/** Signals from the Reply-To fields of `message`, which is from `origin`. */
export function replyToSignals(message: Message, origin: Origin): Signal[] {
  const fields = fieldBodies(message, 'reply-to').length
  if (fields === 0) return []

  const found: Signal[] = []
  if (fields > 1) found.push(signal('REPLY_TO_REPEATED', String(fields)))
  const mailbox = origin.replyTo.find((candidate) => candidate.domain !== '')
  if (mailbox === undefined) return [...found, signal('REPLY_TO_UNREADABLE')]
  if (origin.mailbox === undefined) return found
  return [...found, ...replyToAddressSignals(message, origin, mailbox, origin.mailbox)]
}

function replyToAddressSignals(
  message: Message,
  origin: Origin,
  replyTo: Mailbox,
  from: Mailbox,
): Signal[] {
  const evidence = `${replyTo.address}, ${from.address}`
  if (replyTo.address.toLowerCase() === from.address.toLowerCase()) {
    return [signal('REPLY_TO_SAME', replyTo.address)]
  }
  const host = hostOfMailbox(replyTo)
  const domain = domainOf(message, host)
  if (domain === origin.domain) {
    return [
      signal(origin.isFreeMail ? 'REPLY_TO_OTHER_FREE_MAIL' : 'REPLY_TO_SAME_DOMAIN', evidence),
    ]
  }

  const found: Signal[] = []
  if (isFreeMail(host) || isFreeMail(domain)) {
    found.push(
      signal(origin.isFreeMail ? 'REPLY_TO_OTHER_FREE_MAIL' : 'REPLY_TO_FREE_MAIL', evidence),
    )
  }
  // Invitations and payment notices are sent for somebody else and say so by their signature.
  found.push(
    signal(origin.isSigned ? 'REPLY_TO_OTHER_DOMAIN_SIGNED' : 'REPLY_TO_OTHER_DOMAIN', evidence),
  )
  if (looksTheSame(ownLabel(domain), ownLabel(origin.domain))) {
    found.push(signal('REPLY_TO_LOOKS_LIKE_FROM', evidence))
  }
  return found
}

function looksTheSame(a: string, b: string): boolean {
  return a !== b && skeleton(a) === skeleton(b)
}
