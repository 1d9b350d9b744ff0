/** A sample as an item of a user's memory, and as a message asked about. */

import type { MemoryQuery, StoredMemoryItem } from '../../../mail/personalization/memory.ts'
import { decodeMemoryItem } from '../../../mail/personalization/memory-item.ts'
import type { Patterns } from '../../../mail/personalization/patterns.ts'
import type { MemorySample } from './samples.ts'

/** One embedding made them all. */
const EMBEDDING_MODEL = 'measured'

export function storedItem(
  { memory, patterns }: MemorySample,
  label: string,
  feedbackId = '',
): StoredMemoryItem {
  const made = { feedbackId, label, embeddingModel: EMBEDDING_MODEL, createdAt: new Date(0) }
  return { ...made, memory, ...senderOf(patterns) }
}

export function queryOf({ memory, patterns }: MemorySample): MemoryQuery {
  const vector = decodeMemoryItem(memory)
  if (vector === undefined) throw new TypeError('An item that was just encoded cannot be decoded')
  return { vector, embeddingModel: EMBEDDING_MODEL, ...senderOf(patterns) }
}

function senderOf({ sender }: Patterns): { readonly senderKey?: Uint8Array } {
  return sender === undefined ? {} : { senderKey: Buffer.from(sender) }
}
