/**
 * The header of a message or part: a block of fields up to the first empty line (RFC 5322 §2.2).
 *
 * It is read in one pass over the bytes as Latin-1, one code unit for each byte; a field is decoded
 * only where it has an encoded word or 8-bit text. Lines that are not fields are skipped and noted, as
 * most mail programs do. Two such lines in a row, a delimiter of the header's own boundary, or a header
 * without an empty line at its end mean that the body began without one.
 *
 * A header also ends at a delimiter of the multipart around it, so that no byte is read as the
 * header of one part after the other.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { charsetOf, decodeCharset } from './charset.ts'
import { decodeHeaderText, hasUnreadWord } from './encoded-words.ts'
import {
  BOUNDARY_LENGTH_MAX,
  PARAMETER_FIELD_LENGTH_MAX,
  REPEATED_FIELDS_MAX,
  WINDOW_BYTES,
} from './limits.ts'
import type { HeaderField, LimitReached, Oddity, TextBody } from './message.ts'
import type { Octets } from './octets.ts'

export interface Header {
  readonly fields: readonly HeaderField[]
  /** Offset of the first byte after the empty line. */
  readonly bodyStart: number
  /** How many bytes were read: more than there are before `bodyStart` when no empty line ends the header. */
  readonly bytesRead: number
  readonly oddities: readonly Oddity[]
  readonly limitsReached: readonly LimitReached[]
}

/** The text of a header, without the empty line at its end. */
interface Block {
  readonly text: string
  readonly bodyStart: number
  /** False when a delimiter, the end or the limit came before an empty line. */
  readonly terminated: boolean
  readonly limited: boolean
}

interface BlockEnd {
  readonly end: number
  readonly next: number
  readonly terminated: boolean
}

const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const COLON = 0x3a

export interface HeaderOptions {
  readonly fieldsMax: number
  readonly bytesMax: number
  /** Bytes read at first; four times as many are read each time until the end is found. */
  readonly firstReadBytes: number
  /** Whether a line that begins with two dashes delimits an open multipart: no header continues past such a line. */
  readonly isDelimiter: (line: string) => boolean
  /** Whether the time is up; called between fields. */
  readonly outOfTime: () => boolean
}

export function readHeader(
  octets: Octets,
  start: number,
  end: number,
  options: HeaderOptions,
): Header {
  const block = readBlock(octets, start, end, options)
  const ascii = isAscii(octets.slice(start, start + block.text.length))
  const plain = ascii && !block.text.includes('=?')
  const split = splitFields(block.text, plain, options)
  const bodyLine = split.bodyLine ?? missedBody(block, split)
  return {
    fields: split.fields,
    bodyStart: bodyLine === undefined ? block.bodyStart : start + bodyLine,
    bytesRead: block.text.length,
    oddities: blockOddities(block, split),
    limitsReached: [
      ...(block.limited ? (['HEADER_BYTES'] as const) : []),
      ...(split.limit === undefined ? [] : [split.limit]),
    ],
  }
}

/** Where the body begins in a header without an end, or without a field: at its first strange line. */
function missedBody(block: Block, split: SplitFields): number | undefined {
  const isBody = !block.terminated || split.fields.length === 0
  return isBody ? split.firstMalformed : undefined
}

function blockOddities(block: Block, split: SplitFields): Oddity[] {
  const oddities: Oddity[] = []
  if (!block.terminated || split.bodyLine !== undefined) oddities.push('HEADER_UNTERMINATED')
  if (split.firstMalformed !== undefined) oddities.push('HEADER_LINE_MALFORMED')
  if (block.text.includes('\0')) oddities.push('NUL_BYTE')
  if (/\r[^\r\n]/.test(block.text)) oddities.push('BARE_CR')
  if (split.fields.some(isUnread)) oddities.push('ENCODED_WORD_MALFORMED')
  return oddities
}

function isUnread(field: HeaderField): boolean {
  return field.body !== field.rawBody && hasUnreadWord(field.body)
}

/** Reads four times as much each time until the block ends, which takes time linear in its length. */
function readBlock(
  octets: Octets,
  start: number,
  end: number,
  { bytesMax, firstReadBytes, isDelimiter }: HeaderOptions,
): Block {
  for (let size = firstReadBytes; ; size *= 4) {
    const limit = Math.min(start + Math.min(size, bytesMax), end)
    const text = octets.slice(start, limit).toString('latin1')
    const found = blockEnd(text, limit === end, isDelimiter)
    if (found !== undefined) {
      const { end: length, next, terminated } = found
      return { text: text.slice(0, length), bodyStart: start + next, terminated, limited: false }
    }
    if (limit === end) return { text, bodyStart: end, terminated: false, limited: false }
    if (size >= bytesMax) {
      const bodyStart = afterEmptyLine(octets, limit, end)
      return { text, bodyStart, terminated: true, limited: true }
    }
  }
}

