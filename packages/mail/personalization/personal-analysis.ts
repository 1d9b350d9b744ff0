/** What a user's rules and memory are compared with in a message. It is made on a thread, so it is plain data. */
import { passagesOf } from '../embedding/passages.ts'
import { termsOf } from '../embedding/sparse-terms.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Message } from '../message/message.ts'
import type { Models } from '../models/models.ts'
import { isFramed } from './framed.ts'
import { DIMENSIONS, decodeMemoryItem, encodeMemoryItem } from './memory-item.ts'
import { identityOf } from './message-identity.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import { strangerHosts } from './stranger-hosts.ts'

export interface PersonalAnalysis {
  readonly patterns: Patterns
  /** The same for the same message; see message-identity.ts. */
  readonly identity: string
  /** The version of the models over which a user's deltas are learned. */
  readonly modelsVersion: string
  /** Terms and hosts, packed as the store keeps them, without an embedding; none where its content was not asked for. */
  readonly memoryItem: Uint8Array
  /** See framed.ts. */
  readonly isFramed: boolean
  /** What is embedded of it; '' where its content was not asked for. */
  readonly embeddedText: string
}

/** Characters of subject and own text that are embedded: some 100 pieces, which the encoder takes in one part. */
export const EMBEDDED_LENGTH_MAX = 400

const NO_EMBEDDING = new Float32Array(DIMENSIONS)

const EMPTY_ITEM = encodeMemoryItem(NO_EMBEDDING, new Uint32Array())

/**
 * @param hasContent whether its template, terms and text are among it: these take a third of an analysis, and not every
 *   user has something to compare them with.
 */
export function personalAnalysis(
  message: Message,
  { version, commonText }: Pick<Models, 'version' | 'commonText'>,
  knowledge: Knowledge | undefined,
  hasContent = true,
): PersonalAnalysis {
  const patterns = patternsOf(message, hasContent)
  const made = {
    patterns,
    identity: identityOf(message),
    modelsVersion: version,
    isFramed: isFramed(message, patterns, knowledge),
  }
  if (!hasContent) return { ...made, memoryItem: EMPTY_ITEM, embeddedText: '' }
  const passages = passagesOf(message, commonText)
  const terms = termsOf(passages, commonText)
  const hosts = strangerHosts(message, passages.own, patterns.senderDomain, knowledge)
  return {
    ...made,
    memoryItem: encodeMemoryItem(NO_EMBEDDING, terms, hosts),
    embeddedText: `${passages.subject}\n${passages.own}`.slice(0, EMBEDDED_LENGTH_MAX),
  }
}

/** The item of `personal` with its embedding. */
export function embeddedItem(
  { memoryItem }: Pick<PersonalAnalysis, 'memoryItem'>,
  embedding: Float32Array,
): Uint8Array {
  const { sparse, hosts } = decodeMemoryItem(memoryItem)!
  return encodeMemoryItem(embedding, sparse, hosts)
}
