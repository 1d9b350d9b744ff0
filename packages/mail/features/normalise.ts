/**
 * Brings text to the form from which features are drawn: what a sender can vary at no cost is
 * normalised, so that variants of one message share their features.
 *
 * This covers case, width and ligatures (Unicode NFKC, UAX #15), the value of digits, runs of white
 * space, invisible characters, letters that look like Latin ones, words written backwards, in parts or
 * with digits for letters, and the address behind a link.
 */
import { unitTable } from '../message/unit-table.ts'
import { codeUnits, streamSafe } from '../signals/characters.ts'
import { CONFUSABLES } from '../signals/skeleton.ts'

/** Soft hyphens, zero-width characters, directional marks, variation selectors (UAX #44): they split words without being seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/** A link in text, whose words are no part of the message. Matching is linear: one class, one repetition. */
const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"]{1,2000}/gi

/** Stands for a link. It has an unprintable character, so that no text contains it by itself. */
const LINK_MARK = ' \u0001link '

/** What may stand before the @ of an address and after it, with the lengths of RFC 5321 §4.5.3.1. */
const LOCAL_PART = unitTable([1, /[\w.+-]/g])
const LOCAL_PART_LENGTH_MAX = 64
const DOMAIN = unitTable([1, /[\w.-]/g])
const DOMAIN_LENGTH_MAX = 255
const ADDRESS_MARK = ' \u0001address '

const DIGIT = /\p{Nd}/gu
const ASCII_DIGIT = /[0-9]/g

/** Where all digits beyond ASCII are: a search for them is slow, and few texts have any. */
const OTHER_DIGITS_BLOCKS = /[\u0660-\u1fff\ua000-\uffff]/g

/** Marks over, under and through letters that make no letter of their own with them (blocks of UAX #44): what is composed has none left. */
const COMBINING_MARKS =
  /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g

/** Text that is written backwards and shown forwards, up to where that ends (UAX #9, RLO and PDF). */
const SHOWN_REVERSED = /\u202e([^\u202c\u202e\n]{1,2000})\u202c?/g

/** A word of four letters and more of which each stands alone: 'f.r.e.e', 'f r e e'. Abbreviations are shorter. */
const PARTED_LETTERS = /\b[a-z]([ .])(?:[a-z]\1){2,22}[a-z]\b/g

const NOT_ASCII = /[^\x00-\x7f]/

/** Separators outside ASCII: spaces, quotation marks, dashes, bullets, and the stops of CJK. */
const UNICODE_SEPARATORS =
  /[\u0080-\u00a1\u00ab\u00b7\u00bb\u00bf\u2010-\u2029\u2030-\u205e\u3000-\u3003\u3008-\u3011]/g

const SPACE = 0x20
const FULL_STOP = 0x2e
const ZERO = 0x30

const NINE = 0x39
const LETTER_A = 0x61
const LETTER_Z = 0x7a

/** What each ASCII code unit becomes: itself, or a space for what ends a word. */
const LEVELLED: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[a-z0-9$%+\u0001]/.test(String.fromCharCode(unit)) ? unit : SPACE,
)

/** The letter that each digit looks like, '0' where it looks like none. */
const LETTER_FOR_DIGIT: Uint8Array = Uint8Array.from('oi0eas0000', (letter) => letter.charCodeAt(0))

/** Lower-cased words with one space between them; digits are '0', links and addresses a mark. */
export function normalise(text: string): string {
  return utf16.decode(normalisedUnits(text))
}

/** The UTF-16 code units of what `normalise` gives, to be hashed. Valid until the next call. */
export function normalisedUnits(text: string): Uint16Array {
  const marked = withMarks(text)
  const lowered = NOT_ASCII.test(marked) ? withoutUnicodeVariants(marked) : marked.toLowerCase()
  const { units, hasLettersAlone } = withSingleSpaces(lowered)
  const joined = hasLettersAlone ? withLettersJoined(lowered) : lowered
  return joined === lowered ? units : withSingleSpaces(joined).units
}

