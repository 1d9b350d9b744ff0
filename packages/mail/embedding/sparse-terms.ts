/**
 * The words of a message themselves, as far as they tell it from others. What an embedding blurs
 * (names, numbers, odd words) is exact here; and since no model is involved, messages can be compared
 * that were embedded by different models.
 */
import { FUNCTION_WORDS } from '../signals/function-words.ts'
import { PASSAGE_LENGTH_MAX, PASSAGE_WEIGHTS, PASSAGES, type Passages } from './passages.ts'
import { wordHash } from './vocabulary.ts'
import { readWords, word } from './words.ts'

/**
 * The terms of a message, packed: 24 bits of hash above 8 bits of value, ascending, no hash twice, at
 * most TERMS_MAX; four bytes per term. They are stored and compared in this form.
 */
export type SparseTerms = Uint32Array

/** About the words of a page; a longer text keeps those that weigh most. */
export const TERMS_MAX = 256

const VALUE_BITS = 8
const VALUE_MAX = 255

/** The kinds of words and their weights: little for words that every text has, half for those that stand for many things. */
const OTHER_WORD = 0
const FUNCTION_WORD = 1
const NUMBER = 2
const SHORT_WORD = 3
const KIND_WEIGHTS = [1, 0.1, 0.5, 0.5] as const

/** One occurrence, in a number that holds both a count and a kind. */
const COUNT_ONE = KIND_WEIGHTS.length

const SHORT_WORD_LENGTH_MAX = 2

const DIGIT_ZERO = 0x30
const DIGIT_NINE = 0x39

const FUNCTION_WORD_TERMS = functionWordTerms()

function functionWordTerms(): ReadonlySet<number> {
  const terms = new Set<number>()
  for (const list of Object.values(FUNCTION_WORDS)) {
    readWords(list, 2 * list.length, () => {
      terms.add(wordHash() >>> VALUE_BITS)
      return true
    })
  }
  return terms
}

/** The TERMS_MAX terms of a message's passages that weigh most. */
export function termsOf(passages: Passages): SparseTerms {
  const weights = new Map<number, number>()
  for (const passage of PASSAGES) {
    const counts = countTerms(passages[passage], PASSAGE_LENGTH_MAX[passage])
    addPassage(weights, counts, PASSAGE_WEIGHTS[passage])
  }
  const kept = weights.size <= TERMS_MAX ? weights : heaviest(weights)
  let largest = 0
  for (const weight of kept.values()) largest = Math.max(largest, weight)
  const packed = new Uint32Array(kept.size)
  let count = 0
  for (const [term, weight] of kept) packed[count++] = pack(term, weight / largest)
  return packed.sort()
}

function heaviest(weights: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const descending = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  return new Map(descending.slice(0, TERMS_MAX))
}

/** Cosine of two messages' terms, in [0, 1]; 0 where one has none. */
export function sparseSimilarity(a: SparseTerms, b: SparseTerms): number {
  let sum = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i]! >>> VALUE_BITS
    const right = b[j]! >>> VALUE_BITS
    if (left === right) sum += (a[i]! & VALUE_MAX) * (b[j]! & VALUE_MAX)
    if (left <= right) i++
    if (right <= left) j++
  }
  return sum === 0 ? 0 : sum / Math.sqrt(squaredLength(a) * squaredLength(b))
}

function squaredLength(terms: SparseTerms): number {
  let sum = 0
  for (const term of terms) sum += (term & VALUE_MAX) ** 2
  return sum
}

/** For each term in the first `lengthMax` code units of `text` its kind, plus COUNT_ONE for each occurrence. */
function countTerms(text: string, lengthMax: number): Map<number, number> {
  const counts = new Map<number, number>()
  readWords(text, lengthMax, () => {
    const term = wordHash() >>> VALUE_BITS
    counts.set(term, (counts.get(term) ?? kindOfWord(term)) + COUNT_ONE)
    return true
  })
  return counts
}

/** The index in KIND_WEIGHTS for the word in the buffer `word`. */
function kindOfWord(term: number): number {
  if (FUNCTION_WORD_TERMS.has(term)) return FUNCTION_WORD
  if (isNumber()) return NUMBER
  return word.length <= SHORT_WORD_LENGTH_MAX ? SHORT_WORD : OTHER_WORD
}

function isNumber(): boolean {
  for (let i = 0; i < word.length; i++) {
    if (word.units[i]! < DIGIT_ZERO || word.units[i]! > DIGIT_NINE) return false
  }
  return true
}

/** Adds the terms of one passage, as a vector of length `weight`; a word that occurs nine times counts as three. */
function addPassage(
  into: Map<number, number>,
  counts: ReadonlyMap<number, number>,
  weight: number,
): void {
  let squares = 0
  for (const counted of counts.values()) squares += termValue(counted) ** 2
  const factor = squares === 0 ? 0 : weight / Math.sqrt(squares)
  for (const [term, counted] of counts) {
    into.set(term, (into.get(term) ?? 0) + factor * termValue(counted))
  }
}

function termValue(counted: number): number {
  return KIND_WEIGHTS[counted % COUNT_ONE]! * Math.sqrt(Math.floor(counted / COUNT_ONE))
}

function pack(term: number, value: number): number {
  return ((term << VALUE_BITS) | Math.max(1, Math.round(VALUE_MAX * value))) >>> 0
}
