/**
 * Decodes bytes in any charset to text.
 *
 * The labels and tables of the WHATWG Encoding Standard come from TextDecoder. What mail still
 * uses and the web has dropped is here: UTF-7 (RFC 2152), HZ (RFC 1843), ISO-2022-KR (RFC 1557),
 * the DOS code pages 437 and 850, and UTF-32.
 *
 * A sender can name any charset, so the label is only a claim. An unknown one, or one that the
 * bytes contradict, falls back to what the bytes look like: UTF-8 when they are valid, else
 * Windows-1252, which gives every byte a character.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { CHARSET_LABELS } from './charset-labels.ts'
import type { Oddity } from './message.ts'

/** A text and how it was decoded. */
export interface DecodedText {
  readonly text: string
  /** The charset used, lower case: 'utf-8'. */
  readonly charset: string
  /** CHARSET_UNKNOWN, or CHARSET_MISMATCH when the bytes contradict the label. */
  readonly oddity: Oddity | undefined
}

const LF = 0x0a
const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const TILDE = 0x7e

type Decode = (bytes: Buffer) => string

/** Names that mail uses and the Encoding Standard does not list. */
const ALIASES: Readonly<Record<string, string>> = {
  ansi: 'windows-1252',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  cp65001: 'utf-8',
  usascii: 'us-ascii',
  us_ascii: 'us-ascii',
  'utf-8mb4': 'utf-8',
  utf7: 'utf-7',
  'unicode-1-1-utf-7': 'utf-7',
  hz: 'hz-gb-2312',
  csiso2022kr: 'iso-2022-kr',
  ibm437: 'cp437',
  'cp-437': 'cp437',
  ibm850: 'cp850',
  'cp-850': 'cp850',
  utf32: 'utf-32',
}

/** Labels by which a sender or a relay says that it does not know (RFC 1428 §3). */
const UNDECLARED = new Set(['', 'us-ascii', 'ascii', 'unknown-8bit', 'x-unknown', 'default'])

/** Charsets in which ASCII bytes do not stand for themselves. */
const NOT_ASCII_BASED = /^(?:utf-(?:7|16|16le|16be|32|32le|32be)|hz-gb-2312|iso-2022-.*)$/

const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const OWN_DECODERS: Readonly<Record<string, Decode>> = {
  'utf-7': decodeUtf7,
  'hz-gb-2312': decodeHz,
  'iso-2022-jp': decodeIso2022Jp,
  'iso-2022-kr': decodeIso2022Kr,
  cp437: (bytes) => decodeByTable(bytes, CP437),
  cp850: (bytes) => decodeByTable(bytes, CP850),
  'utf-32': decodeUtf32,
  'utf-32le': decodeUtf32,
  'utf-32be': decodeUtf32,
}

interface Decoder {
  readonly charset: string
  readonly decode: Decode
}

/** Decoders by label, so that one is made for each label and not for each word; at most as many as there are known labels. */
const decoders = new Map<string, Decoder>()

/**
 * `bytes` as text, by the charset of that label (any case; '' or undefined when none was given).
 */
export function decodeCharset(bytes: Buffer, label: string | undefined): DecodedText {
  const claimed = normalizedLabel(label ?? '')
  if (isPlainAscii(bytes, claimed)) return decodeAscii(bytes, claimed)
  if (UNDECLARED.has(claimed)) return { ...decodeByLook(bytes), oddity: undeclaredOddity(claimed) }

  const found = decoderFor(claimed)
  if (found === undefined) return { ...decodeByLook(bytes), oddity: 'CHARSET_UNKNOWN' }
  if (found.charset === 'utf-8') return decodeClaimedUtf8(bytes)
  return { text: found.decode(bytes), charset: found.charset, oddity: undefined }
}

/** Decodes text without a declared charset: UTF-8 when the bytes are valid, else Windows-1252. */
export function decodeByLook(bytes: Buffer): { text: string; charset: string } {
  if (isUtf8(bytes)) return { text: withoutMark(bytes.toString('utf8')), charset: 'utf-8' }
  return { text: windows1252.decode(bytes), charset: 'windows-1252' }
}

const windows1252 = new TextDecoder('windows-1252')

function normalizedLabel(label: string): string {
  const lower = label.trim().toLowerCase()
  return ALIASES[lower] ?? lower
}

/** Whether the bytes are ASCII, whatever the label: also where it says UTF-16 and yet no byte is zero. */
function isPlainAscii(bytes: Buffer, claimed: string): boolean {
  if (!isAscii(bytes)) return false
  return !NOT_ASCII_BASED.test(claimed) || (/^utf-(?:16|32)/.test(claimed) && !bytes.includes(0))
}

