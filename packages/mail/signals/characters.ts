/**
 * What a character is, by tables of code units: regular expressions with Unicode classes are ten to fifty times as slow. All above
 * U+FFFF is read off the high surrogate: emoji and mathematical letters are told apart there, rare scripts are not.
 */

/** Ranges of code units of the letters of each script, in hex (Unicode Scripts.txt, blocks joined). */
const SCRIPT_RANGES = {
  none: '',
  latin: '41-5a 61-7a aa ba c0-d6 d8-f6 f8-2b8 1e00-1eff 2c60-2c7f a720-a7ff',
  cyrillic: '400-481 48a-52f 1c80-1c8f 2de0-2dff a640-a69f',
  greek: '370-373 376-377 37b-37d 37f 386 388-3ff 1f00-1fff',
  armenian: '531-556 561-587',
  hebrew: '5d0-5f2',
  arabic: '620-64a 66e-6d3 6fa-6ff 750-77f 8a0-8ff fb50-fdff fe70-fefc',
  indic: '900-963 970-dff',
  thai: 'e01-e4e',
  georgian: '10a0-10ff 1c90-1cbf',
  cherokee: '13a0-13fd ab70-abbf',
  kana: '3041-30ff 31f0-31ff ff66-ff9f',
  hangul: '1100-11ff 3131-318e ac00-d7af',
  han: '3105-312f 3005-3007 3400-4dbf 4e00-9fff f900-faff',
  other: 'e80-109f 1200-139f 1400-17ff a000-a4cf',
}

export type Script = keyof typeof SCRIPT_RANGES

export const SCRIPTS = Object.keys(SCRIPT_RANGES) as readonly Script[]

/** Kinds of characters, as bits: a character may be of several. */
const UPPER = 1
const LOWER = 2
export const DIGIT = 4
export const SPACE = 8
/** Takes no room: zero-width spaces and joiners, soft hyphen, direction marks. */
const INVISIBLE = 16
const CURRENCY = 32
/** Emoji, dingbats, weather and arrows. */
const PICTOGRAPH = 64
/** A letter in another form: mathematical, circled, full-width, small capital. */
const STYLED = 128

const CURRENCY_SIGNS = '$£€¥₹₽₩₺₴₦₫₱₪฿'

const CODE_UNITS = 0x10000

const scripts = new Uint8Array(CODE_UNITS)
const kinds = new Uint8Array(CODE_UNITS)

/** 1 for small Latin letters: most of most texts, and nothing but letters. */
const plain = new Uint8Array(CODE_UNITS)

/** Letters that have case lie below this, but for Cherokee and fancy Latin. */
const CASED_END = 0x590

/** Ranges of code units of each kind, in hex. */
const KIND_RANGES: readonly (readonly [number, string])[] = [
  [DIGIT, '30-39'],
  [SPACE, '9-d 20 a0 1680 2000-200a 2028 2029 202f 205f 3000'],
  // Soft hyphen, combining grapheme joiner, zero-width space and joiners, marks of direction,
  // word joiner and invisible operators, byte order mark.
  [INVISIBLE, 'ad 34f 61c 180e feff 200b-200f 202a-202e 2060-206f'],
  // Behind the blocks of the basic plane the high surrogates of U+1F300 … U+1FAFF.
  [PICTOGRAPH, '2190-21ff 2300-23ff 2600-27bf 2b00-2bff d83c-d83e'],
  // The last is the high surrogate of the mathematical alphanumerics.
  [STYLED, '1d00-1d7f 2460-24ff ff10-ff5a d835'],
]

function* unitsIn(ranges: string): Generator<number> {
  for (const range of ranges.split(' ')) {
    const [first = 0, last = first] = range.split('-').map((unit) => Number.parseInt(unit, 16))
    for (let unit = first; unit <= last; unit += 1) yield unit
  }
}

function fillTables(): void {
  SCRIPTS.forEach((script, at) => {
    for (const unit of unitsIn(SCRIPT_RANGES[script])) scripts[unit] = at
  })
  for (let unit = 0; unit < CASED_END; unit += 1) {
    const character = String.fromCharCode(unit)
    if (scripts[unit] === 0) continue
    if (character.toLowerCase() !== character) kinds[unit] = UPPER
    else if (character.toUpperCase() !== character) kinds[unit] = LOWER
    if (kinds[unit] === LOWER && scripts[unit] === LATIN) plain[unit] = 1
  }
  for (const [kind, ranges] of KIND_RANGES) for (const unit of unitsIn(ranges)) kinds[unit]! |= kind
  for (const sign of CURRENCY_SIGNS) kinds[sign.charCodeAt(0)]! |= CURRENCY
}

