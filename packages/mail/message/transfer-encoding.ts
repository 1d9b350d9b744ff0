/**
 * Decodes Content-Transfer-Encoding: base64 and quoted-printable (RFC 2045 §6), and uuencode, which old
 * senders name 'x-uuencode'.
 *
 * The decoders are as forgiving as common mail programs: characters outside the alphabet are skipped
 * (base64) or kept (quoted-printable), and noted.
 */
import type { Oddity } from './message.ts'

export type TransferEncoding = 'identity' | 'base64' | 'quoted-printable' | 'uuencode'

export interface DecodedBytes {
  readonly bytes: Buffer
  /** BASE64_MALFORMED or QUOTED_PRINTABLE_MALFORMED. */
  readonly oddity: Oddity | undefined
}

const ENCODINGS: Readonly<Record<string, TransferEncoding>> = {
  '': 'identity',
  '7bit': 'identity',
  '8bit': 'identity',
  '7-bit': 'identity',
  '8-bit': 'identity',
  binary: 'identity',
  base64: 'base64',
  'quoted-printable': 'quoted-printable',
  quotedprintable: 'quoted-printable',
  'x-uuencode': 'uuencode',
  'x-uue': 'uuencode',
  uuencode: 'uuencode',
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09
const EQUALS = 0x3d

/** The encoding that the lower-cased token `name` stands for; undefined when it is not known. */
export function transferEncodingOf(name: string): TransferEncoding | undefined {
  return Object.hasOwn(ENCODINGS, name) ? ENCODINGS[name] : undefined
}

/** Decodes `bytes`. The result may be a view of `bytes`. */
export function decodeTransfer(bytes: Buffer, encoding: TransferEncoding): DecodedBytes {
  if (encoding === 'base64') return decodeBase64(bytes)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(bytes)
  if (encoding === 'uuencode') return { bytes: decodeUuencode(bytes), oddity: undefined }
  return { bytes, oddity: undefined }
}

/**
 * The length of `encoded` bytes of base64 after decoding. The share of line ends among them is
 * estimated from `head`, the first of these bytes.
 */
export function decodedBase64Length(head: Buffer, tail: Buffer, encoded: number): number {
  const lineEnd = head.indexOf(LF)
  const padding =
    tail
      .toString('latin1')
      .trimEnd()
      .match(/={0,2}$/)?.[0].length ?? 0
  const breaks = lineEnd < 0 ? 0 : lineBreakBytes(head, lineEnd, encoded)
  return Math.max(0, Math.floor(((encoded - breaks) * 3) / 4) - padding)
}

function lineBreakBytes(head: Buffer, lineEnd: number, encoded: number): number {
  const width = head[lineEnd - 1] === CR ? 2 : 1
  return Math.floor(encoded / (lineEnd + 1)) * width
}

/** Buffer stops at the first '=', but mail may continue after it: with more base64, or a list's footer. */
function decodeBase64(bytes: Buffer): DecodedBytes {
  const text = bytes.toString('latin1')
  const padding = text.indexOf('=')
  if (padding >= 0 && /[^=\s]/.test(text.slice(padding))) {
    return { bytes: decodePastPadding(text, padding), oddity: 'BASE64_MALFORMED' }
  }
  const malformed = NOT_BASE64.test(text)
  return { bytes: Buffer.from(text, 'base64'), oddity: malformed ? 'BASE64_MALFORMED' : undefined }
}

const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/

/** Decodes what follows the padding too, and keeps it where it is not base64. */
function decodePastPadding(text: string, padding: number): Buffer {
  const rest = text.slice(padding)
  if (!NOT_BASE64.test(rest)) return decodePieces(text)
  const plain = Buffer.from(rest.replace(/^=+/, ''), 'latin1')
  return Buffer.concat([Buffer.from(text.slice(0, padding), 'base64'), plain])
}

/** Decodes what stands between paddings, each piece by itself, as Buffer would: a call for each of a million pieces takes thirty times as long. */
function decodePieces(text: string): Buffer {
  const out = Buffer.allocUnsafe(text.length)
  let length = 0
  let bits = 0
  let bitCount = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const value = SEXTETS[code]!
    if (code === EQUALS) bitCount = 0
    if (value < 0) continue
    bits = (bits << 6) | value
    bitCount += 6
    if (bitCount < 8) continue
    bitCount -= 8
    out[length++] = bits >> bitCount
  }
  return out.subarray(0, length)
}

/** The value of each byte as a digit of base64, as Buffer reads it (the alphabet for URLs too); -1 where it is none. */
const SEXTETS = Int8Array.from({ length: 256 }, (_, byte) =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(
    String.fromCharCode(byte).replace('-', '+').replace('_', '/'),
  ),
)

