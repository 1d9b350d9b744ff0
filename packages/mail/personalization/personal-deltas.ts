/**
 * What a user's own corrections add to the models for that user, beside rules and memory: a small sparse
 * linear model over the terms of messages (learning/personal-training.ts). Nobody else's mail is judged by
 * it, so a malicious account reaches nobody but itself.
 */
import {
  type SparseTerms,
  squaredLength,
  weightOfTerm,
  wordOfTerm,
} from '../embedding/sparse-terms.ts'
import { CLASSES } from '../models/prediction.ts'
import type { NamedCorrection } from './named-correction.ts'

/** Corrections of one kind that are learned from, the newest. */
export const PERSONAL_EXAMPLES_MAX = 256

/** Terms that are kept of a table, those with the largest weights. A table is 0.1 MB at most, that of the classes 0.3. */
export const PERSONAL_TERMS_MAX = 8_192

/**
 * Log-odds by which a user's corrections may move a verdict, either way: a message that the models
 * are sure of takes a rule or the memory.
 */
export const PERSONAL_SHIFT_MAX = 3

/**
 * Log-odds that one term may add: an odd word in common is chance, several are likeness. Without this bound
 * twenty corrections moved single unlike messages by up to 1.3, with it by 0.4.
 */
export const TERM_SHIFT_MAX = 0.2

export interface PersonalDeltas {
  readonly spam: PersonalTable | undefined
  readonly classes: PersonalTable | undefined
}

/** The share of slots that are taken, at most. */
const LOAD_MAX = 0.75

/** A hash table with open addressing, from terms to rows of numbers. */
export interface PersonalTable {
  /** Word of a term + 1, or 0 for none. Length a power of 2. */
  readonly keys: Uint32Array
  /** Shape (keys, width): what a weight of 1 adds to the logits. */
  readonly rows: Float32Array
  readonly width: number
}

/** What the deltas add for one message. */
export interface PersonalShift {
  /** To the fused log-odds of spam, in [-PERSONAL_SHIFT_MAX, PERSONAL_SHIFT_MAX]. */
  readonly spam: number
  /** To the log-odds of each class, in the order of CLASSES; each in that range as well. */
  readonly classes: readonly number[]
}

/** The table of `weights`, in rows of `width`, one for each of `words` (sparse-terms.ts). */
export function personalTable(
  words: readonly number[],
  weights: Float32Array,
  width: number,
): PersonalTable {
  const places = largest(weights, width, words.length)
  const length = 2 ** Math.ceil(Math.log2(places.length / LOAD_MAX + 1))
  const keys = new Uint32Array(length)
  const rows = new Float32Array(length * width)
  for (const place of places) {
    const word = words[place]!
    const at = slotOf(keys, word)
    keys[at] = word + 1
    rows.set(weights.subarray(place * width, (place + 1) * width), at * width)
  }
  return { keys, rows, width }
}

/** The places of rows that are not zero, those with the largest number first if there are too many. */
function largest(weights: Float32Array, width: number, count: number): number[] {
  const sizes = new Float32Array(count)
  weights.forEach((weight, i) => {
    const place = Math.floor(i / width)
    sizes[place] = Math.max(sizes[place]!, Math.abs(weight))
  })
  const places = [...sizes.keys()].filter((place) => sizes[place]! > 0)
  if (places.length <= PERSONAL_TERMS_MAX) return places
  return places.sort((a, b) => sizes[b]! - sizes[a]! || a - b).slice(0, PERSONAL_TERMS_MAX)
}

/**
 * What `deltas` add for a message with these terms.
 *
 * @param of the message whose terms they are, where they are a part of it.
 */
export function personalShift(
  { spam, classes }: PersonalDeltas,
  terms: SparseTerms,
  of: SparseTerms = terms,
): PersonalShift {
  const [spamShift = 0] = spam === undefined ? [] : sumsOf(spam, terms, of)
  return {
    spam: spamShift,
    classes: classes === undefined ? CLASSES.map(() => 0) : sumsOf(classes, terms, of),
  }
}