const LATIN = SCRIPTS.indexOf('latin')

fillTables()

/** Index into SCRIPTS of the script of a letter; 0 for whatever is no letter. */
export function scriptIndex(unit: number): number {
  return scripts[unit]!
}

/** The kinds of `unit`, as bits. */
export function kindsOf(unit: number): number {
  return kinds[unit]!
}

/** What the characters of a text are. All counts are of UTF-16 code units. */
export interface Tally {
  readonly length: number
  readonly letters: number
  readonly upper: number
  readonly lower: number
  readonly digits: number
  readonly spaces: number
  readonly words: number
  readonly exclamations: number
  readonly questions: number
  readonly currencySigns: number
  readonly pictographs: number
  readonly styled: number
  /** Invisible characters between two letters of alphabets that need none. */
  readonly invisibleInWords: number
  /** Longest row of words of one letter with the same sign between them: 4 in 'F R E E', 'f*r*e*e'. */
  readonly gappyRun: number
  /** Letters of each script, in the order of SCRIPTS. */
  readonly scripts: Uint32Array
  /** Words, at most WORDS_KEPT_MAX, whose letters are of Latin and of Cyrillic, Greek, Armenian or Cherokee. */
  readonly mixedWords: readonly string[]
}

/** Words of mixed script that are kept, to be looked at more closely. */
const WORDS_KEPT_MAX = 8

const LATIN_BIT = 1 << LATIN

/** Scripts with letters that look like Latin ones. */
const LIKE_LATIN_BITS = (['cyrillic', 'greek', 'armenian', 'cherokee'] as const).reduce(
  (bits, script) => bits | (1 << SCRIPTS.indexOf(script)),
  0,
)

/** Alphabets that join no letters, so that an invisible joiner or mark has no work there. */
const UNJOINED_BITS = LATIN_BIT | LIKE_LATIN_BITS

/** Counts the characters of `text`, in one pass. */
export function tally(text: string): Tally {
  const sums = new Sums()
  const mixedWords: string[] = []
  let plainLetters = 0
  let words = 0
  let wordScripts = 0
  let wordStart = 0
  let wordEnd = -2
  let gap = 0
  let gappy = 0
  let gappyRun = 0
  let invisiblePending = 0
  let invisibleInWords = 0

  const units = codeUnits(text)
  const { length } = text
  for (let at = 0; at <= length; at += 1) {
    if (wordScripts === LATIN_BIT && invisiblePending === 0) {
      // The rest of most words.
      const rest = at
      while (at < length && plain[units[at]!] === 1) at += 1
      plainLetters += at - rest
    }
    // One step beyond the end closes the last word.
    const unit = at < length ? units[at]! : END
    if (plain[unit] === 1) {
      plainLetters += 1
    } else {
      sums.add(unit)
    }
    const script = scripts[unit]!
    if (script !== 0) {
      if (wordScripts === 0) {
        words += 1
        wordStart = at
      } else if (invisiblePending > 0) {
        if (((1 << script) & UNJOINED_BITS) !== 0) invisibleInWords += invisiblePending
        invisiblePending = 0
      }
      wordScripts |= 1 << script
      continue
    }
    if (wordScripts === 0) continue
    if ((kinds[unit]! & INVISIBLE) !== 0) {
      if ((wordScripts & UNJOINED_BITS) !== 0) invisiblePending += 1
      continue
    }
    if ((wordScripts & LIKE_LATIN_BITS) !== 0 && (wordScripts & LATIN_BIT) !== 0) {
      if (mixedWords.length < WORDS_KEPT_MAX) mixedWords.push(text.slice(wordStart, at))
    }
    if (at === wordStart + 1) {
      const before = wordStart === wordEnd + 1 ? units[wordEnd]! : 0
      gappy = isGap(before) && (gappy === 1 || before === gap) ? gappy + 1 : 1
      gap = before
      if (gappy > gappyRun) gappyRun = gappy
    } else {
      gappy = 0
    }
    wordEnd = at
    wordScripts = 0
    invisiblePending = 0
  }
  sums.letters += plainLetters
  sums.lower += plainLetters
  sums.scripts[LATIN]! += plainLetters
  sums.spaces -= 1
  return { ...sums, length, words, invisibleInWords, gappyRun, mixedWords }
}