/**
 * The first empty line or delimiter line of `text`; undefined when there is none.
 *
 * @param whole false when the last line may continue after `text`.
 */
function blockEnd(
  text: string,
  whole: boolean,
  isDelimiter: (line: string) => boolean,
): BlockEnd | undefined {
  for (let line = 0; line < text.length; ) {
    const first = text.charCodeAt(line)
    if (first === LF) return { end: line, next: line + 1, terminated: true }
    const newline = text.indexOf('\n', line)
    if (newline < 0 && !whole) return undefined
    const lineEnd = newline < 0 ? text.length : newline
    if (text.startsWith('--', line) && isDelimiter(text.slice(line, lineEnd))) {
      return { end: line, next: line, terminated: false }
    }
    if (newline < 0) return undefined
    if (first === CR && isCarriageReturns(text, line, newline)) {
      return { end: line, next: newline + 1, terminated: true }
    }
    line = newline + 1
  }
  return undefined
}

function isCarriageReturns(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) !== CR) return false
  return true
}

/** Where the body after an over-long header begins, found window by window; `end` when there is none. */
function afterEmptyLine(octets: Octets, from: number, end: number): number {
  for (let at = Math.max(0, from - 2); at < end; at += WINDOW_BYTES) {
    const window = octets.slice(at, Math.min(at + WINDOW_BYTES + 2, end)).toString('latin1')
    const empty = /\n\r?\n/.exec(window)
    if (empty !== null) return at + empty.index + empty[0].length
  }
  return end
}

interface SplitFields {
  readonly fields: readonly HeaderField[]
  /** Offset of the first line that is neither a field nor a continuation. */
  readonly firstMalformed: number | undefined
  /** Offset of the line at which the body begins when no empty line comes before it. */
  readonly bodyLine: number | undefined
  readonly limit: LimitReached | undefined
}

/** @param plain nothing in the block needs decoding. */
function splitFields(
  block: string,
  plain: boolean,
  { fieldsMax, outOfTime }: HeaderOptions,
): SplitFields {
  const fields: HeaderField[] = []
  const contentTypes: string[] = []
  const malformed = { first: -1, last: -1, lastEnd: -1 }
  let bodyLine: number | undefined
  let colon = -1
  let line = 0
  let limit: LimitReached | undefined
  while (line < block.length && bodyLine === undefined) {
    if (fields.length >= fieldsMax) limit = 'FIELDS'
    else if (outOfTime()) limit = 'CPU'
    if (limit !== undefined) break
    const next = fieldEnd(block, line)
    if (colon < line) colon = colonFrom(block, line)
    const nameEnd = fieldNameEnd(block, line, colon)
    if (nameEnd > line) {
      const field = newField(block.slice(line, nameEnd), bodyOf(block, colon + 1, next), plain)
      fields.push(field)
      if (contentTypes.length < REPEATED_FIELDS_MAX && isBoundaryField(field)) {
        contentTypes.push(field.rawBody)
      }
    } else if (!isEnvelopeLine(block, line)) {
      if (fields.length > 0 && malformed.lastEnd === line) bodyLine = malformed.last
      else if (isOwnDelimiter(block.slice(line, next), contentTypes)) bodyLine = line
      if (malformed.first < 0) malformed.first = line
      malformed.last = line
      malformed.lastEnd = next
    }
    line = next
  }
  return {
    fields,
    firstMalformed: malformed.first < 0 ? undefined : malformed.first,
    bodyLine,
    limit,
  }
}

function isBoundaryField({ name, rawBody }: HeaderField): boolean {
  return name === 'content-type' && rawBody.length <= PARAMETER_FIELD_LENGTH_MAX
}

/** Whether `line` is the first delimiter of the part's own multipart, so that the empty line before it is missing. `contentTypes` are the part's fields. */
function isOwnDelimiter(line: string, contentTypes: readonly string[]): boolean {
  if (!line.startsWith('--') || line.length > BOUNDARY_LENGTH_MAX) return false
  const boundary = line.slice(2).trim()
  return boundary !== '' && contentTypes.some((rawBody) => rawBody.includes(boundary))
}

