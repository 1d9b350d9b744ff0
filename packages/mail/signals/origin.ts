/**
 * Who a message says it is from: its From and Reply-To, and the domains that claim to have signed it. "Domain" is always the
 * registrable one (example.co.uk), "host" what stands in the address (news.example.co.uk).
 */
import type { Mailbox } from '../message/address.ts'
import { authorsOf } from '../message/authors.ts'
import type { Message } from '../message/message.ts'
import { domainOf } from './domains.ts'
import { fieldBodies, hostOfMailbox, mailboxesOf } from './fields.ts'
import { isFreeMail } from './host-lists.ts'
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

/** Mailboxes of a field that are looked at: every hundredth message has more, and those are lists. */
const MAILBOXES_MAX = 100

/** The registrable domains of To and Cc: the envelope's recipients are not known here. */
export const recipientDomains = perMessage((message: Message): ReadonlySet<string> => {
  const mailboxes = ['to', 'cc'].flatMap((name) =>
    mailboxesOf(message, name).slice(0, MAILBOXES_MAX),
  )
  const hosts = new Set(mailboxes.map(hostOfMailbox))
  hosts.delete('')
  return new Set([...hosts].map((host) => domainOf(message, host)))
})

/** True when an author in From is at a domain of a recipient. What strangers share, a free-mail provider, is nobody's own. */
export function isOwnDomain(message: Message): boolean {
  return originOf(message).hosts.some((host) => {
    const domain = domainOf(message, host)
    return !isFreeMail(host) && !isFreeMail(domain) && recipientDomains(message).has(domain)
  })
}

/** Signatures read of one message. Senders add one to three; more are not honest. */
const SIGNATURES_MAX = 8

/** Tags read of one signature; the RFC defines fourteen. */
const TAGS_MAX = 32

export interface DkimSignature {
  /** Tag name -> value without white space, in the sender's case; names in lower case. */
  readonly tags: ReadonlyMap<string, string>
  /** `d=` in lower case, '' when missing. */
  readonly host: string
  /** Registrable domain of `host`. */
  readonly domain: string
}

/** The DKIM-Signature fields (RFC 6376 §3.5) as the sender wrote them: whether one holds is for sender authentication. */
export const dkimSignatures = perMessage((message: Message): readonly DkimSignature[] =>
  fieldBodies(message, 'dkim-signature')
    .slice(0, SIGNATURES_MAX)
    .map((body) => {
      const tags = readTags(body)
      const host = tags.get('d')?.toLowerCase() ?? ''
      return { tags, host, domain: host === '' ? '' : domainOf(message, host) }
    }),
)

function readTags(body: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const tag of body.split(';', TAGS_MAX)) {
    const equals = tag.indexOf('=')
    if (equals < 0) continue
    const name = tag.slice(0, equals).trim().toLowerCase()
    // Signatures and key hashes are long and folded, and nobody here reads them.
    const value = tag.slice(equals + 1)
    tags.set(name, name === 'b' || name === 'bh' ? '' : value.replace(/\s+/g, ''))
  }
  return tags
}
