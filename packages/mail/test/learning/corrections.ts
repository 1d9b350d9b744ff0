/** Corrections made for tests, their words given as the indices of text features. */

import { encodeEventFeatures } from '../../features/event-features.ts'
import { META_FEATURE_NAMES } from '../../features/meta-features.ts'
import type { SparseVector } from '../../features/sparse-vector.ts'
import { TEXT_FEATURES_SIZE } from '../../features/text-features.ts'
import { FEATURE_VERSION } from '../../features/version.ts'
import type { LearnEvent } from '../../learning/learn-event.ts'

/** A text vector of length 1, all its values alike. */
export function words(...indices: number[]): SparseVector {
  return {
    size: TEXT_FEATURES_SIZE,
    indices: Uint32Array.from(indices),
    values: new Float32Array(indices.length).fill(indices.length ** -0.5),
  }
}

export const NO_META: SparseVector = {
  size: META_FEATURE_NAMES.length,
  indices: new Uint32Array(),
  values: new Float32Array(),
}

/** One meta feature, of value 1. */
export const META_7: SparseVector = {
  ...NO_META,
  indices: Uint32Array.of(7),
  values: Float32Array.of(1),
}

/** Ten words that no other number gives: with a few words more, two such texts are not nearly the same. */
export function ownWords(number: number): number[] {
  return Array.from({ length: 10 }, (_, i) => 100_000 + 10 * number + i)
}

interface Said {
  readonly id: string
  readonly user?: string
  readonly authority?: LearnEvent['authority']
  readonly kind?: LearnEvent['kind']
  readonly label?: string
  readonly message?: string
  readonly domain?: string
  readonly authenticated?: boolean
  readonly words?: readonly number[]
  readonly at?: string
}

/** A correction by Ann, in her own word, on 1 June, of an authenticated message of its own from one.example: spam. */
export function correction({
  id,
  user = 'ann',
  authority = 'user',
  kind = 'spam',
  label = 'spam',
  message = id,
  domain = 'one.example',
  authenticated = true,
  words: indices = [1, 2, 3],
  at = '2026-06-01T12:00:00Z',
}: Said): LearnEvent {
  return {
    feedbackId: id,
    userId: user,
    authority,
    kind,
    label,
    messageKey: Buffer.from(message),
    domainKey: Buffer.from(domain),
    ...(authenticated ? { authenticatedDomain: domain } : {}),
    features: encodeEventFeatures(words(...indices), NO_META),
    featureVersion: FEATURE_VERSION,
    createdAt: new Date(at),
  }
}
