/**
 * The patterns of a message that a user's rules can match: its sender, list, thread and template.
 *
 * They are drawn on the worker and carried in the Analysis, so they are plain data and small whatever
 * the message holds. What is not certain is left out: then no rule matches, and memory and models judge.
 */
import { readTable, requiredText, words } from '../data-table.ts'
import { hostOf } from '../message/domain.ts'
import type { Message } from '../message/message.ts'
import { fieldBody, hostOfMailbox } from '../signals/fields.ts'
import { originOf } from '../signals/origin.ts'
import { domainOf, perMessage } from '../signals/per-message.ts'
import { comparedAddress, comparedHost, hostOfAddress, isAtOrBelow } from './sender-address.ts'
import { templateOf } from './template.ts'

export interface Patterns {
  /**
   * The From address, see sender-address.ts. Absent when From names several addresses: programs differ in
   * which they show, and a sender could pass for one while being judged as the other.
   */
  readonly sender?: string
  /** The addresses in From where it names several, at most AUTHORS_MAX: a block of one covers the message. */
  readonly authors?: readonly string[]
  /** Registrable domain of `sender`. */
  readonly senderDomain?: string
  /** List-Id, else the address of List-Post, else the host of List-Unsubscribe, lower-cased. */
  readonly list?: string
  /** Message-ID, in angle brackets, of the first message of the thread. */
  readonly thread?: string
  /** See template.ts. */
  readonly template?: string
}

/** Longest list identifier (RFC 2919 §3), in octets. */
const LIST_ID_LENGTH_MAX = 255

/** Longest string that is taken for a Message-ID, in bytes of UTF-8. Honest ones stay below 200 bytes. */
const MESSAGE_ID_BYTES_MAX = 512

/** Characters of a field that are searched for an identifier or an address. */
const FIELD_LENGTH_MAX = 4_096

/**
 * The patterns that `message` has.
 *
 * @param withTemplate whether its template is among them, which takes three times as long as the others.
 */
export function patternsOf(message: Message, withTemplate = true): Patterns {
  const senders = sendersOf(message)
  const sender = senderOf(message)
  const senderDomain = sender === undefined ? undefined : domainOf(message, hostOfAddress(sender))
  const list = listOf(message)
  const thread = threadOf(message)
  const template =
    senderDomain === undefined || !withTemplate ? undefined : templateOf(message, senderDomain)
  return {
    ...(sender === undefined ? {} : { sender }),
    ...(senders.length > 1 && { authors: senders.slice(0, AUTHORS_MAX) }),
    ...(senderDomain === undefined ? {} : { senderDomain }),
    ...(list === undefined ? {} : { list }),
    ...(thread === undefined ? {} : { thread }),
    ...(template === undefined ? {} : { template }),
  }
}

/** Addresses in From that are compared with blocks. Honest mail has one. */
const AUTHORS_MAX = 16

/** The one address that all From fields name, alone or in a group. */
export function senderOf(message: Message): string | undefined {
  const addresses = addressesInFrom(message)
  return addresses.every((address) => address === addresses[0]) ? addresses[0] : undefined
}

/** The addresses that From names, each once. */
function sendersOf(message: Message): string[] {
  return [...new Set(addressesInFrom(message))].filter((address) => address !== undefined)
}

const addressesInFrom = perMessage((message: Message) =>
  originOf(message).from.map((mailbox) =>
    comparedAddress(`${mailbox.localPart}@${hostOfMailbox(mailbox)}`),
  ),
)

/** The list that a message is of: see Patterns. */
export const listOf = perMessage(
  (message: Message) => listId(message) ?? listPost(message) ?? listUnsubscribeHost(message),
)

/** The identifier in brackets (RFC 2919 §3); without brackets the whole body, if it is one word. */
export function readListId(body: string): string | undefined {
  const inner = /<([^<>]{1,300})>\s{0,9}$/.exec(body)?.[1] ?? body
  const id = inner.trim().toLowerCase()
  return /^[\w.@+=-]+$/.test(id) && id.length <= LIST_ID_LENGTH_MAX ? id : undefined
}

function listId(message: Message): string | undefined {
  const body = boundedBody(message, 'list-id')
  return body === undefined ? undefined : readListId(body)
}

function listPost(message: Message): string | undefined {
  const body = boundedBody(message, 'list-post')
  return body === undefined ? undefined : comparedAddress(mailtoAddress(body) ?? '')
}

/** The host of the web address, else of the mail address: the former is the list's, the latter often a relay's. */
function listUnsubscribeHost(message: Message): string | undefined {
  const body = boundedBody(message, 'list-unsubscribe')
  if (body === undefined) return undefined
  const web = /https?:[^\s<>,]{1,2000}/i.exec(body)?.[0]
  const host = web === undefined ? undefined : hostOf(web)
  return comparedHost(host ?? hostOfAddress(mailtoAddress(body) ?? ''))
}

function mailtoAddress(body: string): string | undefined {
  return /mailto:\s?([^\s<>,?]{1,320})/i.exec(body)?.[1]
}

function threadOf(message: Message): string | undefined {
  for (const name of ['references', 'in-reply-to', 'message-id']) {
    const id = readMessageId(boundedBody(message, name) ?? '')
    if (id !== undefined) return id
  }
  return undefined
}

/** The first Message-ID in `body`; in References that is the thread's first message (RFC 5322 §3.6.4). */
export function readMessageId(body: string): string | undefined {
  const id = /<[^<>\s\x00-\x1f]+>/.exec(body)?.[0]
  return id === undefined || Buffer.byteLength(id) > MESSAGE_ID_BYTES_MAX ? undefined : id
}

function boundedBody(message: Message, name: string): string | undefined {
  return fieldBody(message, name)?.slice(0, FIELD_LENGTH_MAX)
}

// Addresses from which many people or organisations write. A correction of one message from such an
// address says nothing about the next, so no rule is made from it.

const SHARED_SENDERS = readTable(new URL('shared-senders.tsv', import.meta.url), {
  /** Covers all domains below it; `*` for any. */
  domain: requiredText,
  /** `*` stands for any text, at the beginning or end. */
  localParts: words,
  why: requiredText,
})

/** True when several people or organisations write from the message's address, as with a list. */
export function isSharedSender({ sender, list }: Patterns): boolean {
  if (sender === undefined) return false
  const host = hostOfAddress(sender)
  const localPart = sender.slice(0, -host.length - 1)
  // A list's identifier is by custom its address with a full stop (RFC 2919 §2).
  if (list === sender || list === `${localPart}.${host}`) return true
  return SHARED_SENDERS.some(
    ({ domain, localParts }) =>
      (domain === '*' || isAtOrBelow(host, domain)) && isListed(localPart, localParts),
  )
}

function isListed(localPart: string, listed: readonly string[]): boolean {
  return listed.some((pattern) => {
    if (pattern.startsWith('*')) return localPart.endsWith(pattern.slice(1))
    if (pattern.endsWith('*')) return localPart.startsWith(pattern.slice(0, -1))
    return localPart === pattern
  })
}
