/**
 * What a character is, by tables: its script, and whether it is a letter, a digit, a space …
 *
 * Text of messages is counted character by character; regular expressions with Unicode classes
 * are ten to fifty times as slow. The tables know code units, so all above U+FFFF is read off
 * the high surrogate: emoji and mathematical letters are told apart there, rare scripts are not.
 */

export const SCRIPTS = [
  'none',
  'latin',
  'cyrillic',
  'greek',
  'armenian',
  'hebrew',
  'arabic',
  'indic',
  'thai',
  'georgian',
  'cherokee',
  'kana',
  'hangul',
  'han',
  'other',
] as const

export type Script = (typeof SCRIPTS)[number]

/** Ranges of code units of the letters of each script, in hex (Unicode Scripts.txt, blocks joined). */
const SCRIPT_RANGES: Readonly<Record<Exclude<Script, 'none'>, string>> = {
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

function markRange(first: number, last: number, kind: number): void {
  for (let unit = first; unit <= last; unit += 1) kinds[unit]! |= kind
}

function fillTables(): void {
  SCRIPTS.forEach((script, at) => {
    if (script === 'none') return
    for (const range of SCRIPT_RANGES[script].split(' ')) {
      const [first = 0, last = first] = range.split('-').map((unit) => Number.parseInt(unit, 16))
      scripts.fill(at, first, last + 1)
    }
  })
  for (let unit = 0; unit < CASED_END; unit += 1) {
    const character = String.fromCharCode(unit)
    if (scripts[unit] === 0) continue
    if (character.toLowerCase() !== character) kinds[unit]! |= UPPER
    else if (character.toUpperCase() !== character) kinds[unit]! |= LOWER
  }
  for (let unit = 0; unit < CASED_END; unit += 1) {
    if (kinds[unit] === LOWER && scripts[unit] === SCRIPTS.indexOf('latin')) plain[unit] = 1
  }
  markRange(0x30, 0x39, DIGIT)
  for (const space of '\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000') {
    kinds[space.charCodeAt(0)]! |= SPACE
  }
  markRange(0x2000, 0x200a, SPACE)
  // Soft hyphen, combining grapheme joiner, zero-width space and joiners, marks of direction,
  // word joiner and invisible operators, byte order mark.
  for (const unit of [0xad, 0x34f, 0x61c, 0x180e, 0xfeff]) kinds[unit]! |= INVISIBLE
  markRange(0x200b, 0x200f, INVISIBLE)
  markRange(0x202a, 0x202e, INVISIBLE)
  markRange(0x2060, 0x206f, INVISIBLE)
  for (const sign of CURRENCY_SIGNS) kinds[sign.charCodeAt(0)]! |= CURRENCY
  markRange(0x2190, 0x21ff, PICTOGRAPH)
  markRange(0x2300, 0x23ff, PICTOGRAPH)
  markRange(0x2600, 0x27bf, PICTOGRAPH)
  markRange(0x2b00, 0x2bff, PICTOGRAPH)
  // High surrogates of U+1F300 … U+1FAFF.
  markRange(0xd83c, 0xd83e, PICTOGRAPH)
  markRange(0x1d00, 0x1d7f, STYLED)
  markRange(0x2460, 0x24ff, STYLED)
  markRange(0xff10, 0xff5a, STYLED)
  // High surrogate of the mathematical alphanumerics.
  markRange(0xd835, 0xd835, STYLED)
}

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

const LATIN = SCRIPTS.indexOf('latin')
const LATIN_BIT = 1 << LATIN

/** Scripts with letters that look like Latin ones. */
const LIKE_LATIN_BITS =
  (1 << SCRIPTS.indexOf('cyrillic')) |
  (1 << SCRIPTS.indexOf('greek')) |
  (1 << SCRIPTS.indexOf('armenian')) |
  (1 << SCRIPTS.indexOf('cherokee'))

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
  return unit === 0x20 || unit === 0x2e || unit === 0x5f || unit === 0x2a || unit === 0x2d
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
export function mainScript(counted: Tally): Script {
  let best = 0
  for (let script = 1; script < SCRIPTS.length; script += 1) {
    if (counted.scripts[script]! > counted.scripts[best]!) best = script
  }
  return SCRIPTS[best]!
}

/**
 * The UTF-16 code units of a text as an array, for loops that look at every one of them.
 *
 * `charCodeAt` asks at each call in what form the engine keeps the string; one copy into an array
 * costs less than that from some dozen characters on, and reading it is twice as fast.
 */

/** Room at first, in code units; more is made when a longer text comes. */
const ROOM_MIN = 32 * 1024

let octets = Buffer.alloc(2 * ROOM_MIN)
let units = new Uint16Array(octets.buffer, octets.byteOffset, ROOM_MIN)

/**
 * Code units of `text` in the first `text.length` places. The array is longer, belongs to this
 * module and is only valid until the next call.
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
 * Text whose runs of combining marks are short, as the Stream-Safe Text Format has it (UAX #15 §13).
 *
 * `String.prototype.normalize` sorts each run of marks, at the cost of the square of its length: 40,000 out
 * of order take 0.4 s. No language needs more than a few in a row.
 */

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

/** `text` with the first 30 of each run of combining marks: what `normalize` may be called with. */
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
