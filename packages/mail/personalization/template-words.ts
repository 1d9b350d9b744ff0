/**
 * Hashes of the words of a text that stay the same when a campaign goes to another recipient or out on
 * another day: without words that hold a digit, name a month or a day, address the recipient, or belong
 * to a link or an address.
 *
 * Accents and look-alike letters are left as they are: copies of one campaign share them.
 */
import { readLists } from '../data-table.ts'
import { hashSeed, hashUnit } from '../features/hashing.ts'

const WORD_SEED = hashSeed('template word ')

/** Letters in code units: a to z and all beyond ASCII but the signs of Latin-1, spaces, dashes, quotation marks, and what is a word by itself. */
const LETTERS = 'a-z\u00c0-\u0dff\u0f00-\u1fff\u2070-\u2fff\ua000-\uffff'

/** Thai to Khmer, kana and CJK ideographs: where no spaces separate words, each character is a word. */
const ALONE = '\u0e00-\u0eff\u3040-\u9fff'

/** A link or an address with what is joined to it, a word, or a character that is one. */
const TOKEN = new RegExp(
  `[${LETTERS}0-9]*(?:://|@(?=[^\\x00-\\x20]))[^\\x00-\\x20]*|[${LETTERS}0-9]+|[${ALONE}]`,
  'g',
)

/** Hashes of the words of `text`, in order, except those in `skipped`. */
export function templateWords(text: string, skipped: readonly number[]): number[] {
  return wordsOf(text).filter((hash) => !DATE_WORDS.has(hash) && !skipped.includes(hash))
}

/** Hashes of the words of `text`, at most `count`, for templateWords to skip. */
export function skippedWords(text: string, count: number): number[] {
  return wordsOf(text).slice(0, count)
}

function wordsOf(text: string): number[] {
  const tokens = text.toLowerCase().match(TOKEN) ?? []
  return tokens.filter((token) => !/[0-9]|:\/\/|@/.test(token)).map(hashOf)
}

function hashOf(word: string): number {
  let hash = WORD_SEED
  for (let at = 0; at < word.length; at++) hash = hashUnit(hash, word.charCodeAt(at))
  return hash
}

const DATE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const

/** Months, days of the week and other words in dates. */
const DATE_WORDS: ReadonlySet<number> = new Set(
  Object.values(readLists(new URL('date-words.tsv', import.meta.url), DATE_LANGUAGES)).flatMap(
    (names) => skippedWords([...names].join(' '), names.size),
  ),
)