/**
 * Decodes quoted-printable (RFC 2045 §6.7). White space at the end of a line was added in transit and is
 * removed; a "=" that opens no escape stays, as mail programs show it.
 */
function decodeQuotedPrintable(bytes: Buffer): DecodedBytes {
  const out = Buffer.allocUnsafe(bytes.length)
  const end = bytes.length
  let length = 0
  /** White space before this length was written as an escape, or followed by one, and is kept. */
  let kept = 0
  let malformed = false
  for (let at = 0; at < end; ) {
    // Most bytes stand for themselves; a loop just for them, and without a call, takes half the time.
    for (; at < end && bytes[at] !== EQUALS && bytes[at] !== LF; at++) out[length++] = bytes[at]!
    if (at === end) break
    if (bytes[at] === LF) {
      length = withoutTrailingBlanks(out, length, kept)
      out[length++] = LF
      at++
      continue
    }
    const value = escapedByte(bytes, at)
    const lineEnd = value < 0 ? softBreakEnd(bytes, at + 1) : 0
    if (lineEnd > 0) at = lineEnd
    else {
      out[length++] = value < 0 ? EQUALS : value
      if (value < 0) malformed = true
      at += value < 0 ? 1 : 3
    }
    kept = length
  }
  const oddity = malformed ? 'QUOTED_PRINTABLE_MALFORMED' : undefined
  return { bytes: out.subarray(0, length), oddity }
}

/** The length of `out` without the blanks at its end; a CR after them moves up. */
function withoutTrailingBlanks(out: Buffer, length: number, kept: number): number {
  const crlf = length > kept && out[length - 1] === CR
  let end = crlf ? length - 1 : length
  while (end > kept && isBlank(out[end - 1]!)) end--
  if (crlf) out[end++] = CR
  return end
}

/** The value of the two hexadecimal digits after the '=' at `at`; negative when there are none. */
function escapedByte(bytes: Buffer, at: number): number {
  if (at + 2 >= bytes.length) return -1
  return (HEXADECIMAL[bytes[at + 1]!]! << 4) | HEXADECIMAL[bytes[at + 2]!]!
}

/** The value of each byte as a hexadecimal digit, -1 where it is none. */
const HEXADECIMAL = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = String.fromCharCode(byte)
  return /[0-9a-f]/i.test(digit) ? Number.parseInt(digit, 16) : -1
})

/** Where the line after a soft break ('=' and then only white space) begins; 0 when there is no soft break. */
function softBreakEnd(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && isBlank(bytes[at]!)) at++
  if (at >= bytes.length) return at
  if (bytes[at] === LF) return at + 1
  if (bytes[at] !== CR) return 0
  return bytes[at + 1] === LF ? at + 2 : at + 1
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB
}

/** Decodes the lines between 'begin' and 'end', or from the first line on where there is no 'begin'. */
function decodeUuencode(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let line = uuencodedStart(bytes); line < bytes.length; ) {
    if (bytes.toString('latin1', line, line + 3) === 'end') break
    const newline = bytes.indexOf(LF, line)
    const end = newline < 0 ? bytes.length : newline
    length = decodeUuencodedLine(bytes, line, end, out, length)
    line = end + 1
  }
  return out.subarray(0, length)
}

function uuencodedStart(bytes: Buffer): number {
  const begin = bytes.toString('latin1', 0, 6) === 'begin ' ? 0 : bytes.indexOf('\nbegin ') + 1
  if (bytes.toString('latin1', begin, begin + 6) !== 'begin ') return 0
  const newline = bytes.indexOf(LF, begin)
  return newline < 0 ? bytes.length : newline + 1
}

/**
 * The first character of a line gives the number of its bytes; after it four characters stand for three
 * bytes each. A line that is too short for its count is decoded as far as it goes.
 */
function decodeUuencodedLine(
  bytes: Buffer,
  line: number,
  end: number,
  out: Buffer,
  from: number,
): number {
  const count = (bytes[line]! - SPACE) & 63
  let length = from
  for (let at = line + 1; at < end && length < from + count; at += 4) {
    const a = sixBits(bytes, at, end)
    const b = sixBits(bytes, at + 1, end)
    const c = sixBits(bytes, at + 2, end)
    out[length++] = (a << 2) | (b >> 4)
    out[length++] = (b << 4) | (c >> 2)
    out[length++] = (c << 6) | sixBits(bytes, at + 3, end)
  }
  return Math.min(length, from + count)
}

/** Zero past the end of a line: the spaces that stand for zero get lost there. */
function sixBits(bytes: Buffer, at: number, end: number): number {
  return at < end && bytes[at]! >= SPACE ? (bytes[at]! - SPACE) & 63 : 0
}
