/** Corrections for simulations: mail of a corpus, as users of a service would report it. */
import { createHash } from 'node:crypto'
import { encodeEventFeatures } from '../../../mail/features/event-features.ts'
import type { SparseVector } from '../../../mail/features/sparse-vector.ts'
import type { LearnEvent } from '../../../mail/learning/learn-event.ts'

/** A message that users may correct. */
export interface Letter {
  readonly id: string
  readonly domain: string
  readonly spam: boolean
  readonly text: SparseVector
  readonly meta: SparseVector
}

/** What is said of a letter, by whom and when. */
export interface Report {
  /** The same in simulations that differ only in other reports, so that random choices are the same there. */
  readonly id: string
  readonly letter: Letter
  readonly spam: boolean
  readonly userId: string
  readonly word: LearnEvent['word']
  readonly at: Date
  readonly authenticated: boolean
}

export function correctionOf({
  id,
  letter,
  spam,
  userId,
  word,
  at,
  authenticated,
}: Report): LearnEvent {
  return {
    feedbackId: id,
    userId,
    word,
    kind: 'spam',
    label: spam ? 'spam' : 'ham',
    messageKey: keyOf(letter.id),
    domainKey: keyOf(letter.domain),
    ...(authenticated ? { authenticatedDomain: letter.domain } : {}),
    features: featuresOf(letter),
    createdAt: at,
  }
}

const encoded = new WeakMap<Letter, Uint8Array>()

/** The features of a letter, encoded once per letter. */
function featuresOf(letter: Letter): Uint8Array {
  const known = encoded.get(letter) ?? encodeEventFeatures(letter.text, letter.meta)
  encoded.set(letter, known)
  return known
}

/** Stands in for the service's HMAC. */
function keyOf(name: string): Uint8Array {
  return createHash('sha256').update(name).digest()
}
