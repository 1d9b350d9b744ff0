/** What of a message a user's rules and memory are compared with; made on a worker thread, so plain data. */
import type { EmbeddingModel } from '../embedding/embedding-model.ts'
import { embedMessage, sparseTerms } from '../embedding/message-embedding.ts'
import type { Message } from '../message/message.ts'
import { encodeMemoryItem } from './memory-item.ts'
import { identityOf } from './message-identity.ts'
import { type Patterns, patternsOf } from './patterns.ts'

export interface PersonalAnalysis {
  readonly patterns: Patterns
  /** Equal for the same message; see message-identity.ts. */
  readonly identity: string
  /** Embedding and terms, packed as the store keeps them. */
  readonly memoryItem: Uint8Array
  /** Of the model that made the embedding. */
  readonly embeddingModel: string
}

export function personalAnalysis(message: Message, model: EmbeddingModel): PersonalAnalysis {
  return {
    patterns: patternsOf(message),
    identity: identityOf(message),
    memoryItem: encodeMemoryItem(embedMessage(model, message), sparseTerms(message)),
    embeddingModel: model.id,
  }
}
