/**
 * Hashes of the words of a text that stay the same when a campaign goes to another recipient or out on
 * another day: without words that hold a digit, name a month or a day, address the recipient, or belong
 * to a link or an address.
 *
 * They are read in one pass without a string per word, since every message needs them. Accents and
 * look-alike letters are left as they are: copies of one campaign share them.
 */
import { readLists } from '../data-table.ts'
import { hashSeed, hashUnit } from '../features/hashing.ts'

const WORD_SEED = hashSeed('template word ')

const COLON = 0x3a
const SLASH = 0x2f
const AT = 0x40
const SPACE = 0x20

/** What a code unit is in a text: a break between words, part of a word, a digit in a word, or a word by itself. */
const BREAK = 0
const LETTER = 1
const DIGIT = 2
const ALONE = 3

const KINDS: Uint8Array = new Uint8Array(0x10000).map((_, unit) => kindOf(unit))

/** The kind of a code unit. Everything but ASCII is a letter, except signs of Latin-1, spaces, dashes and quotation marks. */
function kindOf(unit: number): number {
  if (unit < 0x80) return asciiKind(String.fromCharCode(unit))
  if (unit < 0xc0 || (unit >= 0x2000 && unit <= 0x206f) || (unit >= 0x3000 && unit <= 0x303f)) {
    return BREAK
  }
  return isUnspaced(unit) ? ALONE : LETTER
}

function asciiKind(character: string): number {
  if (/[a-z]/.test(character)) return LETTER
  return /[0-9]/.test(character) ? DIGIT : BREAK
}

/** Thai to Khmer, kana and CJK ideographs: where no spaces separate words, each character is a word. */
function isUnspaced(unit: number): boolean {
  return (unit >= 0x0e00 && unit <= 0x0eff) || (unit >= 0x3040 && unit <= 0x9fff)
}

/** Hashes of the words of `text`, in order, except those in `skipped`. */
export function templateWords(text: string, skipped: readonly number[]): number[] {
  const words: number[] = []
  forEachWord(text.toLowerCase(), (hash) => {
    if (!DATE_WORDS.has(hash) && !skipped.includes(hash)) words.push(hash)
  })
  return words
}

/** Hashes of the words of `text`, at most `count`, for templateWords to skip. */
export function skippedWords(text: string, count: number): number[] {
  const words: number[] = []
  forEachWord(text.toLowerCase(), (hash) => {
    if (words.length < count) words.push(hash)
  })
  return words
}

function forEachWord(text: string, onWord: (hash: number) => void): void {
  let hash = WORD_SEED
  let hasDigit = false
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : SPACE
    const kind = KINDS[unit]!
    if (kind === LETTER) {
      hash = hashUnit(hash, unit)
      continue
    }
    if (kind === DIGIT) {
      hasDigit = true
      continue
    }
    if (startsAddress(text, at, unit)) at = endOfAddress(text, at)
    else if (hash !== WORD_SEED && !hasDigit) onWord(hash)
    if (kind === ALONE) onWord(hashUnit(WORD_SEED, unit))
    hash = WORD_SEED
    hasDigit = false
  }
}

/** True at '://', and at an '@' with something after it. */
function startsAddress(text: string, at: number, unit: number): boolean {
  if (unit === COLON) return text.charCodeAt(at + 1) === SLASH && text.charCodeAt(at + 2) === SLASH
  return unit === AT && text.charCodeAt(at + 1) > SPACE
}

function endOfAddress(text: string, at: number): number {
  let end = at
  while (end < text.length && text.charCodeAt(end) > SPACE) end++
  return end
}

const DATE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const

/** Months, days of the week and other words in dates. */
const DATE_WORDS: ReadonlySet<number> = new Set(
  Object.values(readLists(new URL('date-words.tsv', import.meta.url), DATE_LANGUAGES)).flatMap(
    (names) => skippedWords([...names].join(' '), names.size),
  ),
)