function decodeAscii(bytes: Buffer, claimed: string): DecodedText {
  const known = claimed === '' || UNDECLARED.has(claimed) || decoderFor(claimed) !== undefined
  return {
    text: bytes.toString('latin1'),
    charset: known ? (decoderFor(claimed)?.charset ?? 'us-ascii') : 'us-ascii',
    oddity: known ? undefined : 'CHARSET_UNKNOWN',
  }
}

/** A label us-ascii with 8-bit bytes is contradicted by the bytes; a missing label claims nothing. */
function undeclaredOddity(claimed: string): Oddity | undefined {
  return claimed.endsWith('ascii') ? 'CHARSET_MISMATCH' : undefined
}

function decoderFor(label: string): Decoder | undefined {
  const made = decoders.get(label)
  if (made !== undefined) return made
  const decoder = newDecoder(label)
  if (decoder !== undefined) decoders.set(label, decoder)
  return decoder
}

function newDecoder(label: string): Decoder | undefined {
  if (UNDECLARED.has(label))
    return { charset: 'us-ascii', decode: (bytes) => bytes.toString('latin1') }
  const own = Object.hasOwn(OWN_DECODERS, label) ? OWN_DECODERS[label] : undefined
  if (own !== undefined) return { charset: label, decode: own }
  if (!CHARSET_LABELS.has(label)) return undefined
  const decoder = new TextDecoder(label)
  return { charset: decoder.encoding, decode: (bytes) => decoder.decode(bytes) }
}

/**
 * UTF-8 as claimed. One cut or damaged character leaves U+FFFD; where not one character is valid
 * the claim is wrong throughout and the bytes are Windows-1252.
 */
function decodeClaimedUtf8(bytes: Buffer): DecodedText {
  const text = withoutMark(bytes.toString('utf8'))
  if (isUtf8(bytes)) return { text, charset: 'utf-8', oddity: undefined }
  if (/[^\x00-\x7f\ufffd]/.test(text)) return { text, charset: 'utf-8', oddity: 'CHARSET_MISMATCH' }
  return { ...decodeByLook(bytes), oddity: 'CHARSET_MISMATCH' }
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

/** HZ (RFC 1843): between '~{' and '~}' two seven-bit bytes are one character of GB 2312. */
function decodeHz(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let shifted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    const next = byte === TILDE ? bytes[at + 1] : undefined
    if (next === 0x7b || next === 0x7d) shifted = next === 0x7b
    else if (byte === LF) shifted = false
    if (next === 0x7b || next === 0x7d || next === LF || next === TILDE) at++
    if (next === undefined || next === TILDE) out[length++] = shifted ? withHighBit(byte) : byte
  }
  return gbk.decode(out.subarray(0, length))
}

const gbk = new TextDecoder('gbk')

/**
 * RFC 1468. An escape right after another, where two encoded words were joined, says nothing; the
 * Encoding Standard shows an error character for it.
 */
function decodeIso2022Jp(bytes: Buffer): string {
  const text = bytes.toString('latin1').replace(/\x1b\([BJ](?=\x1b)/g, '')
  return iso2022Jp.decode(Buffer.from(text, 'latin1'))
}

const iso2022Jp = new TextDecoder('iso-2022-jp')

/** ISO-2022-KR (RFC 1557): between SO and SI two seven-bit bytes are one character of KS X 1001. */
function decodeIso2022Kr(bytes: Buffer): string {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let shifted = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === SHIFT_OUT) shifted = true
    else if (byte === SHIFT_IN) shifted = false
    else out[length++] = shifted ? withHighBit(byte) : byte
  }
  return eucKr.decode(out.subarray(0, length)).replaceAll('\x1b$)C', '')
}

const eucKr = new TextDecoder('euc-kr')

/** Sets the high bit of a byte, except that white space stands for itself also in a shifted run. */
function withHighBit(byte: number): number {
  return byte > 0x20 ? byte | 0x80 : byte
}

/** Takes the byte order from the mark; without one it is little-endian where the first unit looks so. */
function decodeUtf32(bytes: Buffer): string {
  const length = bytes.length & ~3
  const littleEndian = length > 0 && bytes[3] === 0 && bytes[0] !== 0
  const units: string[] = []
  for (let at = 0; at < length; at += 4) {
    const point = littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
    units.push(point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point))
  }
  return withoutMark(units.join(''))
}
