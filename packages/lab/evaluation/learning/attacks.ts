/** Data poisoning: corrections by attackers who want to make the shared model worse. */

import { EVENT_FEATURES_MAX } from '../../../mail/features/event-features.ts'
import type { SparseVector } from '../../../mail/features/sparse-vector.ts'
import { spamProbability } from '../../../mail/learning/fits.ts'
import type { Models } from '../../../mail/models/models.ts'
import { randomSource, shuffled, shuffledIndices } from '../../training/random.ts'
import type { Letter } from '../letters.ts'

/** A letter and the label that it is given. */
export interface PoisonedCorrection {
  readonly letter: Letter
  readonly spam: boolean
}

/** `count` poisoned corrections of `letters`, or about mail made after them. */
export type Attack = (
  letters: readonly Letter[],
  count: number,
  seed: number,
  base: Models,
) => PoisonedCorrection[]

export const ATTACKS = {
  'every label turned round': turnedWhere(() => true),
  'ham called spam': turnedWhere(({ spam }) => !spam),
  'spam called ham': turnedWhere(({ spam }) => spam),
  'mail in doubt turned round': turnedInDoubt,
  dictionary,
} as const satisfies Record<string, Attack>

/** What one sender's domain sends is called spam. */
export function focusedOn(domain: string): Attack {
  return turnedWhere((letter) => letter.domain === domain && !letter.spam)
}

function turnedWhere(is: (letter: Letter) => boolean): Attack {
  return (letters, count, seed) => turned(letters.filter(is), count, seed)
}

/**
 * Genuine mail under the wrong label, each once before any again, sent on by the malicious accounts from domains
 * of their own: no other user contradicts what is said of it, and no sender's limit is reached.
 */
function turned(letters: readonly Letter[], count: number, seed: number): PoisonedCorrection[] {
  const order = shuffled(letters, randomSource(seed))
  return Array.from({ length: count }, (_, i) => {
    const letter = order[i % order.length]!
    const copy = { ...letter, id: `lie ${i}`, domain: `l${i}.example` }
    return { letter: copy, spam: !letter.spam }
  })
}

/** Where the shipped model, which everyone has, gives the poisoned label this probability: a poisoned label about sure mail is passed over. */
const DOUBT = 0.3

/** The letters of which a poisoned label is neither news nor unbelievable to the shipped model. */
function turnedInDoubt(
  letters: readonly Letter[],
  count: number,
  seed: number,
  base: Models,
): PoisonedCorrection[] {
  const distance = (letter: Letter) => {
    const spam = spamProbability(base, letter)
    return Math.abs((letter.spam ? 1 - spam : spam) - DOUBT)
  }
  const nearest = letters
    .map((letter) => ({ letter, distance: distance(letter) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
  return turned(
    nearest.map(({ letter }) => letter),
    count,
    seed,
  )
}

/**
 * Mail that holds the words which ham has most, as many as the log keeps, in the make of genuine
 * ham, each from a domain of its own and called spam. Nelson et al., Exploiting Machine Learning to
 * Subvert Your Spam Filter (LEET 2008).
 */
function dictionary(letters: readonly Letter[], count: number, seed: number): PoisonedCorrection[] {
  const ham = letters.filter(({ spam }) => !spam)
  const common = mostCommon(ham.map(({ text }) => text)).slice(0, 2 * EVENT_FEATURES_MAX)
  const random = randomSource(seed)
  return Array.from({ length: count }, (_, i) => {
    const words = shuffledIndices(common.length, random)
      .subarray(0, EVENT_FEATURES_MAX)
      .map((position) => common[position]!)
    const { meta } = ham[Math.floor(random() * ham.length)]!
    const letter = { id: `dictionary ${i}`, domain: `d${i}.example`, spam: false, meta }
    return { letter: { ...letter, text: present(words, ham[0]!.text.size) }, spam: true }
  })
}

/** A vector of length 1 with equal values. */
export function present(indices: Uint32Array, size: number): SparseVector {
  return { size, indices, values: new Float32Array(indices.length).fill(indices.length ** -0.5) }
}

/** Indices of the features, those that occur in most vectors first. */
function mostCommon(vectors: readonly SparseVector[]): number[] {
  const counts = new Map<number, number>()
  for (const { indices } of vectors) {
    for (const index of indices) counts.set(index, (counts.get(index) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([index]) => index)
}
