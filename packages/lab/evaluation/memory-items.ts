/** Mail as items of a user's memory, as messages asked about, and as rules that corrections make. */
import type { EmbeddingModel } from '../../mail/embedding/embedding-model.ts'
import { messageEmbedding } from '../../mail/embedding/message-embedding.ts'
import type { Message } from '../../mail/message/message.ts'
import type { MemoryQuery, StoredMemoryItem } from '../../mail/personalization/memory.ts'
import { decodeMemoryItem, encodeMemoryItem } from '../../mail/personalization/memory-item.ts'
import { type Patterns, patternsOf } from '../../mail/personalization/patterns.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import { isSharedSender } from '../../mail/personalization/shared-senders.ts'

/** What rules and memory see of a message. */
export interface Remembered {
  readonly patterns: Patterns
  /** Embedding and terms, as a store would keep them. */
  readonly memory: Uint8Array
  /** Unknown if absent: nothing checked the sender. */
  readonly authentication?: SenderAuthentication
}

/** One embedding made them all. */
const EMBEDDING_MODEL = 'measured'

export function rememberedOf(message: Message, model: EmbeddingModel): Remembered {
  const { dense, sparse } = messageEmbedding(model, message)
  return { patterns: patternsOf(message), memory: encodeMemoryItem(dense, sparse) }
}

export function storedItem(
  { memory, patterns, authentication }: Remembered,
  label: string,
  feedbackId = '',
): StoredMemoryItem {
  const made = { feedbackId, label, embeddingModel: EMBEDDING_MODEL, createdAt: new Date(0) }
  return { ...made, memory, ...senderOf(patterns), ...authenticatedDomainOf(authentication) }
}

export function queryOf({ memory, patterns }: Remembered): MemoryQuery {
  const vector = decodeMemoryItem(memory)
  if (vector === undefined) throw new TypeError('An item that was just encoded cannot be decoded')
  return { vector, embeddingModel: EMBEDDING_MODEL, ...senderOf(patterns) }
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
