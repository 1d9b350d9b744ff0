/**
 * What the rules of a site are compared with: whom a message claims to be from, which machine sent it, and what is attached.
 *
 * It is drawn on the worker and carried in the Analysis, so it is plain data and small whatever the
 * message holds.
 */
import type { Mailbox } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import type { AttachmentKind } from '../signals/attachment-kind.ts'
import { attachmentKinds } from '../signals/attachments.ts'
import { hostOfMailbox } from '../signals/mailboxes.ts'
import { originOf } from '../signals/origin.ts'
import type { Facts } from '../signals/signal.ts'
import { clientHosts } from './client-clause.ts'
import { listOf, senderOf } from './patterns.ts'
import { comparedAddress } from './sender-address.ts'

export interface Claims {
  /** The one address that From names, as in Patterns; absent when it names several. */
  readonly sender?: string
  /** All addresses of From, and the envelope sender: a message that claims to be from one is covered by its block. */
  readonly senders: readonly string[]
  /** As in Patterns. */
  readonly list?: string
  /** Names of the sending client; see client-clause.ts. */
  readonly hosts: readonly string[]
  /** IP address of the sending client, canonical text. */
  readonly senderIp?: string
  /** Kinds of its attachments; absent where it has none of those that rules name. */
  readonly attachments?: readonly AttachmentKind[]
}

/** Addresses of From that are compared. Stops a From of thousands; honest ones have one. */
const SENDERS_MAX = 128

export function claimsOf(message: Message, { senderIp, mailFrom }: Facts): Claims {
  const sender = senderOf(message)
  const list = listOf(message)
  const from = originOf(message).from.slice(0, SENDERS_MAX).map(claimedAddress)
  const attachments = attachmentKinds(message)
  const envelope = mailFrom === undefined ? undefined : comparedAddress(mailFrom)
  const senders = new Set([...from, envelope].filter((address) => address !== undefined))
  return {
    ...(sender === undefined ? {} : { sender }),
    senders: [...senders],
    ...(list === undefined ? {} : { list }),
    hosts: senderIp === undefined ? [] : clientHosts(message, senderIp),
    ...(senderIp === undefined ? {} : { senderIp }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/**
 * The address as a reader takes it: quotes around a local part that needs none (RFC 5321 §4.1.2) do not make it another's.
 * For blocks only; an allow goes by the address as it is.
 */
function claimedAddress(mailbox: Mailbox): string | undefined {
  const localPart = mailbox.localPart.replace(/^"([^"\\]*)"$/, '$1')
  return comparedAddress(`${localPart}@${hostOfMailbox(mailbox)}`)
}
