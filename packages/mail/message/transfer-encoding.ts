/**
 * Decodes Content-Transfer-Encoding: base64 and quoted-printable (RFC 2045 §6), and uuencode, which old
 * senders name 'x-uuencode'.
 *
 * The decoders are as forgiving as common mail programs: characters outside the alphabet are skipped
 * (base64, RFC 2045 §6.8) or kept (quoted-printable), and noted.
 */
import type { Oddity } from './message.ts'

export type TransferEncoding = 'identity' | 'base64' | 'quoted-printable' | 'uuencode'

export interface DecodedBytes {
  readonly bytes: Buffer
  /** BASE64_MALFORMED or QUOTED_PRINTABLE_MALFORMED. */
  readonly oddity: Oddity | undefined
}

/** By name, without the dashes and blanks that senders put into it or leave out: 'quoted printable', 'base-64', '8 bit'. */
const ENCODINGS: Readonly<Record<string, TransferEncoding>> = {
  '': 'identity',
  '7bit': 'identity',
  '8bit': 'identity',
  binary: 'identity',
  base64: 'base64',
  quotedprintable: 'quoted-printable',
  xuuencode: 'uuencode',
  xuue: 'uuencode',
  uuencode: 'uuencode',
  uue: 'uuencode',
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09
const EQUALS = 0x3d

export function transferEncodingOf(name: string): TransferEncoding | undefined {
  const plain = name.replace(/[\s_"'-]/g, '').toLowerCase()
  return Object.hasOwn(ENCODINGS, plain) ? ENCODINGS[plain] : undefined
}

/** Decodes `bytes`. The result may be a view of `bytes`. */
export function decodeTransfer(bytes: Buffer, encoding: TransferEncoding): DecodedBytes {
  if (encoding === 'base64') return decodeBase64(bytes)
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(bytes)
  if (encoding === 'uuencode') return { bytes: decodeUuencode(bytes), oddity: undefined }
  return { bytes, oddity: undefined }
}

/**
 * Mail may continue after its padding: with more base64, or with the footer of a list in plain text. What
 * follows is decoded unless it looks like such a footer, which is kept as it stands.
 */
function decodeBase64(bytes: Buffer): DecodedBytes {
  const text = bytes.toString('latin1')
  const padding = text.indexOf('=')
  const goesOn = padding >= 0 && /[^=\s]/.test(text.slice(padding))
  if (!goesOn && !NOT_BASE64.test(text)) {
    return { bytes: Buffer.from(text, 'base64'), oddity: undefined }
  }
  return { bytes: decodeBroken(bytes, goesOn ? padding : bytes.length), oddity: 'BASE64_MALFORMED' }
}

const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/

/** Decodes all of `bytes`, or what is before `padding` where a footer follows it. */
function decodeBroken(bytes: Buffer, padding: number): Buffer {
  const footer = withoutPadding(bytes.subarray(padding))
  if (!looksPlain(footer)) return decodeSextets(bytes)
  return Buffer.concat([decodeSextets(bytes.subarray(0, padding)), footer])
}

function withoutPadding(bytes: Buffer): Buffer {
  let at = 0
  while (bytes[at] === EQUALS) at++
  return bytes.subarray(at)
}

/** Bytes after the padding that are looked at. */
const FOOTER_LOOKED_AT_MAX = 4 * 1024

/** Share of the characters that no base64 has, blanks between words among them, from which they are plain text: English has one in six. */
const FOREIGN_SHARE_MIN = 0.05

/** Share of control characters up to which decoded bytes are text, and share of printable ASCII from which they are, whatever controls are among it. Words taken for base64 give a tenth of the former, a third of the latter. */
const DECODED_CONTROLS_MAX = 0.02
const DECODED_PRINTABLE_MIN = 0.6

/** Whether `bytes` are plain text and not base64: by their characters, and by what would come out. */
function looksPlain(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, FOOTER_LOOKED_AT_MAX).trim()
  const foreign = text.match(/[^A-Za-z0-9+/=\s]|[ \t](?=\S)/g)?.length ?? 0
  if (foreign === 0 || foreign < text.length * FOREIGN_SHARE_MIN) return false
  const decoded = decodeSextets(bytes.subarray(0, FOOTER_LOOKED_AT_MAX)).toString('latin1')
  const controls = decoded.match(/[\0-\x08\x0e-\x1f]/g)?.length ?? 0
  const printable = decoded.match(/[\t\n\r -~]/g)?.length ?? 0
  return (
    controls > decoded.length * DECODED_CONTROLS_MAX &&
    printable < decoded.length * DECODED_PRINTABLE_MIN
  )
}

const GROUP_LENGTH = 4

/**
 * Decodes the characters of the alphabet and passes over all others, as postal-mime, Python and Perl do:
 * Buffer would take '-' and '_' for digits and end at the first '='. Padding that completes a group ends
 * it, as in Python; a '=' elsewhere is passed over.
 */
function decodeSextets(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let bits = 0
  let sextets = 0
  let pads = 0
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]!
    const value = SEXTETS[code]!
    if (value < 0) {
      if (code === EQUALS && sextets >= 2 && sextets + ++pads >= GROUP_LENGTH) sextets = 0
      continue
    }
    pads = 0
    bits = (bits << 6) | value
    if (sextets > 0) out[length++] = bits >> (6 - 2 * sextets)
    sextets = (sextets + 1) % GROUP_LENGTH
  }
  return out.subarray(0, length)
}

/** The value of each byte as a digit of base64; -1 where it is none. */
const SEXTETS = Int8Array.from({ length: 256 }, (_, byte) =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(
    String.fromCharCode(byte),
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
