/**
 * How common words and letter groups are: of all the words of a text, which share is this one?
 * What is common says little and weighs little: a / (a + share), smooth inverse frequency.
 * Arora et al., A Simple but Tough-to-Beat Baseline for Sentence Embeddings (ICLR 2017).
 *
 * A word counts as common where any language has it so: with all languages in one pot, the
 * articles of those with little text would pass for rare words.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GROUPS, readGroups, WORD_GROUPS_MAX } from '../../../mail/embedding/vocabulary.ts'
import { readWords, wordsOf } from '../../../mail/embedding/words.ts'
import { FUNCTION_WORDS } from '../../../mail/signals/function-words.ts'
import type { MailText } from './mail-texts.ts'
import type { Synset } from './material.ts'
import type { WordNumbers } from './texts.ts'

/** a of words: a share of 0.2 % halves a word's weight. */
const WORD_HALF_SHARE = 2e-3

/** a of letter groups, of which every word brings several. */
const GROUP_HALF_SHARE = 3e-3

/** Characters of a message that are counted. */
const TEXT_LENGTH_MAX = 1_500

/** Words counted in with the texts of each language but English, so that a word met once is not taken for a common one. */
const SMOOTHING_WORDS = 2_000
const SMOOTHING_GROUPS = 10_000

/** The share of the words that function-words.ts lists, which is in no order. */
const FUNCTION_WORD_SHARE = 0.01

/**
 * The most common words of languages of which the corpora have little, most common first: our own
 * lists. Counting alone would take 'einem' or 'había' for rare words there, and weigh them as such.
 */
const COMMON_WORDS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../data/embedding/common-words.json'), 'utf8'),
)

/** The share of the word at a rank of COMMON_WORDS: a fifth over rank, about as Zipf's law has it. */
const ZIPF_SHARE = 0.2
const ZIPF_RANK_OFFSET = 4

/** A listed word counts as met this often, so that it is in the vocabulary even where no text has it. */
const LISTED_COUNT = 2

export interface WordCounts {
  /** Largest share of each word in any language. Shape (words,). */
  readonly wordShares: Float64Array
  /** Largest share of each letter group. Shape (GROUPS,). */
  readonly groupShares: Float64Array
  /** How often each word stands in WordNet, the written mail and our lists: no real person's words. Shape (words,). */
  readonly publicCounts: Float64Array
}

/** Words in [0, 1]: 1 for one that is never met. */
export function wordWeight(share: number): number {
  return WORD_HALF_SHARE / (WORD_HALF_SHARE + share)
}

export function groupWeight(share: number): number {
  return GROUP_HALF_SHARE / (GROUP_HALF_SHARE + share)
}

/** Counts words in WordNet, in the received mail and in the written mail of each language. */
export function countWords(
  synsets: readonly Synset[],
  mail: readonly MailText[],
  numbers: WordNumbers,
): WordCounts {
  const wordNet = countTexts(numbers, synsets.map(glossesOf))
  const languages = languagesOf(mail).map((language) => {
    const texts = mail.filter((message) => isCounted(message, language)).map(textOf)
    return { language, counts: countTexts(numbers, texts) }
  })
  const written = countTexts(numbers, mail.filter(({ source }) => source === 'written').map(textOf))
  const listed = listedShares(numbers)
  const counts = [{ language: 'en', counts: wordNet }, ...languages]
  const wordShares = new Float64Array(numbers.words.length)
  const groupShares = new Float64Array(GROUPS)
  for (const { language, counts: found } of counts) {
    raise(wordShares, found, language === 'en' ? 0 : SMOOTHING_WORDS)
    raise(groupShares, groupCounts(numbers, found), language === 'en' ? 0 : SMOOTHING_GROUPS)
  }
  const publicCounts = new Float64Array(numbers.words.length)
  for (const found of [wordNet, written]) {
    found.forEach((count, number) => {
      publicCounts[number]! += count
    })
  }
  for (const [number, share] of listed) {
    wordShares[number] = Math.max(wordShares[number]!, share)
    publicCounts[number]! += LISTED_COUNT
  }
  return { wordShares, groupShares, publicCounts }
}

/** Enron's mail is of one company, and set apart by its tokenisation. */
function isCounted({ source, language }: MailText, wanted: string): boolean {
  return source !== 'enron' && language === wanted
}

function languagesOf(mail: readonly MailText[]): string[] {
  return [...new Set(mail.map(({ language }) => language))].sort()
}

function glossesOf({ definitions, examples }: Synset): string {
  return [...definitions, ...examples].join(' ')
}

function textOf({ subject, text }: MailText): string {
  return `${subject} ${text}`
}

/** How often each word stands in `texts`, by its number. */
function countTexts(numbers: WordNumbers, texts: readonly string[]): number[] {
  const counts: number[] = []
  for (const text of texts) {
    for (const found of wordsOf(text, TEXT_LENGTH_MAX)) {
      const number = numbers.numberOf(found)
      counts[number] = (counts[number] ?? 0) + 1
    }
  }
  return counts
}

/** How often each letter group stands in words that are as common as `counts` says. */
function groupCounts(numbers: WordNumbers, counts: readonly number[]): number[] {
  const found = new Array<number>(GROUPS).fill(0)
  const groups = new Int32Array(WORD_GROUPS_MAX)
  counts.forEach((count, number) => {
    const length = groupsOf(numbers.words[number]!, groups)
    for (let i = 0; i < length; i++) found[groups[i]!]! += count
  })
  return found
}

/** Writes the letter groups of `text`, one word, to `into`, its stem last; gives how many there are. */
export function groupsOf(text: string, into: Int32Array): number {
  let count = 0
  readWords(text, text.length, () => {
    count = readGroups(into, 0)
    return false
  })
  return count
}

function raise(shares: Float64Array, counts: readonly number[], smoothing: number): void {
  const total = counts.reduce((sum, count) => sum + count, smoothing)
  counts.forEach((count, index) => {
    shares[index] = Math.max(shares[index]!, count / total)
  })
}

/** Shares of the words in our own lists. */
function listedShares(numbers: WordNumbers): Map<number, number> {
  const shares = new Map<number, number>()
  const set = (text: string, share: number) => {
    const number = numbers.numberOf(text)
    shares.set(number, Math.max(shares.get(number) ?? 0, share))
  }
  for (const list of Object.values(FUNCTION_WORDS)) {
    for (const text of wordsOf(list, list.length * 2)) set(text, FUNCTION_WORD_SHARE)
  }
  for (const list of Object.values(COMMON_WORDS)) {
    wordsOf(list, list.length * 2).forEach((text, rank) => {
      set(text, ZIPF_SHARE / (rank + ZIPF_RANK_OFFSET))
    })
  }
  return shares
}