/** A space. One stands behind the last character, so that the last word ends. */
const END = 0x20

const EXCLAMATION = 0x21
const QUESTION = 0x3f

/** Signs that are put between letters: space, full stop, underscore, asterisk, hyphen. */
function isGap(unit: number): boolean {
  return ' ._*-'.includes(String.fromCharCode(unit))
}

/** The part of a Tally that does not depend on what stands next to what. */
class Sums {
  letters = 0
  upper = 0
  lower = 0
  digits = 0
  spaces = 0
  exclamations = 0
  questions = 0
  currencySigns = 0
  pictographs = 0
  styled = 0
  readonly scripts = new Uint32Array(SCRIPTS.length)

  add(unit: number): void {
    if (unit === END) {
      this.spaces += 1
      return
    }
    const script = scripts[unit]!
    const kind = kinds[unit]!
    if (script !== 0) {
      this.letters += 1
      this.scripts[script]! += 1
    }
    if (kind === 0) {
      if (unit === EXCLAMATION) this.exclamations += 1
      else if (unit === QUESTION) this.questions += 1
      return
    }
    if ((kind & UPPER) !== 0) this.upper += 1
    if ((kind & LOWER) !== 0) this.lower += 1
    if ((kind & SPACE) !== 0) this.spaces += 1
    if ((kind & DIGIT) !== 0) this.digits += 1
    if ((kind & CURRENCY) !== 0) this.currencySigns += 1
    if ((kind & PICTOGRAPH) !== 0) this.pictographs += 1
    if ((kind & STYLED) !== 0) this.styled += 1
  }
}

/** The script of most letters, 'none' where there are none. */
export function mainScript({ scripts: counts }: Tally): Script {
  return SCRIPTS[counts.indexOf(Math.max(...counts))]!
}

/** Room at first, in code units; more is made when a longer text comes. */
const ROOM_MIN = 32 * 1024

let octets = Buffer.alloc(2 * ROOM_MIN)
let units = new Uint16Array(octets.buffer, octets.byteOffset, ROOM_MIN)

/**
 * Code units of `text` in the first `text.length` places of a longer array, which is valid until the next call. One copy
 * costs less than `charCodeAt` from some dozen characters on.
 */
export function codeUnits(text: string): Uint16Array {
  if (text.length > units.length) {
    octets = Buffer.alloc(2 * text.length)
    units = new Uint16Array(octets.buffer, octets.byteOffset, text.length)
  }
  octets.write(text, 'utf16le')
  return units
}

/**
 * A run of more than 30 marks, the number of the format. The two half-width marks of Katakana count: they are
 * letters that become marks (NFKC). Matching is linear: one class, of which 30 are counted.
 */
const LONG_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** Code units that are looked at together: a run of 31 holds one such stretch whole, wherever it begins. */
const STRETCH_UNITS = 16

/** The same, and half of a character that may be one. */
const MARK_OR_HALF = /[\p{M}\uff9e\uff9f\p{Cs}]/u

/** 1 for each code unit that MARK_OR_HALF matches: a look takes a ninth of the time. */
const MAY_BE_MARK = new Uint8Array(0x10000).map((_, unit) =>
  MARK_OR_HALF.test(String.fromCharCode(unit)) ? 1 : 0,
)

/**
 * `text` with the first 30 of each run of combining marks, the Stream-Safe Text Format (UAX #15 §13): `normalize` sorts
 * each run at the cost of the square of its length, 0.4 s for 40,000 marks. No language needs more than a few.
 */
export function streamSafe(text: string): string {
  return mayHaveLongRun(text) ? text.replace(LONG_RUN, '$1') : text
}

/** Looks at one code unit in sixteen where there are no marks: the expression alone costs as much as a whole normalisation. */
function mayHaveLongRun(text: string): boolean {
  const { length } = text
  for (let start = 0; start + STRETCH_UNITS <= length; start += STRETCH_UNITS) {
    let marks = 0
    while (marks < STRETCH_UNITS && MAY_BE_MARK[text.charCodeAt(start + marks)] === 1) marks++
    if (marks === STRETCH_UNITS) return true
  }
  return false
}
