/** Mail as items of a user's memory, as messages asked about, and as rules that corrections make. */
import type { EmbeddingModel } from '../../mail/embedding/embedding-model.ts'
import { messageEmbedding } from '../../mail/embedding/message-embedding.ts'
import { passagesOf } from '../../mail/embedding/passages.ts'
import type { CommonText } from '../../mail/features/common-text.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import type { Message } from '../../mail/message/message.ts'
import { isFramed } from '../../mail/personalization/framed.ts'
import type { MemoryQuery, StoredMemoryItem } from '../../mail/personalization/memory.ts'
import { decodeMemoryItem, encodeMemoryItem } from '../../mail/personalization/memory-item.ts'
import { type Patterns, patternsOf } from '../../mail/personalization/patterns.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import { isSharedSender } from '../../mail/personalization/shared-senders.ts'
import { strangerHosts } from '../../mail/personalization/stranger-hosts.ts'

/** What rules and memory see of a message. */
export interface Remembered {
  readonly patterns: Patterns
  /** Embedding and terms, as a store would keep them. */
  readonly memory: Uint8Array
  readonly isFramed: boolean
  /** Unknown if absent: nothing checked the sender. */
  readonly authentication?: SenderAuthentication
}

/** One embedding made them all. */
const EMBEDDING_MODEL = 'measured'

/** What messages are drawn with. */
export interface MemoryMeans {
  readonly embedding: EmbeddingModel
  readonly commonText: CommonText
  readonly knowledge: Knowledge
}

export function rememberedOf(
  message: Message,
  { embedding, commonText, knowledge }: MemoryMeans,
): Remembered {
  const { dense, sparse } = messageEmbedding(embedding, message, commonText)
  const { own } = passagesOf(message, commonText)
  const patterns = patternsOf(message)
  const hosts = strangerHosts(message, own, patterns.senderDomain, knowledge)
  const memory = encodeMemoryItem(dense, sparse, hosts)
  return { patterns, memory, isFramed: isFramed(message, patterns, knowledge) }
}

export function storedItem(
  { memory, patterns, authentication }: Remembered,
  label: string,
  feedbackId = '',
): StoredMemoryItem {
  const made = { feedbackId, label, embeddingModel: EMBEDDING_MODEL, createdAt: new Date(0) }
  return { ...made, memory, ...senderOf(patterns), ...authenticatedDomainOf(authentication) }
}

export function queryOf({ memory, patterns, isFramed }: Remembered): MemoryQuery {
  const vector = decodeMemoryItem(memory)
  if (vector === undefined) throw new TypeError('An item that was just encoded cannot be decoded')
  return {
    vector,
    embeddingModel: EMBEDDING_MODEL,
    isSharedSender: isSharedSender(patterns),
    isFramed,
    ...senderOf(patterns),
  }
}

/** The Sender rules that corrections make, in their order; none for an address through which many people write. */
export function senderRules<T extends Remembered>(
  corrected: readonly T[],
  labelOf: (message: T) => string,
) {
  return corrected.flatMap((message, i) => {
    const { patterns, authentication } = message
    const { sender } = patterns
    if (sender === undefined || isSharedSender(patterns)) return []
    const made = { feedbackId: String(i), label: labelOf(message), createdAt: new Date(0) }
    const proof = authenticatedDomainOf(authentication)
    return [{ ...made, pattern: sender, senderKey: Buffer.from(sender), ...proof }]
  })
}

function authenticatedDomainOf(authentication: SenderAuthentication | undefined) {
  return authentication?.result === 'pass' ? { authenticatedDomain: authentication.domain } : {}
}

function senderOf({ sender }: Patterns): { readonly senderKey?: Uint8Array } {
  return sender === undefined ? {} : { senderKey: Buffer.from(sender) }
}
