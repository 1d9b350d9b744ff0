/**
 * What a character is, by tables: its script, and whether it is a letter, a digit, a space …
 *
 * Text of messages is counted character by character; regular expressions with Unicode classes
 * are ten to fifty times as slow. The tables know code units, so all above U+FFFF is read off
 * the high surrogate: emoji and mathematical letters are told apart there, rare scripts are not.
 */
import { codeUnits } from './code-units.ts'

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

/** First and last code unit of the letters of a script (Unicode Scripts.txt, blocks joined). */
const SCRIPT_RANGES: readonly (readonly [number, number, Script])[] = [
  [0x41, 0x5a, 'latin'],
  [0x61, 0x7a, 'latin'],
  [0xaa, 0xaa, 'latin'],
  [0xba, 0xba, 'latin'],
  [0xc0, 0xd6, 'latin'],
  [0xd8, 0xf6, 'latin'],
  [0xf8, 0x2b8, 'latin'],
  [0x370, 0x373, 'greek'],
  [0x376, 0x377, 'greek'],
  [0x37b, 0x37d, 'greek'],
  [0x37f, 0x37f, 'greek'],
  [0x386, 0x386, 'greek'],
  [0x388, 0x3ff, 'greek'],
  [0x400, 0x481, 'cyrillic'],
  [0x48a, 0x52f, 'cyrillic'],
  [0x531, 0x556, 'armenian'],
  [0x561, 0x587, 'armenian'],
  [0x5d0, 0x5f2, 'hebrew'],
  [0x620, 0x64a, 'arabic'],
  [0x66e, 0x6d3, 'arabic'],
  [0x6fa, 0x6ff, 'arabic'],
  [0x750, 0x77f, 'arabic'],
  [0x8a0, 0x8ff, 'arabic'],
  [0x900, 0x963, 'indic'],
  [0x970, 0xdff, 'indic'],
  [0xe01, 0xe4e, 'thai'],
  [0xe80, 0x109f, 'other'],
  [0x10a0, 0x10ff, 'georgian'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1200, 0x139f, 'other'],
  [0x13a0, 0x13fd, 'cherokee'],
  [0x1400, 0x17ff, 'other'],
  [0x1c80, 0x1c8f, 'cyrillic'],
  [0x1c90, 0x1cbf, 'georgian'],
  [0x1e00, 0x1eff, 'latin'],
  [0x1f00, 0x1fff, 'greek'],
  [0x2c60, 0x2c7f, 'latin'],
  [0x2de0, 0x2dff, 'cyrillic'],
  [0x3041, 0x30ff, 'kana'],
  [0x3105, 0x312f, 'han'],
  [0x3131, 0x318e, 'hangul'],
  [0x31f0, 0x31ff, 'kana'],
  [0x3005, 0x3007, 'han'],
  [0x3400, 0x4dbf, 'han'],
  [0x4e00, 0x9fff, 'han'],
  [0xa000, 0xa4cf, 'other'],
  [0xa640, 0xa69f, 'cyrillic'],
  [0xa720, 0xa7ff, 'latin'],
  [0xab70, 0xabbf, 'cherokee'],
  [0xac00, 0xd7af, 'hangul'],
  [0xf900, 0xfaff, 'han'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe70, 0xfefc, 'arabic'],
  [0xff66, 0xff9f, 'kana'],
]

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
  for (const [first, last, script] of SCRIPT_RANGES) {
    scripts.fill(SCRIPTS.indexOf(script), first, last + 1)
  }
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