/** Searches only where there can be a link or an address: the searches cost more than all the rest, and most text has neither. */
function withMarks(text: string): string {
  const linked =
    text.includes('://') || text.includes('www.') ? text.replace(LINK, LINK_MARK) : text
  return linked.includes('@') ? withAddressMarks(linked) : linked
}

/**
 * Walks from each @ to where its address begins and ends: a search for whole addresses would start at
 * every letter, and one for the end of a local part at every letter before an @.
 */
function withAddressMarks(text: string): string {
  let marked = ''
  let start = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const from = localPartStart(text, Math.max(start, at - LOCAL_PART_LENGTH_MAX), at)
    const to = from < at ? domainEnd(text, at + 1) : at
    if (to <= at + 1) continue
    marked += text.slice(start, from) + ADDRESS_MARK
    start = to
  }
  return marked + text.slice(start)
}

/** Where the local part that ends at `end` begins, not before `first`; `end` where there is none. */
function localPartStart(text: string, first: number, end: number): number {
  let from = end
  while (from > first && LOCAL_PART[text.charCodeAt(from - 1)] === 1) from--
  return from
}

/** Where the domain that begins at `start` ends; `start` where there is none. */
function domainEnd(text: string, start: number): number {
  const last = Math.min(text.length, start + DOMAIN_LENGTH_MAX)
  let to = start
  while (to < last && DOMAIN[text.charCodeAt(to)] === 1) to++
  return to
}

function withLettersJoined(text: string): string {
  return text.replace(PARTED_LETTERS, (letters) => letters.replaceAll(/[ .]/g, ''))
}

function withoutUnicodeVariants(text: string): string {
  const forward = text.replace(SHOWN_REVERSED, (_, shown: string) => [...shown].reverse().join(''))
  let plain = streamSafe(forward).normalize('NFKC').toLowerCase()
  const kinds = kindsIn(plain)
  if (kinds & HAS_INVISIBLE) plain = plain.replace(INVISIBLE, '')
  if (kinds & HAS_MARKS) plain = plain.replace(COMBINING_MARKS, '')
  plain = plain.replace(kinds & HAS_OTHER_DIGITS ? DIGIT : ASCII_DIGIT, '0')
  if (kinds & HAS_SEPARATORS) plain = plain.replace(UNICODE_SEPARATORS, ' ')
  return kinds & HAS_FOREIGN_LETTERS ? withoutHomoglyphs(plain) : plain
}

/** What a text may have, as bits: each search for what is not there would take longer than one look at all units. */
const HAS_INVISIBLE = 1
const HAS_MARKS = 2
const HAS_OTHER_DIGITS = 4
const HAS_SEPARATORS = 8
const HAS_FOREIGN_LETTERS = 16

/** A character of Greek, Coptic, Cyrillic or Armenian. */
const GREEK_TO_ARMENIAN = /[\u0370-\u058f]/g

/** These bits for each code unit. A surrogate may be half of an invisible character. */
const KINDS = unitTable(
  [HAS_INVISIBLE, INVISIBLE],
  [HAS_INVISIBLE, /[\ud800-\udfff]/g],
  [HAS_MARKS, COMBINING_MARKS],
  [HAS_OTHER_DIGITS, OTHER_DIGITS_BLOCKS],
  [HAS_SEPARATORS, UNICODE_SEPARATORS],
  [HAS_FOREIGN_LETTERS, GREEK_TO_ARMENIAN],
)

function kindsIn(text: string): number {
  const units = codeUnits(text)
  const { length } = text
  let kinds = 0
  for (let at = 0; at < length; at++) kinds |= KINDS[units[at]!]!
  return kinds
}

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

/** Text in its normalised form. */
interface Levelled {
  readonly units: Uint16Array
  /** Whether two letters in a row stand alone before a space or a full stop, as where a word is in parts. */
  readonly hasLettersAlone: boolean
}

