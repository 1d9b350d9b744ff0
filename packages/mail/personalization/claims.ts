/**
 * What the operator's rules are compared with: whom a message claims to be from, which machine sent it, where it leads, and
 * what is attached.
 *
 * It is drawn on the worker and carried in the Analysis, so it is plain data and small whatever the
 * message holds.
 */
import type { Mailbox } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { ATTACHMENTS_MAX, attachmentKinds } from '../signals/attachments.ts'
import { hostOfMailbox } from '../signals/fields.ts'
import { linkTargets } from '../signals/link-targets.ts'
import { originOf } from '../signals/origin.ts'
import type { Facts } from '../signals/signal.ts'
import { clientHosts } from './client-clause.ts'
import { listOf, senderOf } from './patterns.ts'
import { comparedAddress } from './sender-address.ts'

export interface Claims {
  /** The one address that From names, as in Patterns; absent when it names several. */
  readonly sender?: string
  /** All addresses of From: a message that claims to be from one is covered by its block. */
  readonly senders: readonly string[]
  /** The envelope sender; absent for the null sender. */
  readonly envelope?: string
  /** As in Patterns. */
  readonly list?: string
  /** Names of the sending client; see client-clause.ts. */
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
  const sender = senderOf(message)
  const list = listOf(message)
  const from = originOf(message).from.slice(0, SENDERS_MAX).map(claimedAddress)
  const envelope = mailFrom === undefined ? undefined : comparedAddress(mailFrom)
  const linkHosts = linkTargets(message).map(({ host }) => host)
  return {
    ...(sender === undefined ? {} : { sender }),
    senders: [...new Set(from.filter((address) => address !== undefined))],
    ...(envelope === undefined ? {} : { envelope }),
    ...(list === undefined ? {} : { list }),
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
