/** Messages that belong together, found by other means than those that are measured. */

import { wordsOf } from '../../../mail/embedding/words.ts'
import { hashIndex, hashSeed } from '../../../mail/features/hashing.ts'
import { headerBody, type Message } from '../../../mail/message/message.ts'
import { readerText, subjectOf } from '../../../mail/signals/text.ts'
import { DisjointSets } from '../../training/disjoint-sets.ts'

/** Code units of a text that shingles are drawn from. */
const TEXT_LENGTH_MAX = 4_000

/** Words of a shingle. */
const SHINGLE_WORDS = 3

/** A text with fewer shingles is in no group: a line in common would do. */
const SHINGLES_MIN = 10

/**
 * Minima that stand for a text, and how many of them two texts share that are near duplicates:
 * about as large a part of their shingles. Broder, On the Resemblance and Containment of
 * Documents (1997).
 */
const MINIMA = 32
const MINIMA_SHARED_MIN = 13

/** Two texts are compared when they share all minima of a band. */
const BAND_MINIMA = 2

const GOLDEN_RATIO = 0x9e3779b9
const MESSAGE_ID = /<[^<>\s]{1,250}>/g
const REFERENCES_MAX = 50

/** For each message the number of its group; near duplicates have the same. */
export function nearDuplicateGroups(messages: readonly Message[]): number[] {
  const minima = messages.map(minimaOf)
  const groups = new DisjointSets(messages.length)
  const firstOf = new Map<string, number>()
  minima.forEach((own, index) => {
    for (let start = 0; start < (own?.length ?? 0); start += BAND_MINIMA) {
      const band = `${start} ${own!.slice(start, start + BAND_MINIMA).join(' ')}`
      const first = firstOf.get(band)
      if (first === undefined) firstOf.set(band, index)
      else if (shared(own!, minima[first]!) >= MINIMA_SHARED_MIN) groups.join(index, first)
    }
  })
  return messages.map((_, index) => groups.first(index))
}

/** For each message the number of its thread, by Message-ID, In-Reply-To and References (RFC 5322 §3.6.4). */
export function threadGroups(messages: readonly Message[]): number[] {
  const groups = new DisjointSets(messages.length)
  const firstOf = new Map<string, number>()
  messages.forEach((message, index) => {
    for (const id of referencesOf(message)) {
      const first = firstOf.get(id)
      if (first === undefined) firstOf.set(id, index)
      else groups.join(index, first)
    }
  })
  return messages.map((_, index) => groups.first(index))
}

function referencesOf(message: Message): string[] {
  const fields = ['message-id', 'in-reply-to', 'references'].map((name) =>
    headerBody(message, name),
  )
  return (fields.join(' ').match(MESSAGE_ID) ?? []).slice(0, REFERENCES_MAX)
}

/** The smallest hash of any shingle under MINIMA hash functions; undefined for a short text. */
function minimaOf(message: Message): number[] | undefined {
  const words = wordsOf(`${subjectOf(message)}\n${readerText(message)}`, TEXT_LENGTH_MAX)
  const levelled = words.map((word) => word.replace(/\d/g, '0'))
  const shingles = new Set<number>()
  for (let i = 0; i + SHINGLE_WORDS <= levelled.length; i++) {
    shingles.add(hashSeed(levelled.slice(i, i + SHINGLE_WORDS).join(' ')))
  }
  if (shingles.size < SHINGLES_MIN) return undefined
  return Array.from({ length: MINIMA }, (_, i) => {
    let smallest = 0xffffffff
    for (const shingle of shingles) {
      smallest = Math.min(smallest, hashIndex(shingle ^ Math.imul(i, GOLDEN_RATIO), 31))
    }
    return smallest
  })
}

function shared(a: readonly number[], b: readonly number[]): number {
  return a.filter((minimum, i) => minimum === b[i]).length
}
