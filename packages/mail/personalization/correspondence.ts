/**
 * What a message says of who writes to whom: of one that comes in, its sender and what it replies to; of
 * one that a user sends, to whom it goes and its Message-ID.
 *
 * It is drawn on the worker and carried in the Analysis, so it is plain data and small whatever the
 * message holds.
 */
import type { Message } from '../message/message.ts'
import { ATTACHMENTS_MAX } from '../signals/attachments.ts'
import { fieldBody, hostOfMailbox, mailboxesOf } from '../signals/fields.ts'
import type { Signal } from '../signals/signal.ts'
import { type SignalName, signalSet } from '../signals/table.ts'
import { isSharedSender, listOf, readMessageId, senderOf } from './patterns.ts'
import { comparedAddress } from './sender-address.ts'

/** Of a message that comes in. */
export interface Correspondence {
  /** The one address that From names, as in Patterns; absent when it names several. */
  readonly sender?: string
  /** Whether many write from that address: then its name says nothing about who writes. */
  readonly isShared: boolean
  /** The Message-IDs, in angle brackets, that it says it replies to; at most REPLY_IDS_MAX. */
  readonly repliesTo: readonly string[]
  /** Why no sender is trusted with it: an attachment that runs or hides what it is, or parts that were not read. */
  readonly unsafe?: SignalName | 'UNREAD'
}

/** Of a message that a user sends. */
export interface Outgoing {
  /** Whom it is addressed to, as comparedAddress gives them, without the author; none of a mailing. */
  readonly recipients: readonly string[]
  /** In angle brackets. */
  readonly messageId?: string
}

/** Message-IDs that are compared: the nearest of a thread. Stops a References field of thousands. */
export const REPLY_IDS_MAX = 16

/** Recipients up to which a message is written to each of them. More is a mailing, or an account that was taken over. */
export const RECIPIENTS_MAX = 100

/** Characters of a field that are searched for Message-IDs: some fifty of common length. */
const FIELD_LENGTH_MAX = 4_096

/** Attachments that run, or are made to look as if they did not: a stranger's is spam by itself (signals/signals.tsv). */
const RUNS = signalSet(
  'ATTACHMENT_EXECUTABLE',
  'ATTACHMENT_SCRIPT',
  'ATTACHMENT_DISK_IMAGE',
  'ATTACHMENT_ARCHIVE_EXECUTABLE',
  'ATTACHMENT_DOUBLE_EXTENSION',
  'ATTACHMENT_NAME_DISGUISED',
)

/**
 * Attachments that act when they are opened, or hide what they are. A thief of an account sends them to
 * everybody whom its owner knows, so the sender's name is no reason to let them pass.
 */
const UNSAFE: ReadonlySet<SignalName> = new Set([
  ...RUNS,
  ...signalSet('ATTACHMENT_HTML_ACTIVE', 'ATTACHMENT_MACRO', 'ATTACHMENT_ENCRYPTED'),
])

/** Whether what makes a message unsafe is an attachment that runs. */
export function runs(unsafe: Correspondence['unsafe']): boolean {
  return unsafe !== undefined && RUNS.has(unsafe)
}

/** @param found the signals of the message and of all its readings that were judged. */
export function correspondenceOf(message: Message, found: readonly Signal[]): Correspondence {
  const sender = senderOf(message)
  const list = listOf(message)
  const unsafe = unsafeIn(message, found)
  return {
    ...(sender !== undefined && { sender }),
    isShared: isSharedSender({ ...(sender && { sender }), ...(list && { list }) }),
    repliesTo: repliesTo(message),
    ...(unsafe !== undefined && { unsafe }),
  }
}

/** Why nothing that speaks against spam is to count for a message; undefined where it may. */
function unsafeIn(
  { limitsReached, bodyUnread, attachments }: Message,
  found: readonly Signal[],
): Correspondence['unsafe'] {
  const signal = found.find(({ name }) => UNSAFE.has(name))
  if (signal !== undefined) return signal.name
  // What was not looked at may be such an attachment.
  const isUnread = limitsReached.length > 0 || bodyUnread || attachments.length > ATTACHMENTS_MAX
  return isUnread ? 'UNREAD' : undefined
}

/** That of In-Reply-To, and those of References from the last on (RFC 5322 §3.6.4). */
function repliesTo(message: Message): string[] {
  const direct = messageIdsIn(fieldBody(message, 'in-reply-to')?.slice(0, FIELD_LENGTH_MAX))
  const thread = messageIdsIn(fieldBody(message, 'references')?.slice(-FIELD_LENGTH_MAX))
  return [...new Set([...direct, ...thread.reverse()])].slice(0, REPLY_IDS_MAX)
}

function messageIdsIn(body = ''): string[] {
  return Array.from(body.matchAll(/<[^<>\s]+>/g), ([id]) => readMessageId(id)).filter(
    (id) => id !== undefined,
  )
}

/** What a message tells of whom its author writes to; undefined where a program wrote it, and nobody chose the recipients. */
export function outgoingOf(message: Message): Outgoing | undefined {
  if (message.fields.some(({ name, body }) => saysAutomatic(name, body))) return undefined
  const authors = new Set(addressesIn(message, ['from', 'sender', 'reply-to']))
  const addressed = new Set(addressesIn(message, ['to', 'cc', 'bcc']))
  const messageId = readMessageId(
    fieldBody(message, 'message-id')?.slice(0, FIELD_LENGTH_MAX) ?? '',
  )
  return {
    recipients:
      addressed.size > RECIPIENTS_MAX ? [] : [...addressed].filter((to) => !authors.has(to)),
    ...(messageId !== undefined && { messageId }),
  }
}

function addressesIn(message: Message, names: readonly string[]): string[] {
  return names
    .flatMap((name) => mailboxesOf(message, name))
    .map((mailbox) => comparedAddress(`${mailbox.localPart}@${hostOfMailbox(mailbox)}`))
    .filter((address) => address !== undefined)
}

/**
 * Whether a header field says that a program wrote the message: an answer while away, a receipt, a bounce
 * or a mailing. Otherwise whoever makes a mailbox answer by itself would be somebody its user writes to.
 * RFC 3834 §5; RFC 2076 §3.9; RFC 3464 and 8098, whose reports are a multipart/report.
 *
 * @param name in lower case.
 */
export function saysAutomatic(name: string, body: string): boolean {
  switch (name) {
    case 'auto-submitted':
      return !/^\s*no\s*($|[;(])/i.test(body)
    case 'precedence':
      return /^\s*(bulk|list|junk|auto_reply)\s*$/i.test(body)
    case 'content-type':
      return /^\s*multipart\/report\b/i.test(body)
    case 'x-autoreply':
    case 'x-autorespond':
    case 'list-id':
    case 'list-unsubscribe':
      return true
    default:
      return false
  }
}