/** Where the next colon is; a position after every line once there is none, so that the rest is not searched again. */
function colonFrom(block: string, line: number): number {
  const colon = block.indexOf(':', line)
  return colon < 0 ? block.length : colon
}

/** The end of the field that begins at `line`, continuations included. */
function fieldEnd(block: string, line: number): number {
  let at = line
  for (;;) {
    const newline = block.indexOf('\n', at)
    if (newline < 0) return block.length
    at = newline + 1
    const first = block.charCodeAt(at)
    if (first !== SPACE && first !== TAB) return at
  }
}

/**
 * Where the name that begins at `line` ends: printable ASCII up to the colon, which white space
 * may precede (RFC 5322 §4.5). `line` itself when this is not a field.
 */
function fieldNameEnd(block: string, line: number, colon: number): number {
  let at = line
  while (at < colon && isNameCharacter(block.charCodeAt(at))) at++
  const nameEnd = at
  while (at < colon && isBlank(block.charCodeAt(at))) at++
  return at === colon && block.charCodeAt(at) === COLON ? nameEnd : line
}

function isNameCharacter(code: number): boolean {
  return code > SPACE && code < 0x7f
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** 'From ' and '>From ' lines that mailboxes put before and between messages (RFC 4155). */
function isEnvelopeLine(block: string, line: number): boolean {
  return block.startsWith('From ', line) || block.startsWith('>From ', line)
}

function newField(spelledName: string, rawBody: string, plain: boolean): HeaderField {
  const body = plain ? rawBody : decodeHeaderText(rawBody)
  return { name: spelledName.toLowerCase(), spelledName, rawBody, body }
}

/**
 * The body, unfolded and without white space at its ends. `trim` would not do: it would take the byte
 * A0 from the end of a UTF-8 character.
 */
function bodyOf(block: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isWhiteSpace(block.charCodeAt(start))) start++
  while (end > start && isWhiteSpace(block.charCodeAt(end - 1))) end--
  const body = block.slice(start, end)
  return body.includes('\n') || body.includes('\r') ? unfolded(body) : body
}

/** A bare CR becomes a space: no later stage meets a control character that some readers obey. */
function unfolded(body: string): string {
  const joined = body.includes('\r') ? body.replaceAll('\r\n', '').replaceAll('\r', ' ') : body
  return joined.includes('\n') ? joined.replaceAll('\n', '') : joined
}

function isWhiteSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === CR || code === LF
}

/** Characters of each field that are looked at for the charset of all; a Subject is shorter. */
const LOOKED_AT_LENGTH = 256

const LOOKED_AT_MAX = 8

/**
 * `fields` with the raw text of all in one charset: that of the first of `texts` which has one of its own, or one
 * that the bytes tell. RFC 6532 allows UTF-8 alone, but senders that write other raw text mean the charset of the body.
 */
export function withRawText(
  fields: readonly HeaderField[],
  texts: readonly TextBody[],
): readonly HeaderField[] {
  const raw = fields.filter(hasRawText)
  if (raw.length === 0) return fields
  const looked = raw
    .slice(0, LOOKED_AT_MAX)
    .map(({ rawBody }) => rawBody.slice(0, LOOKED_AT_LENGTH))
    .join('\n')
  const declared = texts.find(({ charset }) => !/^(?:us-ascii|utf-.*)$/.test(charset))?.charset
  const charset = charsetOf(Buffer.from(looked, 'latin1'), declared ?? '')
  return fields.map((field) => (hasRawText(field) ? inCharset(field, charset) : field))
}

/** Whether a field has bytes beyond ASCII that are no UTF-8, or an escape of ISO-2022. */
function hasRawText({ rawBody }: HeaderField): boolean {
  if (/[\x80-\xff]/.test(rawBody)) return !isUtf8(Buffer.from(rawBody, 'latin1'))
  return rawBody.includes('\x1b$')
}

function inCharset(field: HeaderField, rawCharset: string): HeaderField {
  const body = decodeHeaderText(rawBodyInUtf8({ ...field, rawCharset }))
  return { ...field, body, rawCharset }
}

/** The raw body of `field`, each byte one code unit, in UTF-8: so read, a byte of a letter is no comma or quote. */
export function rawBodyInUtf8({ rawBody, rawCharset }: HeaderField): string {
  if (rawCharset === undefined) return rawBody
  const { text } = decodeCharset(Buffer.from(rawBody, 'latin1'), rawCharset)
  return Buffer.from(text).toString('latin1')
}
