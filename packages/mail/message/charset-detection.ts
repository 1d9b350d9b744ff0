/**
 * Tells the charset of bytes whose label is absent, unknown or wrong.
 *
 * Each candidate explains the same bytes as letters of one language, at a cost: the bits that such
 * letters take by their frequency (letter-frequencies.tsv). Letters of two alphabets in one word, a
 * capital after a small letter and a symbol before a letter cost extra. The candidate that needs the
 * fewest bits wins; a declared charset has a start that only some ten letters overcome. This is naive
 * Bayes, as in the detectors of Mozilla (Li and Momoi, 2001).
 *
 * Only the bytes beyond ASCII are looked at, with their neighbours, as far as SAMPLE_BYTES.
 *
 * Measured on the half of the written mail that no letters were counted in, re-encoded: without a label
 * 1,239 of 1,240 bodies in Russian, Ukrainian, Bulgarian, Greek, Hebrew, Arabic, Thai, Chinese, Japanese
 * and Korean are read as they were written, and 98.5 % of 1,185 in Latin alphabets; called ISO-8859-1,
 * 99.9 and 90.8 %. Of Subjects, which are short, 97.0 and 83.5 % without a label.
 */
import { oneOf, readTable, requiredText } from '../data-table.ts'
import { CODE_PAGES } from './charset-labels.ts'

const LETTERS: ReadonlyMap<string, string> = new Map(
  readTable(
    new URL('letter-frequencies.tsv', import.meta.url),
    { language: requiredText, letters: requiredText },
    { unique: 'language' },
  ).map(({ language, letters }) => [language, letters]),
)

/** Bytes looked at: two hundred letters are told apart without an error, more would only take longer. */
const SAMPLE_BYTES = 512

/** Bytes in which those of a sample are looked for. Stops a single letter at the end of a long text from costing more. */
const SEARCHED_BYTES = 64 * 1024

/** Costs are in eighths of a bit, so that a table of them is of bytes. */
const BIT = 8

/** What any character of ASCII costs: a letter of English takes some 4.5 bits. */
const ASCII_COST = 4.5 * BIT

/** For a byte that stands for no character, or for a control character. */
const INVALID_COST = 31 * BIT

/** What a declared charset needs less than another. */
const DECLARED_COST = 24 * BIT

/** Another than the declared charset must need so much less for the same bytes. */
const DOUBT_FACTOR = 0.87

/** Bytes beyond ASCII that say something against a declared charset. */
const DOUBTING_BYTES = 4

/**
 * A byte beyond ASCII that costs more is no letter of such words: a candidate is left out where this is
 * the mean. In Latin alphabets, where letters beyond ASCII stand alone, each costs more.
 */
const LETTER_COST_MAX = 8 * BIT
const LATIN_LETTER_COST_MAX = 11 * BIT

interface Candidate {
  readonly charset: string
  /** 'any' where nothing is known of what is written in the charset. */
  readonly language: string
  /** Bits before the first letter: the rarer in mail without a label, the more. */
  readonly prior: number
}

/** The charset in which bytes are read that nothing explains. */
export const DEFAULT_CHARSET = 'windows-1252'

const CANDIDATES: readonly Candidate[] = readTable(
  new URL('charset-candidates.tsv', import.meta.url),
  { charset: requiredText, language: oneOf(...LETTERS.keys()), prior: Number },
)

/** The candidate that reads what the charset of that name reads. */
const READ_BY: Readonly<Record<string, string>> = {
  gbk: 'gb18030',
  'iso-8859-8': 'windows-1255',
  'iso-8859-8-i': 'windows-1255',
}

/** What senders who name the first mean by bytes that are no letters in it. */
const EXTENDED_BY: Readonly<Record<string, string>> = {
  'iso-8859-2': 'windows-1250',
  'koi8-r': 'koi8-u',
}

/**
 * The charset of `bytes`, as TextDecoder names it: `declared`, '' for none, unless they say otherwise.
 * Not for UTF-8, UTF-16 and charsets of seven bits, which can be told without a language.
 */
