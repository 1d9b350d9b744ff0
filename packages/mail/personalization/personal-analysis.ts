/** What a user's rules and memory are compared with in a message. It is made on a thread, so it is plain data. */
import {
  DIMENSIONS,
  type EmbeddingModel,
  type TextEmbedding,
} from '../embedding/embedding-model.ts'
import { embedPassages, embedPassagesElsewhere } from '../embedding/message-embedding.ts'
import { type Passages, passagesOf } from '../embedding/passages.ts'
import { termsOf } from '../embedding/sparse-terms.ts'
import type { EventFeatures } from '../features/event-features.ts'
import type { Message } from '../message/message.ts'
import { decodeMemoryItem, encodeMemoryItem } from './memory-item.ts'
import { identityOf } from './message-identity.ts'
import { type Patterns, patternsOf } from './patterns.ts'

export interface PersonalAnalysis {
  readonly patterns: Patterns
  /** The same for the same message; see message-identity.ts. */
  readonly identity: string
  /** What the models were given, and which models: a user's deltas are added up over it. */
  readonly features: EventFeatures
  readonly modelsVersion: string
  /** Embedding and terms, packed as the store keeps them. */
  readonly memoryItem: Uint8Array
  /** The id of the model that made the embedding; NOT_EMBEDDED while there is no embedding. */
  readonly embeddingModel: string
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
  { features, modelsVersion }: Pick<PersonalAnalysis, 'features' | 'modelsVersion'>,
  { template, memory }: PersonalParts,
  embedder: MessageEmbedder,
): PersonalAnalysis {
  const patterns = patternsOf(message, template)
  const identity = identityOf(message)
  const item = memory ? itemOf(passagesOf(message), embedder) : NO_ITEM
  return { patterns, identity, features, modelsVersion, ...item }
}

type Item = Pick<PersonalAnalysis, 'memoryItem' | 'embeddingModel' | 'passages'>

const NO_ITEM: Item = {
  memoryItem: encodeMemoryItem(new Float32Array(DIMENSIONS), new Uint32Array()),
  embeddingModel: NOT_EMBEDDED,
}

function itemOf(passages: Passages, embedder: MessageEmbedder): Item {
  const terms = termsOf(passages)
  if (embedder === 'elsewhere') {
    const memoryItem = encodeMemoryItem(new Float32Array(DIMENSIONS), terms)
    return { memoryItem, embeddingModel: NOT_EMBEDDED, passages }
  }
  const memoryItem = encodeMemoryItem(embedPassages(embedder, passages), terms)
  return { memoryItem, embeddingModel: embedder.id }
}

/** `personal` with its embedding by `model`; unchanged if it already has one. Throws what `model` throws. */
export async function embedElsewhere(
  personal: PersonalAnalysis,
  model: TextEmbedding,
): Promise<PersonalAnalysis> {
  const { passages, ...rest } = personal
  if (passages === undefined) return personal
  const dense = await embedPassagesElsewhere(model, passages)
  const terms = decodeMemoryItem(personal.memoryItem)?.sparse ?? new Uint32Array()
  return { ...rest, memoryItem: encodeMemoryItem(dense, terms), embeddingModel: model.id }
}
