/**
 * Decodes bytes in any charset to text.
 *
 * The tables of the WHATWG Encoding Standard come from TextDecoder. What mail still uses and the web
 * has dropped is here: UTF-7 (RFC 2152), ISO-2022-KR (RFC 1557), and the code pages of charset-labels.ts.
 *
 * A sender can name any charset, so the label is only a claim. UTF-8 and UTF-16 are told by their form
 * and ISO-2022 by its escapes, whatever the label says; where it is absent, unknown or makes no sense of
 * the bytes, the letters tell (charset-detection.ts).
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { areLikelyLetters, DEFAULT_CHARSET, detectCharset } from './charset-detection.ts'
import { CODE_PAGES, charsetOfLabel } from './charset-labels.ts'
import type { Oddity } from './message.ts'

export interface DecodedText {
  readonly text: string
  /** The charset used, lower case: 'utf-8'. Of ASCII text, the declared one. */
  readonly charset: string
  /** CHARSET_UNKNOWN, or CHARSET_MISMATCH when the bytes contradict the label. */
  readonly oddity: Oddity | undefined
}

const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const ESC = 0x1b

type Decode = (bytes: Buffer) => string

const OWN_DECODERS: Readonly<Record<string, Decode>> = {
  'us-ascii': (bytes) => bytes.toString('latin1'),
  'utf-8': (bytes) => withoutMark(bytes.toString('utf8')),
  'utf-7': decodeUtf7,
  'iso-2022-jp': decodeIso2022Jp,
  'iso-2022-kr': (bytes) => eucKr.decode(withoutShifts(bytes)).replaceAll('\x1b$)C', ''),
}

/** Decoders by charset: at most as many as there are charsets. */
const decoders = new Map<string, Decode>()

/** `bytes` as text, by the charset of that label (any case; '' or undefined when none was given). */
export function decodeCharset(bytes: Buffer, label: string | undefined): DecodedText {
  const known = charsetOfLabel(label ?? '')
  const declared = known ?? ''
  const charset = charsetOf(bytes, declared)
  const text = decoderOf(charset)(bytes)
  const oddity = known === undefined ? 'CHARSET_UNKNOWN' : contradiction(bytes, declared, charset)
  return { text, charset: charset === 'us-ascii' && declared !== '' ? declared : charset, oddity }
}

/** Decodes text without a declared charset. */
export function decodeByLook(bytes: Buffer): { text: string; charset: string } {
  const charset = charsetOf(bytes, '')
  return { text: decoderOf(charset)(bytes), charset }
}

/** 8-bit bytes in ASCII, or bytes in UTF-8 that are none. Other labels are wrong in so much honest mail that it says nothing. */
function contradiction(bytes: Buffer, declared: string, charset: string): Oddity | undefined {
  if (charset === 'us-ascii' || (declared !== 'us-ascii' && declared !== 'utf-8')) return undefined
  const isRefuted = declared === 'utf-8' ? !isUtf8(bytes) : !isAscii(bytes)
  return isRefuted ? 'CHARSET_MISMATCH' : undefined
}

/** The charset that `bytes` are in where `declared` ('' for none) is what is said of them. */
export function charsetOf(bytes: Buffer, declared: string): string {
  if (isAscii(bytes)) {
    if (bytes.includes(ESC)) return escapedCharset(bytes) ?? 'us-ascii'
    if (bytes.includes(0)) return wideCharset(bytes, declared) ?? 'us-ascii'
    return SEVEN_BITS.test(declared) ? declared : 'us-ascii'
  }
  return wideCharset(bytes, declared) ?? charsetOfEightBits(bytes, declared)
}

/** Charsets that look like ASCII, so that their label is all that tells them. */
const SEVEN_BITS = /^(?:utf-7|iso-2022-.*)$/

const WIDE = /^utf-16/

/** ISO-2022 by its first escape (RFC 1468, RFC 1554, RFC 1557). */
function escapedCharset(bytes: Buffer): string | undefined {
  const searched = bytes.toString('latin1', 0, ESCAPE_SEARCHED_BYTES)
  const first = /\x1b(?:\$[@B(]|\([IJ]|\$\)C)/.exec(searched)?.[0]
  if (first === undefined) return undefined
  return first === '\x1b$)C' ? 'iso-2022-kr' : 'iso-2022-jp'
}

const ESCAPE_SEARCHED_BYTES = 64 * 1024

/** UTF-16: declared and not refuted, marked, or told by every other byte being NUL. */
function wideCharset(bytes: Buffer, declared: string): string | undefined {
  // Not taken apart as a list: that would cost more than all the rest for a short word.
  const first = bytes[0]
  const second = bytes[1]
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (WIDE.test(declared) && (isMarked || bytes.includes(0) || !isUtf8(bytes))) return declared
  if (isMarked) return first === 0xff ? 'utf-16le' : 'utf-16be'
  return bytes.includes(0) ? alternatingCharset(bytes) : undefined
}

/** UTF-16 by its NULs: one in each pair of bytes that is a letter of ASCII, always on the same side. */
function alternatingCharset(bytes: Buffer): string | undefined {
  const length = Math.min(bytes.length, ALTERNATING_BYTES) & ~1
  let even = 0
  let odd = 0
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even++
    if (bytes[at + 1] === 0) odd++
  }
  const enough = Math.max(2, (ALTERNATING_SHARE * length) / 2)
  if (odd >= enough && even === 0) return 'utf-16le'
  return even >= enough && odd === 0 ? 'utf-16be' : undefined
}