export function detectCharset(bytes: Buffer, declared: string): string {
  const sample = sampleOf(bytes)
  if (declared !== '' && sample.highBytes < DOUBTING_BYTES) return declared
  if (sample.highBytes < 2) return DEFAULT_CHARSET
  const claim = READ_BY[declared] ?? declared
  const best = bestOf(sample, claim, CANDIDATES)
  if (declared === '') return best.charset
  const claimed = bestOf(sample, claim, candidatesOf(claim)).cost
  const isLess = best.cost + DECLARED_COST < claimed && best.cost < DOUBT_FACTOR * claimed
  if (isLess && best.charset !== claim) return best.charset
  const extended = EXTENDED_BY[declared]
  if (extended === undefined) return declared
  return bestOf(sample, extended, candidatesOf(extended)).cost < claimed ? extended : declared
}

/** Whether `bytes` are letters in that charset, of two bytes frequent ones. */
export function areLikelyLetters(bytes: Buffer, charset: string): boolean {
  const sample = sampleOf(bytes)
  const claim = READ_BY[charset] ?? charset
  const candidates = candidatesOf(claim)
  const isPairs = 'pairs' in readerOf(candidates[0]!)
  const costMax = sample.highBytes * (isPairs ? FREQUENT_PAIR_COST_MAX : LETTER_COST_MAX)
  return bestOf(sample, claim, candidates).cost < costMax
}

/** What a byte of a frequent letter of two bytes costs at most: of the first eight hundred. */
const FREQUENT_PAIR_COST_MAX = 6.2 * BIT

/** The candidate that needs the fewest bits, and how many beyond those of ASCII. */
function bestOf(sample: Sample, claim: string, candidates: readonly Candidate[]) {
  let charset = DEFAULT_CHARSET
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const isClaim = candidate.charset === claim
    const prior = isClaim ? 0 : candidate.prior * BIT
    const reader = readerOf(candidate)
    const limit = isClaim ? least : Math.min(least - prior, textCostMax(sample, reader))
    const cost = costOf(sample, reader, limit)
    if (cost < limit) {
      charset = candidate.charset
      least = prior + cost
    }
  }
  return { charset, cost: least - sample.asciiCost }
}

/** What the sample costs at most where it is text that `reader` reads. */
function textCostMax({ highBytes, asciiCost }: Sample, reader: Reader): number {
  const isLatin = 'transitions' in reader && reader.transitions === LATIN_TRANSITIONS
  return asciiCost + highBytes * (isLatin ? LATIN_LETTER_COST_MAX : LETTER_COST_MAX)
}

/** Those of that charset, or one of any language. */
function candidatesOf(charset: string): readonly Candidate[] {
  const made = candidates.get(charset)
  if (made !== undefined) return made
  const known = CANDIDATES.filter((candidate) => candidate.charset === charset)
  const found: Candidate[] = known.length > 0 ? known : [{ charset, language: 'any', prior: 0 }]
  candidates.set(charset, found)
  return found
}

const candidates = new Map<string, readonly Candidate[]>()

interface Sample {
  /** Bytes beyond ASCII, each with up to two after and one before it; a space where others are left out. */
  readonly bytes: Uint8Array
  readonly highBytes: number
  readonly asciiCost: number
}

function sampleOf(bytes: Buffer): Sample {
  const sample = new Uint8Array(Math.min(4 * bytes.length, SAMPLE_BYTES))
  const end = Math.min(bytes.length, SEARCHED_BYTES)
  let length = 0
  let highBytes = 0
  let taken = 0
  for (let at = 0; at < end && length + 5 <= sample.length; at++) {
    if (bytes[at]! < 0x80) continue
    if (taken < at) {
      if (taken < at - 1) sample[length++] = SPACE
      sample[length++] = bytes[at - 1]!
    }
    const stop = Math.min(at + 3, bytes.length)
    for (taken = Math.max(taken, at); taken < stop; taken++) {
      const byte = bytes[taken]!
      if (byte >= 0x80) highBytes++
      sample[length++] = byte
    }
  }
  const asciiCost = (length - highBytes) * ASCII_COST
  return { bytes: sample.subarray(0, length), highBytes, asciiCost }
}