/** Works in place: a regular expression that replaces each run takes ten times as long. */
function withSingleSpaces(text: string): Levelled {
  const units = codeUnits(text)
  // Strings have so many forms that asking for their length each time would be a call.
  const end = text.length
  let length = 0
  let wordStart = 0
  let hasDigits = false
  let alone = 0
  let hasLettersAlone = false
  for (let i = 0; i < end; i++) {
    const unit = units[i]!
    const levelled = unit < 128 ? LEVELLED[unit]! : unit
    // Letters, which are most, lie above the rest.
    if (levelled > NINE) {
      units[length++] = levelled
      continue
    }
    if (levelled === SPACE) {
      if (length === wordStart) continue
      if (length > wordStart + 1 || (unit !== SPACE && unit !== FULL_STOP)) alone = 0
      else if (isLetter(units[wordStart]!) && ++alone === 2) hasLettersAlone = true
      if (hasDigits) levelDigits(units, wordStart, length)
      wordStart = length + 1
      hasDigits = false
    } else if (levelled >= ZERO) {
      hasDigits = true
    }
    units[length++] = levelled
  }
  if (hasDigits) levelDigits(units, wordStart, length)
  if (length === wordStart && length > 0) length--
  return { units: units.subarray(0, length), hasLettersAlone }
}

/** Makes the digits of a word zeros; letters where they stand between letters, as in 'w3lc0me'. */
function levelDigits(units: Uint16Array, start: number, end: number): void {
  const standForLetters = hasDigitsBetweenLetters(units, start, end)
  for (let at = start; at < end; at++) {
    const unit = units[at]!
    if (isDigit(unit)) units[at] = standForLetters ? LETTER_FOR_DIGIT[unit - ZERO]! : ZERO
  }
}

/** Digits of a word that may stand for letters between two of its letters: an address or a key has more. */
const DIGITS_BETWEEN_MAX = 6

function hasDigitsBetweenLetters(units: Uint16Array, start: number, end: number): boolean {
  let digits = 0
  let afterLetter = false
  for (let at = start; at < end; at++) {
    const unit = units[at]!
    if (isDigit(unit)) {
      digits++
    } else {
      if (afterLetter && digits > 0 && digits <= DIGITS_BETWEEN_MAX) return true
      afterLetter = isLetter(unit)
      digits = 0
    }
  }
  return false
}

function isLetter(unit: number): boolean {
  return unit >= LETTER_A && unit <= LETTER_Z
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE
}

/** An ASCII letter beside one of these: most text has none, and a search takes less than a look at every word. */
const MIXED = /[a-z][\u0370-\u058f]|[\u0370-\u058f][a-z]/

/**
 * `text`, which is in lower case, with letters of other scripts in Latin words replaced by those they look like (UTS #39):
 * people read `раypal` with two Cyrillic letters as `paypal`. A word wholly in Cyrillic or Greek is of that language.
 */
function withoutHomoglyphs(text: string): string {
  if (!MIXED.test(text)) return text
  return text.replace(/[a-z\u0370-\u058f]+/g, (word) =>
    /[a-z]/.test(word) ? word.replace(GREEK_TO_ARMENIAN, (it) => LOOKS_LIKE.get(it) ?? it) : word,
  )
}

/** The ASCII letter that a small letter looks like: what it looks like itself goes before what its capital looks like. */
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(CONFUSABLES)
    .filter(([ascii]) => ascii.length === 1)
    .flatMap(([ascii, alike]) => Array.from(alike, (letter) => ({ ascii, letter })))
    .sort((a, b) => +isSmall(a) - +isSmall(b))
    .map(({ ascii, letter }) => [letter.toLowerCase(), ascii.toLowerCase()]),
)

function isSmall({ letter }: { readonly letter: string }): boolean {
  return letter === letter.toLowerCase()
}
