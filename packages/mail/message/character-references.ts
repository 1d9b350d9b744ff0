/**
 * Character references of HTML: `&amp;`, `&#8364;`, `&#x20AC;` (WHATWG HTML §13.2.5.72 and on).
 *
 * HTML names 2,231 characters; mail uses those of HTML 4, which editors write, and the names of
 * ASCII punctuation, which senders use to keep a link from being found (`https&colon;&sol;&sol;`).
 * Only these are resolved; other names stay as they are written.
 */
import { oneOf, readTable, requiredText } from '../data-table.ts'

/** Characters of windows-1252 from 0x80, which numeric references of that range mean (WHATWG §13.2.5.80). */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

/** Longest name in the tables: a longer run of letters is no reference. */
const NAME_LENGTH_MAX = 16

/** Longest of the names that need no semicolon: 'Aacute'. */
const BARE_NAME_LENGTH_MAX = 6

/** Digits read of a number: a reference of a million digits is U+FFFD, like any number that is too large. */
const DIGITS_MAX = 32

const REPLACEMENT = '\ufffd'

const TABLE = readTable(
  new URL('character-references.tsv', import.meta.url),
  { name: requiredText, codePoint: character, bare: oneOf('bare', '') },
  { unique: 'name' },
)
const names = new Map(TABLE.map(({ name, codePoint }) => [name, codePoint]))
const bareNames = new Map(
  TABLE.filter(({ bare }) => bare !== '').map(({ name, codePoint }) => [name, codePoint]),
)

function character(text: string): string {
  if (!/^[\da-f]{1,5}$/.test(text)) throw new RangeError('is no code point in hexadecimal')
  return String.fromCodePoint(Number.parseInt(text, 16))
}

/** A character reference as read. */
interface CharacterReference {
  readonly text: string
  /** Index after it. */
  readonly end: number
}

/**
 * The reference that begins with the `&` at `at` and ends before `limit`; undefined when the `&` is a
 * plain ampersand.
 *
 * In an attribute a name without semicolon is plain text where a letter, digit or `=` follows:
 * `?a=1&copy=2` has no copyright sign.
 */
export function readReference(
  source: string,
  at: number,
  limit: number,
  inAttribute: boolean,
): CharacterReference | undefined {
  const code = at + 1 < limit ? source.charCodeAt(at + 1) : 0
  if (code === 0x23) return readNumber(source, at + 2, limit)
  return isAlphanumeric(code) ? readName(source, at + 1, limit, inAttribute) : undefined
}

/** `text` with its references resolved, by the rules for attribute values. */
export function decodeAttribute(text: string): string {
  let at = text.indexOf('&')
  if (at < 0) return text
  let decoded = ''
  let from = 0
  while (at >= 0) {
    const reference = readReference(text, at, text.length, true)
    if (reference) decoded += text.slice(from, at) + reference.text
    if (reference) from = reference.end
    at = text.indexOf('&', reference ? from : at + 1)
  }
  return decoded + text.slice(from)
}

function readNumber(source: string, start: number, limit: number): CharacterReference | undefined {
  const hexadecimal = start < limit && (source.charCodeAt(start) | 0x20) === 0x78
  const radix = hexadecimal ? 16 : 10
  const first = hexadecimal ? start + 1 : start
  let end = first
  while (end < limit && digitValue(source.charCodeAt(end)) < radix) end++
  if (end === first) return undefined
  const digits = source.slice(first, Math.min(end, first + DIGITS_MAX))
  const text = characterOf(Number.parseInt(digits, radix))
  return { text, end: end < limit && source.charCodeAt(end) === 0x3b ? end + 1 : end }
}

function characterOf(codePoint: number): string {
  if (codePoint >= 0x80 && codePoint < 0xa0) return WINDOWS_1252.charAt(codePoint - 0x80)
  if (codePoint === 0 || codePoint > 0x10ffff) return REPLACEMENT
  if (codePoint >= 0xd800 && codePoint < 0xe000) return REPLACEMENT
  return String.fromCodePoint(codePoint)
}

function readName(
  source: string,
  start: number,
  limit: number,
  inAttribute: boolean,
): CharacterReference | undefined {
  const longest = Math.min(limit, start + NAME_LENGTH_MAX)
  let end = start
  while (end < longest && isAlphanumeric(source.charCodeAt(end))) end++
  if (end < limit && source.charCodeAt(end) === 0x3b) {
    const text = names.get(source.slice(start, end))
    if (text !== undefined) return { text, end: end + 1 }
  }
  return readBareName(source, start, end, inAttribute)
}

/** The longest name that needs no semicolon in the run of letters from `start` to `end`. */
function readBareName(
  source: string,
  start: number,
  end: number,
  inAttribute: boolean,
): CharacterReference | undefined {
  for (let cut = Math.min(end, start + BARE_NAME_LENGTH_MAX); cut > start + 1; cut--) {
    const text = bareNames.get(source.slice(start, cut))
    if (text === undefined) continue
    return inAttribute && continuesName(source.charCodeAt(cut)) ? undefined : { text, end: cut }
  }
  return undefined
}

function continuesName(code: number): boolean {
  return code === 0x3d || isAlphanumeric(code)
}

function isAlphanumeric(code: number): boolean {
  return digitValue(code) < 36
}

/** Value of a digit or letter in base 36, 99 for other characters. */
function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x7a && code < 0x80 ? letter - 0x57 : 99
}
