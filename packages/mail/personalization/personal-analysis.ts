/** What a user's rules and memory are compared with in a message. It is made on a thread, so it is plain data. */
import {
  DIMENSIONS,
  type EmbeddingModel,
  type TextEmbedding,
} from '../embedding/embedding-model.ts'
import { embedPassages, embedPassagesElsewhere } from '../embedding/message-embedding.ts'
import { type Passages, passagesOf } from '../embedding/passages.ts'
import { termsOf } from '../embedding/sparse-terms.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Message } from '../message/message.ts'
import type { Models } from '../models/models.ts'
import { isFramed } from './framed.ts'
import { decodeMemoryItem, encodeMemoryItem } from './memory-item.ts'
import { identityOf } from './message-identity.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import { strangerHosts } from './stranger-hosts.ts'

export interface PersonalAnalysis {
  readonly patterns: Patterns
  /** The same for the same message; see message-identity.ts. */
  readonly identity: string
  /** The version of the models over which a user's deltas are learned. */
  readonly modelsVersion: string
  /** Embedding and terms, packed as the store keeps them. */
  readonly memoryItem: Uint8Array
  /** The id of the model that made the embedding; NOT_EMBEDDED while there is no embedding. */
  readonly embeddingModel: string
  /** See framed.ts. */
  readonly isFramed: boolean
  /** The texts that `embedElsewhere` is to embed; absent when that is done, and where no memory is asked. */
  readonly passages?: Passages
}

/** What is drawn besides sender, list and thread. It takes a fifth of an analysis, and not every user has something to compare it with. */
export interface PersonalParts {
  /** For rules about templates. */
  readonly template: boolean
  /** Terms and embedding, for memories. */
  readonly memory: boolean
}

export const ALL_PERSONAL_PARTS: PersonalParts = { template: true, memory: true }

/** What embeds messages: a model on this thread, or one on another thread, which is called later. */
export type MessageEmbedder = EmbeddingModel | 'elsewhere'

/** Stands in for a model's id. No item of a memory has this id, so that only terms are compared. */
const NOT_EMBEDDED = 'none'

export function personalAnalysis(
  message: Message,
  { version, commonText }: Pick<Models, 'version' | 'commonText'>,
  { template, memory }: PersonalParts,
  {
    embedder,
    knowledge,
  }: { readonly embedder: MessageEmbedder; readonly knowledge: Knowledge | undefined },
): PersonalAnalysis {
  const patterns = patternsOf(message, template)
  const identity = identityOf(message)
  const made = {
    patterns,
    identity,
    modelsVersion: version,
    isFramed: isFramed(message, patterns, knowledge),
  }
  if (!memory) return { ...made, memoryItem: EMPTY_ITEM, embeddingModel: NOT_EMBEDDED }
  const passages = passagesOf(message, commonText)
  const terms = termsOf(passages, commonText)
  const hosts = strangerHosts(message, passages.own, patterns.senderDomain, knowledge)
  if (embedder === 'elsewhere') {
    const memoryItem = encodeMemoryItem(new Float32Array(DIMENSIONS), terms, hosts)
    return { ...made, memoryItem, embeddingModel: NOT_EMBEDDED, passages }
  }
  const memoryItem = encodeMemoryItem(embedPassages(embedder, passages), terms, hosts)
  return { ...made, memoryItem, embeddingModel: embedder.id }
}

const EMPTY_ITEM = encodeMemoryItem(new Float32Array(DIMENSIONS), new Uint32Array())

/** `personal` with its embedding by `model`; unchanged if it already has one. Throws what `model` throws. */
export async function embedElsewhere(
  personal: PersonalAnalysis,
  model: TextEmbedding,
): Promise<PersonalAnalysis> {
  const { passages, ...rest } = personal
  if (passages === undefined) return personal
  const dense = await embedPassagesElsewhere(model, passages)
  const item = decodeMemoryItem(personal.memoryItem)
  const memoryItem = encodeMemoryItem(dense, item?.sparse ?? new Uint32Array(), item?.hosts)
  return { ...rest, memoryItem, embeddingModel: model.id }
}
