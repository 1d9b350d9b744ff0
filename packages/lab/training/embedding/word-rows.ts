/**
 * What each word is made of while training: a row of its own where it is in the vocabulary, and
 * the rows of its letter groups, so that what is learned of one word holds for those spelled
 * alike: of other endings, and to some degree of other languages.
 */
import {
  GROUPS,
  RUNS_PART,
  STEM_PART,
  WORD_GROUPS_MAX,
} from '../../../mail/embedding/vocabulary.ts'
import { groupsOf, groupWeight, type WordCounts, wordWeight } from './word-shares.ts'

/** Words with a row of their own: with the letter groups a table of 6 MB. */
const VOCABULARY_SIZE = 22_500

/**
 * Words as common as this in some language come first, whatever their count: without a row of
 * their own they would weigh as much as any word that was never met.
 */
const COMMON_SHARE_MIN = 7e-5

/** Part of a word's length that its own row has at first; the rest is that of its letter groups. */
const OWN_PART = 0.3

/** The sum of words times rows that the training works with, in shared memory. */
export interface WordRows {
  /** Rows in all: letter groups, then the vocabulary. */
  readonly rows: number
  /** Where the rows of each word begin, and at last where they end. Shape (words + 1,). */
  readonly starts: Int32Array
  readonly numbers: Int32Array
  /** What each row is multiplied by, in step with `numbers`. */
  readonly coefficients: Float32Array
}

/** The words with a row of their own: the common ones, then the most frequent of WordNet and written mail. */
export function chooseVocabulary(words: readonly string[], counts: WordCounts): number[] {
  const { wordShares, publicCounts } = counts
  const isCommon = (number: number) => wordShares[number]! >= COMMON_SHARE_MIN
  const candidates = [...words.keys()].filter((number) => publicCounts[number]! > 0)
  return candidates
    .sort(
      (a, b) =>
        Number(isCommon(b)) - Number(isCommon(a)) || publicCounts[b]! - publicCounts[a]! || a - b,
    )
    .slice(0, VOCABULARY_SIZE)
}

export function wordRows(
  words: readonly string[],
  vocabulary: readonly number[],
  counts: WordCounts,
): WordRows {
  const rowOf = new Map(vocabulary.map((number, index) => [number, GROUPS + index]))
  const starts = new Int32Array(new SharedArrayBuffer(4 * (words.length + 1)))
  const numbers: number[] = []
  const coefficients: number[] = []
  const groups = new Int32Array(WORD_GROUPS_MAX)
  words.forEach((text, number) => {
    const own = rowOf.get(number)
    const weight = own === undefined ? 1 : wordWeight(counts.wordShares[number]!)
    const ownPart = own === undefined ? 0 : OWN_PART
    const groupsPart = Math.sqrt(1 - ownPart ** 2)
    const runs = groupsOf(text, groups) - 1
    for (let i = 0; i <= runs; i++) {
      const part = groupsPart * (i < runs ? RUNS_PART / Math.sqrt(runs) : STEM_PART)
      numbers.push(groups[i]!)
      coefficients.push(weight * part * groupWeight(counts.groupShares[groups[i]!]!))
    }
    if (own !== undefined) {
      numbers.push(own)
      coefficients.push(weight * ownPart)
    }
    starts[number + 1] = numbers.length
  })
  return { rows: GROUPS + vocabulary.length, starts, ...shared(numbers, coefficients) }
}

function shared(numbers: readonly number[], coefficients: readonly number[]) {
  const sharedNumbers = new Int32Array(new SharedArrayBuffer(4 * numbers.length))
  const sharedCoefficients = new Float32Array(new SharedArrayBuffer(4 * numbers.length))
  sharedNumbers.set(numbers)
  sharedCoefficients.set(coefficients)
  return { numbers: sharedNumbers, coefficients: sharedCoefficients }
}