/** Bytes in which NULs are counted, and the share of pairs with one that makes UTF-16 of them. */
const ALTERNATING_BYTES = 512
const ALTERNATING_SHARE = 0.7

function charsetOfEightBits(bytes: Buffer, declared: string): string {
  if (isUtf8(bytes)) return isPairsOf(bytes, declared) ? declared : 'utf-8'
  const escaped = bytes.includes(ESC) ? escapedCharset(bytes) : undefined
  if (escaped !== undefined) return escaped
  const { valid, broken } = utf8Characters(bytes)
  const isDeclared = declared === 'utf-8'
  if (valid > (isDeclared ? broken : UNDECLARED_VALID_SHARE * broken)) return 'utf-8'
  const charset = detectCharset(bytes, NOT_EIGHT_BITS.test(declared) ? '' : declared)
  const isUntold = isDeclared && charset === DEFAULT_CHARSET
  return isUntold && valid > DAMAGED_VALID_SHARE * broken ? 'utf-8' : charset
}

/** Whole characters for each broken byte that make UTF-8 of bytes which are not declared as such. */
const UNDECLARED_VALID_SHARE = 4

/** The same of bytes that are, and make no letters of another charset either. */
const DAMAGED_VALID_SHARE = 0.25

/** Labels that say nothing of 8-bit bytes which are no UTF-8. */
const NOT_EIGHT_BITS = /^(?:us-ascii|utf-.*|iso-2022-.*)$/

/** Charsets in which two bytes that make UTF-8 may be one or two everyday letters. */
const READS_PAIRS = /^(?:gb|big5|euc-|shift_jis|koi8|windows-874|ibm866)/

/** So few pairs of bytes can be UTF-8 by chance; letters of the Latin alphabet stand next to ASCII. */
const PAIRS_BY_CHANCE =
  /^[\0-\x7f]*(?:(?<![A-Za-z])[\xc2-\xdf][\x80-\xbf](?![A-Za-z])){1,2}[\0-\x7f]*$/

/** Whether bytes that are valid UTF-8 are more likely the letters of `declared`. */
function isPairsOf(bytes: Buffer, declared: string): boolean {
  if (!READS_PAIRS.test(declared) || bytes.length > PAIRS_LENGTH_MAX) return false
  return PAIRS_BY_CHANCE.test(bytes.toString('latin1')) && areLikelyLetters(bytes, declared)
}

/** In longer texts there are more letters. */
const PAIRS_LENGTH_MAX = 64

/** How many characters beyond ASCII are whole in UTF-8 and how many bytes belong to none. One that is cut at the end is neither. */
function utf8Characters(bytes: Buffer): { valid: number; broken: number } {
  const end = Math.min(bytes.length, UTF8_COUNTED_BYTES)
  let valid = 0
  let broken = 0
  let at = 0
  while (at < end) {
    const byte = bytes[at]!
    const length = utf8Length(byte)
    let next = at + 1
    while (next < at + length && next < end && (bytes[next]! & 0xc0) === 0x80) next++
    if (length > 1 && next === at + length) valid++
    else if (byte >= 0x80 && !(length > 1 && next === end)) broken += next - at
    at = next
  }
  return { valid, broken }
}

const UTF8_COUNTED_BYTES = 16 * 1024

/** The bytes of the UTF-8 character that begins with `first`; 1 where none does (RFC 3629 §4). */
function utf8Length(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

function decoderOf(charset: string): Decode {
  const made = decoders.get(charset)
  if (made !== undefined) return made
  const decode = newDecoder(charset)
  decoders.set(charset, decode)
  return decode
}

function newDecoder(charset: string): Decode {
  if (Object.hasOwn(OWN_DECODERS, charset)) return OWN_DECODERS[charset]!
  if (Object.hasOwn(CODE_PAGES, charset)) {
    const table = CODE_PAGES[charset]!
    return (bytes) => decodeByTable(bytes, table)
  }
  const decoder = new TextDecoder(charset)
  return (bytes) => decoder.decode(bytes)
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** A code page whose lower half is ASCII and whose upper half is `table`. */
function decodeByTable(bytes: Buffer, table: string): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (byte) => table.charAt(byte.charCodeAt(0) - 0x80))
}

/** UTF-7 (RFC 2152): '+' opens a run of base64 over UTF-16BE, '-' or any other character closes it. */
function decodeUtf7(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/\+([A-Za-z0-9+/]*)-?/g, (_, run: string) => (run === '' ? '+' : utf16Run(run)))
    .toWellFormed()
}

function utf16Run(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le')
}

/** ISO-2022-JP (RFC 1468). Words that are joined have escapes beside each other, which the decoder takes for an error. */
function decodeIso2022Jp(bytes: Buffer): string {
  const text = bytes
    .toString('latin1')
    .replace(/\x1b(?:\$\(?|\()[@-Z](?=\x1b)/g, '')
    // JIS X 0213 has the everyday letters of JIS X 0208 at their places.
    .replace(/\x1b\$\([BOQ]/g, '\x1b$B')
  return iso2022Jp.decode(Buffer.from(text, 'latin1'))
}

const iso2022Jp = new TextDecoder('iso-2022-jp')

const eucKr = new TextDecoder('euc-kr')

/** ISO-2022-KR in eight bits: between SO and SI two seven-bit bytes are one character; white space stands for itself. */
function withoutShifts(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let shifted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === SHIFT_OUT) shifted = true
    else if (byte === SHIFT_IN) shifted = false
    else out[length++] = shifted && byte > 0x20 ? byte | 0x80 : byte
  }
  return out.subarray(0, length)
}
