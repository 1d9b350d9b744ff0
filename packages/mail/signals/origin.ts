/**
 * Who a message says it is from: its From and Reply-To, and the domains that claim to have signed it.
 *
 * "Domain" is always the registrable one (example.co.uk), "host" what stands in the address
 * (news.example.co.uk).
 */
import type { Mailbox } from '../message/address.ts'
import { authorsOf } from '../message/authors.ts'
import type { Message } from '../message/message.ts'
import { dkimSignatures } from './dkim-signature.ts'
import { domainOf } from './domains.ts'
import { isFreeMail } from './host-lists.ts'
import { hostOfMailbox, mailboxesOf } from './mailboxes.ts'
import { perMessage } from './per-message.ts'

export interface Origin {
  /** From fields of the header; one is right (RFC 5322 §3.6). */
  readonly fromFields: number
  /** The authors that From names: see message/authors.ts. */
  readonly from: readonly Mailbox[]
  /** The first of them, undefined when there is none. */
  readonly mailbox: Mailbox | undefined
  /** Domain of `mailbox` as it stands in the address, ASCII; '' when there is none. */
  readonly host: string
  /** Registrable domain of `host`, '' when there is none. */
  readonly domain: string
  /** The hosts of the first authors, each once, that of `mailbox` first; at most HOSTS_MAX. */
  readonly hosts: readonly string[]
  readonly isFreeMail: boolean
  /** Mailboxes of all Reply-To fields. */
  readonly replyTo: readonly Mailbox[]
  /** A signature claims the domain of From, as relaxed alignment has it (RFC 7489 §3.1.1). */
  readonly isSigned: boolean
}

/** Hosts in From that are looked at. Honest mail has one. */
const HOSTS_MAX = 4

export const originOf = perMessage((message: Message): Origin => {
  const { fields, mailboxes: from } = authorsOf(message)
  const [mailbox] = from
  const host = hostOfMailbox(mailbox)
  const domain = host === '' ? '' : domainOf(message, host)
  return {
    fromFields: fields,
    from,
    mailbox,
    host,
    domain,
    hosts: [...new Set(from.map(hostOfMailbox))].slice(0, HOSTS_MAX),
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
