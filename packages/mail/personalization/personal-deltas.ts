/**
 * What a user's own corrections add to the models for that user, beside rules and memory: a small sparse
 * linear model over the terms of messages (learning/personal-training.ts). Nobody else's mail is judged by
 * it, so a malicious account reaches nobody but itself.
 */
import { type SparseTerms, weightOfTerm, wordOfTerm } from '../embedding/sparse-terms.ts'
import { CLASSES } from '../models/prediction.ts'

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
  /** The version of the models that they are added to. */
  readonly modelsVersion: string
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

/** The table of rows of `width` weights by the word of a term. */
export function personalTable(
  weights: ReadonlyMap<number, Float32Array>,
  width: number,
): PersonalTable {
  const kept = largest(weights)
  const length = 2 ** Math.ceil(Math.log2(kept.length / LOAD_MAX + 1))
  const keys = new Uint32Array(length)
  const rows = new Float32Array(length * width)
  for (const [word, row] of kept) {
    const at = slotOf(keys, word)
    keys[at] = word + 1
    rows.set(row, at * width)
  }
  return { keys, rows, width }
}

/** The rows that are not zero, those with the largest number if there are too many. */
function largest(weights: ReadonlyMap<number, Float32Array>): [number, Float32Array][] {
  const sizeOf = (row: Float32Array) => row.reduce((max, each) => Math.max(max, Math.abs(each)), 0)
  const rows = [...weights].filter(([, row]) => sizeOf(row) > 0)
  if (rows.length <= PERSONAL_TERMS_MAX) return rows
  return rows
    .sort((a, b) => sizeOf(b[1]) - sizeOf(a[1]) || a[0] - b[0])
    .slice(0, PERSONAL_TERMS_MAX)
}

/** What `deltas` add for a message with these terms. */
export function personalShift({ spam, classes }: PersonalDeltas, terms: SparseTerms): PersonalShift {
  const [spamShift = 0] = spam === undefined ? [] : sumsOf(spam, terms)
  return {
    spam: spamShift,
    classes: classes === undefined ? CLASSES.map(() => 0) : sumsOf(classes, terms),
  }
}

/** About what they take up, in bytes. */
export function personalBytes({ spam, classes }: PersonalDeltas): number {
  return [spam, classes].reduce(
    (sum, table) => sum + (table === undefined ? 0 : table.keys.byteLength + table.rows.byteLength),
    0,
  )
}

function sumsOf({ keys, rows, width }: PersonalTable, terms: SparseTerms): number[] {
  const rowOf = (word: number) => {
    const at = slotOf(keys, word)
    return keys[at] === 0 ? undefined : rows.subarray(at * width, (at + 1) * width)
  }
  return addedBy({ get: rowOf }, terms, width)
}

/** What the rows add to each of `width` logits of a message with these terms, each within its bounds. */
export function addedBy(
  rows: { get(word: number): Float32Array | undefined },
  terms: SparseTerms,
  width: number,
): number[] {
  const sums = new Array<number>(width).fill(0)
  for (const term of terms) {
    const row = rows.get(wordOfTerm(term))
    if (row === undefined) continue
    const weight = weightOfTerm(term)
    for (let c = 0; c < width; c++) sums[c]! += bounded(row[c]! * weight, TERM_SHIFT_MAX)
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
