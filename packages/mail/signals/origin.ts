/**
 * Who a message says it is from: its From and Reply-To, and the domains that claim to have signed it. "Domain" is always the
 * registrable one (example.co.uk), "host" what stands in the address (news.example.co.uk).
 */
import type { Mailbox } from '../message/address.ts'
import { authorsOf } from '../message/authors.ts'
import type { Message } from '../message/message.ts'
import { fieldBodies, fieldBody, hostOfMailbox, mailboxesOf } from './fields.ts'
import { isFreeMail, isMailService } from './host-lists.ts'
import { domainOf, perMessage } from './per-message.ts'
import { type Arrived, firstOfEachName, raised, type Signal, signal } from './signal.ts'

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

/** The tags of a signature but the hashes: in lower case, their values without white space. */
export function readTags(body: string): Map<string, string> {
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

/** Rewritten by a forwarder: SRS0=hash=tt=domain=user, and its second step SRS1. */
const REWRITTEN = /^srs[01][=+-]/i

/**
 * A bounce address that codes the recipient: 'bounces+123-anna=example.org', 'msprvs1=…', or the
 * tag of BATV ('prvs=1234abcdef=').
 */
const CODED =
  /^(?:bounces?|b|return|news|list|owner)[-+._][^@]{0,60}\d|=[a-z0-9.-]{1,60}$|^(?:prvs|btv1|msprvs\d)=/i

/**
 * Signals from the envelope sender (RFC 5321 MAIL FROM), where it is known, and the Sender field, against From. That they differ
 * is the rule for lists and mailing services.
 */
export function senderSignals(message: Message, facts: Arrived): Signal[] {
  return [...envelopeSignals(message, facts.mailFrom), ...senderFieldSignals(message)]
}

function envelopeSignals(message: Message, mailFrom: string | undefined): Signal[] {
  if (mailFrom === undefined) return []
  const at = mailFrom.lastIndexOf('@')
  if (at < 0) return raised({ SENDER_NULL: true })
  const origin = originOf(message)
  const localPart = mailFrom.slice(0, at)
  const host = mailFrom.slice(at + 1).toLowerCase()
  const domain = domainOf(message, host)
  const isOther = domain !== origin.domain
  const isRewritten = REWRITTEN.test(localPart)
  return raised({
    SENDER_SAME_DOMAIN: !isOther && host,
    SENDER_OTHER_DOMAIN: isOther && `${host}, ${origin.domain}`,
    SENDER_FREE_MAIL: isOther && isFreeMail(domain) && !origin.isFreeMail && host,
    SENDER_MAIL_SERVICE: isOther && isMailService(domain) && host,
    SENDER_REWRITTEN: isRewritten && host,
    SENDER_CODED: !isRewritten && CODED.test(localPart) && host,
  })
}

function senderFieldSignals(message: Message): Signal[] {
  const body = fieldBody(message, 'sender')
  if (body === undefined) return []
  const host = hostOfMailbox(mailboxesOf(message, 'sender')[0])
  if (host === '') return raised({ SENDER_FIELD_UNREADABLE: body })
  const { domain } = originOf(message)
  const isSame = domainOf(message, host) === domain
  return raised({
    SENDER_FIELD_SAME_DOMAIN: isSame && host,
    SENDER_FIELD_OTHER_DOMAIN: !isSame && `${host}, ${domain}`,
  })
}

/** Fields that tell the reader who writes and what about: a signature that leaves them out proves little. */
const FIELDS_TO_SIGN = ['from', 'subject']

/** Names of signed fields that are read; services sign up to some sixty, with repeats. */
const SIGNED_FIELDS_MAX = 200

/**
 * Signals from DKIM-Signature fields (RFC 6376) as claimed. Even a claim tells something: a sender who signs as its From domain
 * takes responsibility, and a forger must break the claim or leave it out.
 */
export function dkimSignals(message: Message, { receivedAt }: Arrived): Signal[] {
  const signatures = dkimSignatures(message)
  const hosts = signatures.map(({ host }) => host).join(' ')
  const { domain, isSigned } = originOf(message)
  const isForeign = signatures.length > 0 && !isSigned
  const isService = isForeign && signatures.some((it) => isMailService(it.domain))
  return [
    ...raised({
      DKIM_NONE: signatures.length === 0,
      DKIM_SEVERAL: signatures.length > 1 && signatures.length,
      DKIM_ALIGNED: isSigned && hosts,
      DKIM_MAIL_SERVICE: isService && hosts,
      DKIM_OTHER_DOMAIN: isForeign && !isService && `${hosts}, ${domain}`,
    }),
    ...firstOfEachName(signatures.flatMap((signature) => tagSignals(signature, receivedAt))),
  ]
}

function tagSignals({ tags, host }: DkimSignature, receivedAt: Date): Signal[] {
  const [length, expiresAt, names] = ['l', 'x', 'h'].map((name) => tags.get(name))
  if (host === '' || !tags.has('b') || names === undefined) return [signal('DKIM_MALFORMED', host)]
  const isExpired =
    /^\d{1,12}$/.test(expiresAt ?? '') && Number(expiresAt) * 1000 < receivedAt.getTime()
  const signed = new Set(names.toLowerCase().split(':', SIGNED_FIELDS_MAX))
  return raised({
    DKIM_BODY_LENGTH: length !== undefined && `${host}, l=${length}`,
    DKIM_EXPIRED: isExpired && `${host}, x=${expiresAt}`,
    DKIM_SHA1: tags.get('a')?.toLowerCase() === 'rsa-sha1' && host,
    DKIM_FIELDS_UNSIGNED: !FIELDS_TO_SIGN.every((name) => signed.has(name)) && host,
  })
}
