/** Mail as items of a user's memory, as messages asked about, and as rules that corrections make. */
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import type { Message } from '../../mail/message/message.ts'
import type { Models } from '../../mail/models/models.ts'
import type { MemoryQuery, StoredMemoryItem } from '../../mail/personalization/memory.ts'
import { decodeMemoryItem, NOT_EMBEDDED } from '../../mail/personalization/memory-item.ts'
import type { Patterns } from '../../mail/personalization/patterns.ts'
import {
  ALL_PERSONAL_PARTS,
  embeddedItem,
  type PersonalAnalysis,
  personalAnalysis,
} from '../../mail/personalization/personal-analysis.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import { isSharedSender } from '../../mail/personalization/shared-senders.ts'
import { embeddingsOf } from './embeddings.ts'

/** What rules and memory see of a message. */
export interface Remembered
  extends Pick<PersonalAnalysis, 'patterns' | 'memoryItem' | 'isFramed' | 'embeddedText'> {
  /** See MemoryQuery; where it is one of a model, a memory has it too. */
  readonly embedding?: MemoryQuery['embedding']
  /** Unknown if absent: nothing checked the sender. */
  readonly authentication?: SenderAuthentication
}

/** What messages are drawn with. */
export interface MemoryMeans {
  readonly models: Models
  readonly knowledge: Knowledge
}

export function rememberedOf(message: Message, { models, knowledge }: MemoryMeans): Remembered {
  return personalAnalysis(message, models, ALL_PERSONAL_PARTS, knowledge)
}

/** Each of `messages` with its embedding. */
export async function embedded<Message extends Remembered>(
  messages: readonly Message[],
): Promise<Message[]> {
  const embeddings = await embeddingsOf(messages.map(({ embeddedText }) => embeddedText))
  return messages.map((message, i) => ({ ...message, embedding: embeddings[i]! }))
}

export function storedItem(message: Remembered, label: string, feedbackId = ''): StoredMemoryItem {
  const { memoryItem, embedding, patterns, authentication } = message
  const stored =
    typeof embedding === 'object'
      ? { memory: embeddedItem(message, embedding.vector), embeddingModel: embedding.model }
      : { memory: memoryItem, embeddingModel: NOT_EMBEDDED }
  const made = { feedbackId, label, createdAt: new Date(0) }
  return { ...made, ...stored, ...senderOf(patterns), ...authenticatedDomainOf(authentication) }
}

export function queryOf({ memoryItem, embedding, patterns, isFramed }: Remembered): MemoryQuery {
  const item = decodeMemoryItem(memoryItem)
  if (item === undefined) throw new TypeError('An item that was just encoded cannot be decoded')
  const { sparse, hosts } = item
  const isSharedOne = isSharedSender(patterns)
  return { sparse, hosts, embedding, isSharedSender: isSharedOne, isFramed, ...senderOf(patterns) }
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