const SPACE = 0x20

/** How a candidate reads bytes; made at its first use. */
type Reader = LetterReader | PairReader

interface LetterReader {
  readonly costs: Uint8Array
  readonly kinds: Uint8Array
  /** By the kind of one byte and that of the next. */
  readonly transitions: Uint8Array
}

/** Letters of two bytes, by the first byte times 256 and the second. */
interface PairReader {
  readonly pairs: Uint8Array
  readonly single: Uint8Array
  readonly charset: string
}

const readers = new Map<Candidate, Reader>()

function readerOf(candidate: Candidate): Reader {
  const made = readers.get(candidate)
  if (made !== undefined) return made
  const { charset, language } = candidate
  const reader =
    language !== 'any' && Object.hasOwn(PAIR_LANGUAGES, language)
      ? pairReader(charset, language)
      : letterReader(charset, language)
  readers.set(candidate, reader)
  return reader
}

/** What the sample costs `reader`, or any number above `limit`. */
function costOf({ bytes }: Sample, reader: Reader, limit: number): number {
  return 'pairs' in reader ? costOfPairs(bytes, reader, limit) : costOfLetters(bytes, reader, limit)
}

function costOfLetters(bytes: Uint8Array, reader: LetterReader, limit: number): number {
  const { costs, kinds, transitions } = reader
  let cost = 0
  let kind = GAP
  for (let at = 0; at < bytes.length && cost < limit; at++) {
    const byte = bytes[at]!
    // A row of one byte is a line or a border.
    if (byte === bytes[at - 1] && byte === bytes[at - 2]) continue
    const next = kinds[byte]!
    cost += costs[byte]! + transitions[kind * KINDS + next]!
    kind = next
  }
  return cost
}

function costOfPairs(bytes: Uint8Array, reader: PairReader, limit: number): number {
  const { pairs, single, charset } = reader
  let cost = 0
  let afterLetter = false
  let afterPair = false
  for (let at = 0; at < bytes.length && cost < limit; at++) {
    const byte = bytes[at]!
    if (byte < 0x80) {
      afterLetter = isAsciiLetter(byte)
      cost += afterLetter && afterPair ? ASCII_COST + BESIDE_ASCII_COST : ASCII_COST
      afterPair = false
      continue
    }
    const pair = at + 1 < bytes.length ? pairs[byte * 256 + bytes[at + 1]!]! : 0
    const longer = pair > 0 ? 0 : longerLength(charset, bytes, at)
    if (pair > 0) cost += pair
    else cost += longer > 0 ? RARE_CHARACTER_COST : single[byte]!
    if (afterLetter) cost += BESIDE_ASCII_COST
    at += pair > 0 ? 1 : Math.max(0, longer - 1)
    afterPair = true
    afterLetter = false
  }
  return cost
}

/** For a letter of ASCII right beside one of two bytes. */
const BESIDE_ASCII_COST = 4 * BIT

function isAsciiLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

