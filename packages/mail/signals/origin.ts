/**
 * Who a message says it is from: its From and Reply-To, and the domains that claim to have signed it.
 *
 * "Domain" is always the registrable one (example.co.uk), "host" what stands in the address
 * (news.example.co.uk).
 */
import type { Mailbox } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { dkimSignatures } from './dkim-signature.ts'
import { domainOf } from './domains.ts'
import { fieldsOf } from './fields.ts'
import { isFreeMail } from './free-mail.ts'
import { hostOfMailbox, mailboxesOf } from './mailboxes.ts'
import { perMessage } from './per-message.ts'

export interface Origin {
  /** From fields of the header; one is right (RFC 5322 §3.6). */
  readonly fromFields: number
  /** Mailboxes of all From fields. */
  readonly from: readonly Mailbox[]
  /** First mailbox of From that has a domain, undefined when there is none. */
  readonly mailbox: Mailbox | undefined
  /** Domain of `mailbox` as it stands in the address, ASCII; '' when there is none. */
  readonly host: string
  /** Registrable domain of `host`, '' when there is none. */
  readonly domain: string
  readonly isFreeMail: boolean
  /** Mailboxes of all Reply-To fields. */
  readonly replyTo: readonly Mailbox[]
  /** A signature claims the domain of From, as relaxed alignment has it (RFC 7489 §3.1.1). */
  readonly isSigned: boolean
}

export const originOf = perMessage((message: Message): Origin => {
  const from = mailboxesOf(message, 'from')
  const mailbox = from.find((candidate) => candidate.domain !== '')
  const host = hostOfMailbox(mailbox)
  const domain = host === '' ? '' : domainOf(message, host)
  return {
    fromFields: fieldsOf(message, 'from').length,
    from,
    mailbox,
    host,
    domain,
    isFreeMail: isFreeMail(host) || isFreeMail(domain),
    replyTo: mailboxesOf(message, 'reply-to'),
    isSigned: domain !== '' && dkimSignatures(message).some((it) => it.domain === domain),
  }
})

/** True when `domain` is the sender's own, or claims to have signed the message. */
export function isOriginDomain(message: Message, domain: string): boolean {
  return (
    domain !== '' &&
    (domain === originOf(message).domain ||
      dkimSignatures(message).some((signature) => signature.domain === domain))
  )
}
