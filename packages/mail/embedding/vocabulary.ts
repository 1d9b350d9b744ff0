/**
 * The words that have a vector of their own, and the letter groups that stand in for any other word:
 * its runs of three letters, with marks for its two ends ('<wo', 'wor', 'ord', 'rd>'), and its first
 * four letters, which are most often its stem. A group's vector stands at the group's hash.
 * Bojanowski et al., Enriching Word Vectors with Subword Information (TACL 2017).
 */
import { WORD_LENGTH_MAX, word } from './words.ts'

/** Letter groups share 2^13 vectors: more did not improve the embedding (packages/lab/reports/embedding). */
const GROUP_BITS = 13
export const GROUPS = 1 << GROUP_BITS

/** Letters taken as a word's stem: a guess that needs no knowledge of the language. */
const STEM_LENGTH = 4

/** Groups of the longest word. */
export const WORD_GROUPS_MAX = WORD_LENGTH_MAX + 1

/** What the runs of three and the stem contribute to the length of a word's vector: their squares add up to 1. */
export const RUNS_PART = 0.866
export const STEM_PART = 0.5

const FNV_PRIME = 0x01000193
const FNV_OFFSET = 0x811c9dc5
/** The start value for hashing stems, so that a stem of three letters differs from the run of the same letters. */
const STEM_OFFSET = 0x2f0b4c47

const WORD_START = 0x3c
const WORD_END = 0x3e

/** Plain shared memory, so that every thread uses one copy. */
export interface Vocabulary {
  readonly size: number
  /** Code units of all words one after the other. */
  readonly units: Uint16Array
  /** Where the units of each word begin, and as the last element where they end. Shape (size + 1,). */
  readonly starts: Uint32Array
  /** Open-addressed table, its length a power of two: the number of a word plus one, 0 where free. */
  readonly slots: Int32Array
}

export function vocabularyOf(words: readonly string[]): Vocabulary {
  const units = new Uint16Array(new SharedArrayBuffer(2 * words.join('').length))
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (words.length + 1)))
  // Four places for a word: a search ends after one or two.
  const places = 1 << Math.ceil(Math.log2(4 * words.length + 1))
  const slots = new Int32Array(new SharedArrayBuffer(4 * places))
  let end = 0
  words.forEach((text, index) => {
    for (let i = 0; i < text.length; i++) units[end++] = text.charCodeAt(i)
    starts[index + 1] = end
    let slot = hashOf(units, starts[index]!, end) & (places - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (places - 1)
    slots[slot] = index + 1
  })
  return { size: words.length, units, starts, slots }
}

/** The number of the word in the buffer `word`; -1 for a word that is not in the vocabulary. */
export function findWord({ units, starts, slots }: Vocabulary): number {
  const mask = slots.length - 1
  let slot = hashOf(word.units, 0, word.length) & mask
  for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
    if (isWordAt(units, starts[entry - 1]!, starts[entry]!)) return entry - 1
    slot = (slot + 1) & mask
  }
  return -1
}

/**
 * Writes the numbers of the letter groups of `word` to `into`, from `at` on: its runs of three,
 * as many as it has letters, and then its stem. Returns how many there are.
 */
export function readGroups(into: Int32Array, at: number): number {
  const { units, length } = word
  for (let i = 0; i < length; i++) {
    let hash = mix(FNV_OFFSET, i === 0 ? WORD_START : units[i - 1]!)
    hash = mix(hash, units[i]!)
    hash = mix(hash, i === length - 1 ? WORD_END : units[i + 1]!)
    into[at + i] = groupOf(hash)
  }
  let hash = STEM_OFFSET
  for (let i = 0; i < Math.min(STEM_LENGTH, length); i++) hash = mix(hash, units[i]!)
  into[at + length] = groupOf(hash)
  return length + 1
}

function groupOf(hash: number): number {
  return finished(hash) >>> (32 - GROUP_BITS)
}

function isWordAt(units: Uint16Array, start: number, end: number): boolean {
  if (end - start !== word.length) return false
  for (let i = start; i < end; i++) if (units[i] !== word.units[i - start]) return false
  return true
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = FNV_OFFSET
  for (let i = start; i < end; i++) hash = mix(hash, units[i]!)
  return finished(hash)
}

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, FNV_PRIME)
}

/** Mixes the bits once more: FNV-1a leaves the high bits of short strings poorly spread. */
function finished(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0
}