/** The length of a character of three bytes of EUC-JP or of four of GB 18030; 0 where there is none. */
function longerLength(charset: string, bytes: Uint8Array, at: number): number {
  if (charset === 'euc-jp')
    return bytes[at] === 0x8f && bytes[at + 1]! >= 0xa1 && bytes[at + 2]! >= 0xa1 ? 3 : 0
  if (charset !== 'gb18030' || !isDigit(bytes[at + 1]) || !isDigit(bytes[at + 3])) return 0
  return bytes[at + 2]! >= 0x81 ? 4 : 0
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** What a byte may stand for in a word. */
const GAP = 0
const ASCII_SMALL = 1
const ASCII_CAPITAL = 2
const SMALL = 3
const CAPITAL = 4
const SYMBOL = 5
const KINDS = 6

/** Bits for one kind after another: [before, after, bits]. */
type Transition = readonly [number, number, number]

const IN_ANY_ALPHABET: readonly Transition[] = [
  [SMALL, CAPITAL, 8],
  [SMALL, SYMBOL, 1],
  [SYMBOL, SMALL, 3],
  [SYMBOL, CAPITAL, 1],
  [SYMBOL, SYMBOL, 1],
  [ASCII_SMALL, SYMBOL, 2],
  [SYMBOL, ASCII_SMALL, 3],
]

/** In languages of the Latin alphabet the letters beyond ASCII stand between those of ASCII. */
const IN_LATIN: readonly Transition[] = [
  ...IN_ANY_ALPHABET,
  [GAP, SMALL, 1],
  [GAP, CAPITAL, 2],
  [CAPITAL, GAP, 2],
  [SMALL, SMALL, 2],
  [CAPITAL, SMALL, 3],
  [ASCII_SMALL, CAPITAL, 8],
  [SMALL, ASCII_CAPITAL, 6],
]

/** In others they make words. */
const IN_OTHER_ALPHABETS: readonly Transition[] = [
  ...IN_ANY_ALPHABET,
  [GAP, SMALL, 2],
  [GAP, CAPITAL, 3],
  [SMALL, GAP, 2],
  [CAPITAL, GAP, 3],
  [CAPITAL, CAPITAL, 1],
  ...[ASCII_SMALL, ASCII_CAPITAL].flatMap((ascii) =>
    [SMALL, CAPITAL].flatMap((other): Transition[] => [
      [ascii, other, 6],
      [other, ascii, 6],
    ]),
  ),
]

function transitionTable(transitions: readonly Transition[]): Uint8Array {
  const table = new Uint8Array(KINDS * KINDS)
  for (const [before, after, bits] of transitions) table[before * KINDS + after] = bits * BIT
  return table
}

const LATIN_TRANSITIONS = transitionTable(IN_LATIN)
const OTHER_TRANSITIONS = transitionTable(IN_OTHER_ALPHABETS)

/** Marks that mail of every language has. */
const COMMON_SYMBOL =
  /[\u2010-\u2026\u00ab\u00bb\u00a9\u00ae\u00b0\u00a7\u00b7\u2022\u2116\u2122\u20ac\u00a1\u00bf\u00a3\u00b1\u00aa\u00ba\u060c\u061b\u061f]/

function letterReader(charset: string, language: string): LetterReader {
  const decoded = charactersOf(charset)
  const letters = language === 'any' ? decoded : LETTERS.get(language)!
  const isLatin = /[\u00c0-\u024f]/.test(letters)
  const ranks = ranksOf(letters)
  const costs = new Uint8Array(256)
  const kinds = new Uint8Array(256)
  for (let byte = 0; byte < 256; byte++) {
    const character = decoded.charAt(byte)
    const rank = language === 'any' ? RANK_OF_ANY : ranks.get(smallLetter(character))
    costs[byte] = byte < 0x80 ? ASCII_COST : BIT * letterBits(byte, character, rank, isLatin)
    kinds[byte] = kindOf(character)
  }
  return { costs, kinds, transitions: isLatin ? LATIN_TRANSITIONS : OTHER_TRANSITIONS }
}

/** 'İ' in lower case is two characters. */
function smallLetter(character: string): string {
  return character === 'İ' ? 'ı' : character.toLowerCase()
}

/** How frequent a letter is taken to be where nothing is known of the language. */
const RANK_OF_ANY = 15

/** Letters beyond ASCII are one in twenty in languages of the Latin alphabet. */
function letterBits(
  byte: number,
  character: string,
  rank: number | undefined,
  isLatin: boolean,
): number {
  if (byte === 0xa0 && character === '\u00a0') return 3
  if (/[\p{Cc}\ufffd]/u.test(character)) return INVALID_COST / BIT
  if (/[\u00ad\u200b-\u200f]/.test(character)) return 8
  if (COMMON_SYMBOL.test(character)) return 7
  if (!/\p{L}|\p{M}/u.test(character)) return 12
  if (rank === undefined) return 14
  return isLatin ? 6.3 + 0.25 * rank : 3 + 0.17 * rank
}

function kindOf(character: string): number {
  // Apostrophes and invisible characters stand inside words.
  if (/[a-z\u2019\u00ad\u200b-\u200f]/.test(character)) return ASCII_SMALL
  if (/[A-Z]/.test(character)) return ASCII_CAPITAL
  if (/[\0-\x7f\u00a0]/.test(character)) return GAP
  if (/\p{Lu}/u.test(character)) return CAPITAL
  return /\p{L}|\p{M}/u.test(character) ? SMALL : SYMBOL
}

/** The character of each byte; U+FFFD where there is none. */
function charactersOf(charset: string): string {
  return CODE_PAGES[charset] === undefined
    ? new TextDecoder(charset).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
    : `${'\0'.repeat(0x80)}${CODE_PAGES[charset]}`
}

function ranksOf(letters: string): ReadonlyMap<string, number> {
  return new Map([...letters].map((letter, rank) => [letter, rank]))
}

/** The languages that are written in letters of two bytes, and which these are (blocks of the Unicode Standard). */
const PAIR_LANGUAGES: Readonly<Record<string, (code: number) => boolean>> = {
  'Simplified Chinese': isHan,
  'Traditional Chinese': isHan,
  Japanese: (code) => isHan(code) || isKana(code),
  Korean: (code) => code >= 0xac00 && code <= 0xd7a3,
}

function isHan(code: number): boolean {
  return code >= 0x4e00 && code <= 0x9fff
}

function isKana(code: number): boolean {
  return code >= 0x3041 && code <= 0x30ff
}

function isPunctuation(code: number): boolean {
  return (code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xffef)
}

/** First bytes of the letters that a charset has for everyday use, where it parts them from others. */
const EVERYDAY: Readonly<Record<string, readonly [number, number]>> = {
  gb18030: [0xb0, 0xd7],
  big5: [0xa4, 0xc6],
  shift_jis: [0x82, 0x97],
  'euc-jp': [0xa4, 0xcf],
  'euc-kr': [0xb0, 0xc8],
}

function pairReader(charset: string, language: string): PairReader {
  const pairs = new Uint8Array(0x10000)
  const ranks = ranksOf(LETTERS.get(language)!)
  const decoder = new TextDecoder(charset)
  for (let first = 0x81; first < 0xff; first++) {
    for (const [at, character] of charactersAfter(
      (bytes) => decoder.decode(bytes),
      first,
    ).entries()) {
      if (character.length !== 1 || character === '\ufffd') continue
      const rank = ranks.get(character)
      const bits =
        rank === undefined
          ? rareBits(character, first, charset, language)
          : 2.6 + Math.log2(rank + 6)
      pairs[first * 256 + SECOND_MIN + at] = BIT * bits
    }
  }
  return { pairs, single: singleCosts(charset), charset }
}

/** The second byte of a pair is at least this. */
const SECOND_MIN = 0x40

/** What each second byte from SECOND_MIN on makes with `first`: one character, or several where that is no pair. */
function charactersAfter(decode: (bytes: Buffer) => string, first: number): string[] {
  const lines = Buffer.alloc(3 * (0x100 - SECOND_MIN), '\n')
  for (let at = 0; 3 * at < lines.length; at++) {
    lines[3 * at] = first
    lines[3 * at + 1] = SECOND_MIN + at
  }
  return decode(lines).split('\n')
}

/** The bits of a letter that is not among the frequent ones. */
function rareBits(character: string, first: number, charset: string, language: string): number {
  if (character === '\u3000') return 8
  const code = character.charCodeAt(0)
  if (!PAIR_LANGUAGES[language]!(code)) return isPunctuation(code) ? 11 : 17
  if (isKana(code)) return 9
  const [from, to] = EVERYDAY[charset]!
  return first >= from && first <= to ? 14 : 19
}

/** Bytes that stand for a character of their own: ASCII, and the narrow katakana of Shift_JIS. */
function singleCosts(charset: string): Uint8Array {
  const isNarrow = (byte: number) => charset === 'shift_jis' && byte >= 0xa1 && byte <= 0xdf
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (byte < 0x80) return ASCII_COST
    return isNarrow(byte) ? NARROW_KATAKANA_COST : INVALID_COST
  })
}

const NARROW_KATAKANA_COST = 13 * BIT

const RARE_CHARACTER_COST = 24 * BIT