/** About what they take up, in bytes. */
export function personalBytes({ spam, classes }: PersonalDeltas): number {
  return [spam, classes].reduce(
    (sum, table) => sum + (table === undefined ? 0 : table.keys.byteLength + table.rows.byteLength),
    0,
  )
}

function sumsOf(
  { keys, rows, width }: PersonalTable,
  terms: SparseTerms,
  of: SparseTerms,
): number[] {
  const places = Int32Array.from(terms, (term) => {
    const at = slotOf(keys, wordOfTerm(term))
    return keys[at] === 0 ? NO_ROW : at
  })
  return boundedSums(rows, { places, weights: particularWeights(terms, of) }, width)
}

/** Added to the squared length of a message's terms, so that one of common words alone teaches and learns little. */
const SQUARED_LENGTH_FLOOR = 0.02

/**
 * The weights of a message's terms, at a length (L2) of nearly 1: so a correction moves another message by what it moves its
 * own times the cosine of both at most, however much of either is particular.
 */
export function particularWeights(terms: SparseTerms, of: SparseTerms = terms): Float32Array {
  const length = Math.sqrt(squaredLength(of) + SQUARED_LENGTH_FLOOR)
  return Float32Array.from(terms, (term) => weightOfTerm(term) / length)
}

/** In the place of a term that has no row. */
export const NO_ROW = -1

/** The terms of a message by their rows. */
export interface PlacedTerms {
  /** The row of each term, or NO_ROW. Shape (terms,). */
  readonly places: Int32Array
  /** Shape (terms,). */
  readonly weights: Float32Array
}

/** What the rows of a message's terms add to each of `width` logits, each within its bounds. */
export function boundedSums(
  rows: Float32Array,
  { places, weights }: PlacedTerms,
  width: number,
): number[] {
  const sums = new Array<number>(width).fill(0)
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!
    if (place === NO_ROW) continue
    for (let c = 0; c < width; c++) {
      sums[c]! += bounded(rows[place * width + c]! * weights[i]!, TERM_SHIFT_MAX)
    }
  }
  return sums.map((sum) => bounded(sum, PERSONAL_SHIFT_MAX))
}

/** `value`, or what is nearest to it within `max` of zero. */
export function bounded(value: number, max: number): number {
  return Math.max(-max, Math.min(max, value))
}

/** Where `word` stands, or may stand. Ends: a quarter of the slots is empty. */
function slotOf(keys: Uint32Array, word: number): number {
  const mask = keys.length - 1
  // Knuth's multiplicative hash, so that neighbouring words do not crowd.
  let at = (Math.imul(word + 1, 0x9e3779b1) >>> 7) & mask
  while (keys[at] !== 0 && keys[at] !== word + 1) at = (at + 1) & mask
  return at
}

// Which of a user's corrections are behind what personal deltas add for a message.

/** A correction about spam, and the terms of the corrected message. */
export interface LearnedCorrection {
  readonly correction: NamedCorrection
  readonly terms: SparseTerms
}

/** A correction, and what the terms add that its message shares with the one judged, in log-odds. */
export interface DecidingCorrection {
  readonly correction: NamedCorrection
  readonly logit: number
}

/** Corrections that are named: nobody withdraws more at once. */
const NAMED_MAX = 3

/** The part of the whole from which a correction is named. */
const SHARE_MIN = 0.1

/**
 * The corrections with the largest part in the spam shift of a message with `terms`, the largest first; only those
 * that say what the shift says. Parts overlap, since corrected messages share terms with each other: they do not add up.
 */
export function decidingCorrections(
  deltas: PersonalDeltas,
  terms: SparseTerms,
  learned: readonly LearnedCorrection[],
): DecidingCorrection[] {
  const whole = personalShift(deltas, terms).spam
  if (whole === 0) return []
  const label = whole > 0 ? 'spam' : 'ham'
  return learned
    .filter(({ correction }) => correction.label === label)
    .map(({ correction, terms: own }) => {
      const words = new Set([...own].map(wordOfTerm))
      const shared = terms.filter((term) => words.has(wordOfTerm(term)))
      return { correction, logit: personalShift(deltas, shared, terms).spam }
    })
    .filter(({ logit }) => logit / whole >= SHARE_MIN)
    .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
    .slice(0, NAMED_MAX)
}
