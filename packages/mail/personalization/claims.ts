/**
 * What the operator's rules are compared with besides its patterns (patterns.ts): whom a message claims to be from, which machine sent it, where it leads, and
 * what is attached.
 *
 * It is drawn on the worker and carried in the Analysis, so it is plain data and small whatever the
 * message holds.
 */
import { type Address, addressOf } from '../knowledge/network-table.ts'
import type { Mailbox } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { ATTACHMENTS_MAX, attachmentKinds } from '../signals/attachments.ts'
import { hostOfMailbox } from '../signals/fields.ts'
import { linkTargets } from '../signals/link-targets.ts'
import { originOf } from '../signals/origin.ts'
import type { Facts } from '../signals/signal.ts'
import { comparedAddress, comparedHost } from './sender-address.ts'

export interface Claims {
  /** All addresses of From: a message that claims to be from one is covered by its block. */
  readonly senders: readonly string[]
  /** The envelope sender; absent for the null sender. */
  readonly envelope?: string
  /** Names of the sending client. */
  readonly hosts: readonly string[]
  /** IP address of the sending client, canonical text. */
  readonly senderIp?: string
  /** Hosts of its links. */
  readonly linkHosts: readonly string[]
  /** Kinds, names and types of its attachments, as rules name them: `attachment exe`, `file *.iso`, `type image/*`. */
  readonly attachments: readonly string[]
}

/** Addresses of From that are compared. Stops a From of thousands; honest ones have one. */
const SENDERS_MAX = 128

/** Characters of the name of a file that is compared: file systems end at 255. */
const FILE_NAME_LENGTH_MAX = 255

/** Extensions of a file name that are compared: `a.tar.gz` has two. Stops a name of a hundred dots. */
const EXTENSIONS_MAX = 4

export function claimsOf(message: Message, { senderIp, mailFrom }: Facts): Claims {
  const from = originOf(message).from.slice(0, SENDERS_MAX).map(claimedAddress)
  const envelope = mailFrom === undefined ? undefined : comparedAddress(mailFrom)
  const linkHosts = linkTargets(message).map(({ host }) => host)
  return {
    senders: [...new Set(from.filter((address) => address !== undefined))],
    ...(envelope === undefined ? {} : { envelope }),
    hosts: senderIp === undefined ? [] : clientHosts(message, senderIp),
    ...(senderIp === undefined ? {} : { senderIp }),
    linkHosts: [...new Set(linkHosts)].filter((host) => host !== ''),
    attachments: [...new Set(attachmentsOf(message))],
  }
}

function attachmentsOf(message: Message): string[] {
  const looked = message.attachments.slice(0, ATTACHMENTS_MAX)
  return [
    ...attachmentKinds(message).map((kind) => `attachment ${kind}`),
    ...looked.flatMap(({ fileName, otherNames }) => [fileName, ...otherNames].flatMap(namesOfFile)),
    ...looked.flatMap(({ type }) => [`type ${type}`, `type ${type.split('/', 1)[0]}/*`]),
  ]
}

function namesOfFile(fileName: string): string[] {
  const name = fileName.trim().toLowerCase().normalize('NFC').slice(-FILE_NAME_LENGTH_MAX)
  const parts = name.split('.')
  const extensions = parts.slice(1).slice(-EXTENSIONS_MAX)
  return [name, ...extensions.map((_, at) => `*.${extensions.slice(at).join('.')}`)].map(
    (each) => `file ${each}`,
  )
}

/**
 * The address as a reader takes it: quotes around a local part that needs none (RFC 5321 §4.1.2) do not make it another's.
 * For blocks only; an allow goes by the address as it is.
 */
function claimedAddress(mailbox: Mailbox): string | undefined {
  const localPart = mailbox.localPart.replace(/^"([^"\\]*)"$/, '$1')
  return comparedAddress(`${localPart}@${hostOfMailbox(mailbox)}`)
}

// What the topmost Received field says of the sending client (RFC 5321 §4.4), if it is about the
// connection that we were told of.
//
// It must name the client's IP address. A sender who writes such a field, for a service that is asked
// before the receiving server has written its own, could as well have said the names in HELO: they are
// claims.

/** Longest from clause of a Received field that is read. */
const FROM_CLAUSE_LENGTH_MAX = 600

/** Address literals read of one clause. Stops a clause of 300 of them. */
const LITERALS_MAX = 8

/** Names read of one clause. Stops a clause of 300 of them. */
const NAMES_MAX = 8

/** The from clause of the topmost Received field; undefined when it does not name `senderIp` (canonical text). */
export function clientClause(
  message: Pick<Message, 'fields'>,
  senderIp: string,
): string | undefined {
  const received = message.fields.find(({ name }) => name === 'received')
  if (received === undefined) return undefined
  const clause = fromClause(received.rawBody)
  const client = addressOf(senderIp)?.join()
  return literalsIn(clause).some((address) => address.join() === client) ? clause : undefined
}

/**
 * The names of the client at `senderIp`, lower-cased: the one by which it introduced itself (HELO), and
 * the one that its address has in the DNS, as far as the field gives them.
 */
export function clientHosts(message: Pick<Message, 'fields'>, senderIp: string): string[] {
  const clause = clientClause(message, senderIp)
  if (clause === undefined) return []
  const names = clause.match(/[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,126}/gi) ?? []
  const hosts = names.filter((name) => addressOf(name) === undefined).slice(0, NAMES_MAX)
  return [...new Set(hosts.flatMap((host) => comparedHost(host) ?? []))]
}

function fromClause(body: string): string {
  const clause = body.slice(0, FROM_CLAUSE_LENGTH_MAX)
  const by = clause.search(/\sby\s/i)
  return by < 0 ? clause : clause.slice(0, by)
}

/** IP addresses in brackets, RFC 5321 §4.1.3. */
function literalsIn(clause: string): Address[] {
  const literals = clause.match(/\[(?:ipv6:)?[0-9a-f:.]{2,45}\]/gi) ?? []
  return literals.slice(0, LITERALS_MAX).flatMap((literal) => {
    const address = addressOf(literal.slice(1, -1).replace(/^ipv6:/i, ''))
    return address === undefined ? [] : [address]
  })
}
