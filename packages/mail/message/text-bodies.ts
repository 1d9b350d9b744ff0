/**
 * The text of a part as a reader sees it: transfer encoding and charset undone, flowed lines
 * joined, HTML scanned.
 *
 * Only the first and the last stretch of a long body are read. Where a part can be read in several
 * ways (two Content-Type fields, two transfer encodings) each reading gives a text.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { decodeCharset } from './charset.ts'
import type { MediaType } from './content-type.ts'
import { type EnclosedFile, enclosedFiles } from './enclosed-files.ts'
import { scanHtml } from './html.ts'
import {
  ATTACHED_TEXT_BYTES,
  type ReadingBudget,
  TEXT_HEAD_BYTES,
  TEXT_TAIL_BYTES,
} from './limits.ts'
import type { Attachment, Oddity, TextBody } from './message.ts'
import { isMultipart, type WalkedPart } from './parts.ts'
import { decodeTransfer, type TransferEncoding } from './transfer-encoding.ts'

export interface PartTexts {
  readonly texts: readonly TextBody[]
  /** Files that stand encoded in a text, none twice. */
  readonly enclosed: readonly Attachment[]
  /** What is text of them. */
  readonly enclosedTexts: readonly TextBody[]
  readonly oddities: readonly Oddity[]
  readonly bytesRead: number
}

interface Reading {
  readonly kind: TextBody['kind']
  readonly mediaType: MediaType
  readonly encoding: TransferEncoding
}

interface Stretch {
  readonly text: string
  /** What `text` was decoded from. */
  readonly bytes: Buffer
  readonly charset: string
  readonly oddities: readonly Oddity[]
}

const LF = 0x0a

/** Types that are text although their name does not begin with text/: the reports in bounces. */
const TEXT_MESSAGES = new Set(['message/delivery-status', 'message/disposition-notification'])

/** First characters of HTML in which a charset declaration counts, as in the HTML standard's prescan. */
const META_PRESCAN_LENGTH = 1024

/**
 * The texts of `walked`; none when it is not shown as text. At most `bytesMax` bytes are read, those
 * that are read in several ways as often as `budget` allows.
 */
export function readTexts(walked: WalkedPart, bytesMax: number, budget: ReadingBudget): PartTexts {
  const readings = textReadings(walked)
  const texts: TextBody[] = []
  const enclosed: Attachment[] = []
  const enclosedTexts: TextBody[] = []
  const oddities: Oddity[] = []
  let bytesRead = 0
  const extent = extentOf(walked, Math.floor(bytesMax / readings.length))
  const extentBytes = extent.head + extent.tail
  for (const [at, reading] of readings.entries()) {
    if (at > 0 && !budget.allowsRepeating(extentBytes)) break
    const stretches = readStretches(walked, reading, extent)
    for (const stretch of stretches) oddities.push(...stretch.oddities)
    texts.push(textBody(reading, stretches, budget))
    bytesRead += extentBytes
    for (const file of stretches.flatMap(({ bytes }) => enclosedFiles(bytes, budget))) {
      const { fileName, headHash } = file.attachment
      if (enclosed.some((it) => it.fileName === fileName && it.headHash === headHash)) continue
      enclosed.push(file.attachment)
      if (file.attachment.type !== '') enclosedTexts.push(enclosedText(file, reading, budget))
    }
  }
  return { texts: distinctTexts(texts), enclosed, enclosedTexts, oddities, bytesRead }
}

/** In the charset of the text around it, for want of another. */
function enclosedText(file: EnclosedFile, around: Reading, budget: ReadingBudget): TextBody {
  const kind = kindOf(file.attachment.type)
  const reading: Reading = { kind, mediaType: around.mediaType, encoding: 'identity' }
  return textBody(reading, [decodedStretch(file.decoded, reading)], budget)
}

/** The text of `walked` if that is attached plain text or HTML, as far as ATTACHED_TEXT_BYTES; a reader opens it with a click. */
export function readAttachedText(walked: WalkedPart, budget: ReadingBudget): TextBody | undefined {
  const { part, content } = walked
  const mediaType = content.mediaTypes[0]!
  const type = typeByName(mediaType.type, part.fileName)
  if (part.disposition !== 'attachment' || (type !== 'text/plain' && type !== 'text/html')) {
    return undefined
  }
  const reading = { kind: kindOf(type), mediaType, encoding: content.encodings[0]! }
  const head = Math.min(walked.bodyEnd - walked.bodyStart, ATTACHED_TEXT_BYTES)
  return textBody(reading, readStretches(walked, reading, { head, tail: 0 }), budget)
}

/** True when some reading of `walked` is shown as text. */
export function isText(walked: WalkedPart): boolean {
  return textReadings(walked).length > 0
}

function textReadings(walked: WalkedPart): Reading[] {
  const { mediaTypes, encodings, fileName } = walked.content
  const types = mediaTypes.filter((mediaType) => isTextType(walked, mediaType.type))
  if (types.length === 0 && isUndivided(walked)) types.push(mediaTypes[0]!)
  return types.flatMap((mediaType) => {
    const kind = kindOf(typeByName(mediaType.type, fileName))
    return encodings.map((encoding) => ({ kind, mediaType, encoding }))
  })
}

function kindOf(type: string): TextBody['kind'] {
  return HTML_TYPES.has(type) ? 'html' : 'plain'
}

const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

/** Types under which an event is sent beside text/calendar. */
const CALENDAR_TYPES: ReadonlySet<string> = new Set(['text/calendar', 'application/ics'])

/**
 * Text is shown by mail programs, also under a file name, unless it is marked as an attachment; an event is
 * shown even then.
 */
function isTextType({ part }: WalkedPart, declared: string): boolean {
  const type = typeByName(declared, part.fileName)
  if (CALENDAR_TYPES.has(type)) return true
  if (part.disposition === 'attachment') return false
  return type.startsWith('text/') || TEXT_MESSAGES.has(type) || HTML_TYPES.has(type)
}

/** What a name says where the declared type says nothing. */
const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  htm: 'text/html',
  html: 'text/html',
  shtml: 'text/html',
  xhtml: 'text/html',
  xht: 'text/html',
  txt: 'text/plain',
  text: 'text/plain',
  ics: 'text/calendar',
}

/** The type by which mail programs go: `declared`, unless that is one of many kinds of file and the name says more. */
export function typeByName(declared: string, fileName: string | undefined): string {
  if (!declared.startsWith('application/')) return declared
  const extension = /\.([a-z]{3,5})[.\s]*$/i.exec(fileName?.slice(-FILE_NAME_END_LENGTH) ?? '')?.[1]
  const byName = TYPES_BY_EXTENSION[extension?.toLowerCase() ?? '']
  return byName ?? declared
}

/** Characters at the end of a name in which its extension is looked for. */
const FILE_NAME_END_LENGTH = 32

/** A multipart in which no delimiter was found is shown as it stands. */
function isUndivided({ part, content }: WalkedPart): boolean {
  return isMultipart(content) && part.parts.length === 0
}

/** How much is read of a body from its start and from its end. */
interface Extent {
  readonly head: number
  readonly tail: number
}

function extentOf(walked: WalkedPart, bytesMax: number): Extent {
  const length = walked.bodyEnd - walked.bodyStart
  const allowed = Math.min(bytesMax, TEXT_HEAD_BYTES + TEXT_TAIL_BYTES)
  if (length <= allowed) return { head: length, tail: 0 }
  const tail = Math.floor((allowed * TEXT_TAIL_BYTES) / (TEXT_HEAD_BYTES + TEXT_TAIL_BYTES))
  return { head: allowed - tail, tail }
}

/** The body as one stretch, or as two when it is too long. */
function readStretches(walked: WalkedPart, reading: Reading, extent: Extent): Stretch[] {
  const { octets, bodyStart, bodyEnd } = walked
  const head = octets.slice(bodyStart, bodyStart + extent.head)
  if (extent.tail === 0) return [decodedStretch(head, reading)]
  const first = decodedStretch(upToLastLine(head), reading)
  const tail = octets.slice(bodyEnd - extent.tail, bodyEnd)
  return [first, decodedStretch(fromFirstLine(tail), reading)]
}

/** Cuts at a line end, so that neither an escape nor a group of four base64 characters is torn. */
function upToLastLine(bytes: Buffer): Buffer {
  const newline = bytes.lastIndexOf(LF)
  return newline < 0 ? bytes.subarray(0, bytes.length & ~3) : bytes.subarray(0, newline + 1)
}

function fromFirstLine(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.indexOf(LF) + 1)
}

function decodedStretch(encoded: Buffer, reading: Reading): Stretch {
  const { bytes, oddity } = decodeTransfer(encoded, reading.encoding)
  const decoded = decodeCharset(bytes, charsetLabel(bytes, reading))
  const oddities = [oddity, decoded.oddity, ...byteOddities(encoded, decoded.charset, reading)]
  return {
    text: decoded.text,
    bytes,
    charset: decoded.charset,
    oddities: oddities.filter((found) => found !== undefined),
  }
}

function byteOddities(encoded: Buffer, charset: string, reading: Reading): Oddity[] {
  if (reading.encoding !== 'identity' || /^utf-16/.test(charset)) return []
  const oddities: Oddity[] = []
  if (encoded.includes(0)) oddities.push('NUL_BYTE')
  if (hasBareCr(encoded)) oddities.push('BARE_CR')
  return oddities
}

function hasBareCr(bytes: Buffer): boolean {
  if (!bytes.includes(0x0d)) return false
  return /\r[^\r\n]/.test(bytes.toString('latin1'))
}

/**
 * The charset parameter; for HTML without one, the charset named in the markup, unless the bytes are
 * UTF-8: they rarely are by chance, and programs that re-encode mail leave the markup as it was.
 */
function charsetLabel(bytes: Buffer, { kind, mediaType }: Reading): string | undefined {
  const declared = mediaType.parameters.get('charset')
  if (declared !== undefined || kind !== 'html') return declared
  if (isUtf8(bytes) && !isAscii(bytes)) return undefined
  const head = bytes.subarray(0, META_PRESCAN_LENGTH).toString('latin1')
  return /<meta[^>]{0,200}charset\s?=\s?["']?([\w:.-]{1,40})/i.exec(head)?.[1]
}

function textBody(
  reading: Reading,
  stretches: readonly Stretch[],
  budget: ReadingBudget,
): TextBody {
  const decoded = stretches.map(({ text }) => withPlainLineEnds(text)).join('\n')
  const truncated = stretches.length > 1
  const charset = stretches[0]!.charset
  if (CALENDAR_START.test(decoded)) {
    const source = unfoldedCalendar(decoded)
    const body = { kind: 'plain', charset, source, visible: shownOfCalendar(decoded) } as const
    return { ...body, html: undefined, truncated, replaced: false }
  }
  const source = reading.kind === 'plain' ? unflowed(decoded, reading.mediaType) : decoded
  if (reading.kind === 'plain' && !looksLikeHtml(source)) {
    const body = { kind: 'plain', charset, source, visible: source } as const
    return { ...body, html: undefined, truncated, replaced: false }
  }
  const html = scanHtml(source, budget)
  const body = { kind: 'html', charset, source, visible: html.visibleText } as const
  return { ...body, html, truncated, replaced: false }
}

/** How an event begins, whatever the type says (RFC 5545 §3.4). */
const CALENDAR_START = /^\s{0,100}BEGIN:VCALENDAR\s/i

/** Whether programs that sniff would show the text as HTML, whatever its type says. */
function looksLikeHtml(source: string): boolean {
  return /^\s{0,100}<(?:!doctype html|html)[\s>]/i.test(source)
}

function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text
}

function unflowed(text: string, { parameters }: MediaType): string {
  if (parameters.get('format')?.toLowerCase() !== 'flowed') return text
  return joinFlowedLines(text, parameters.get('delsp')?.toLowerCase() === 'yes')
}

function distinctTexts(texts: readonly TextBody[]): TextBody[] {
  return texts.filter(
    (text, index) =>
      !texts
        .slice(0, index)
        .some(({ kind, source }) => kind === text.kind && source === text.source),
  )
}

/** Fields of an event (iCalendar, RFC 5545) that mail programs show. Outlook shows X-ALT-DESC, which is HTML, in place of the description. */
const SHOWN_FIELD = /^(?:SUMMARY|LOCATION|DESCRIPTION|COMMENT|X-ALT-DESC)(?:;[^:\n]{0,500})?:(.*)$/i

const TAG = /<[^<>]{0,1000}>/g

/** `source` with its lines unfolded (§3.1) and the characters of its texts restored (§3.3.11). */
function unfoldedCalendar(source: string): string {
  return source
    .replace(/\n[ \t]/g, '')
    .replace(/\\([nN,;\\])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped))
}

/** What is shown of an event, in the order of its fields; '' when it has none of them. */
function shownOfCalendar(source: string): string {
  const shown: string[] = []
  for (const line of source.replace(/\n[ \t]/g, '').split('\n')) {
    const value = SHOWN_FIELD.exec(line)?.[1]
    if (value !== undefined) shown.push(unfoldedCalendar(value).replace(TAG, ' '))
  }
  return shown.join('\n').trim()
}

/** The signature line "-- " ends in a space and yet is not flowed, RFC 3676 §4.3. */
const SIGNATURE = '-- '

/**
 * `text` (lines ended by LF) with flowed lines joined: a line that ends in a space continues in the next
 * line of the same quotation depth (format=flowed, RFC 3676). Quotation marks become one run of
 * '>' and a space.
 *
 * @param deleteSpace DelSp=yes: the space before the break was added and is removed, RFC 3676 §4.1.
 */
function joinFlowedLines(text: string, deleteSpace: boolean): string {
  const paragraphs: string[] = []
  let pieces: string[] = []
  let depth = -1
  for (const line of text.split('\n')) {
    const lineDepth = quoteDepth(line)
    const content = stuffedContent(line, lineDepth)
    if (pieces.length > 0 && (lineDepth !== depth || content === SIGNATURE)) {
      paragraphs.push(quoted(pieces.join(''), depth))
      pieces = []
    }
    depth = lineDepth
    const flowed = content.endsWith(' ') && content !== SIGNATURE
    pieces.push(flowed && deleteSpace ? content.slice(0, -1) : content)
    if (!flowed) {
      paragraphs.push(quoted(pieces.join(''), depth))
      pieces = []
    }
  }
  if (pieces.length > 0) paragraphs.push(quoted(pieces.join(''), depth))
  return paragraphs.join('\n')
}

function quoteDepth(line: string): number {
  let depth = 0
  while (line.charAt(depth) === '>') depth++
  return depth
}

/** The line without its quotation marks and the stuffed space after them, RFC 3676 §4.4. */
function stuffedContent(line: string, depth: number): string {
  return line.charAt(depth) === ' ' ? line.slice(depth + 1) : line.slice(depth)
}

function quoted(content: string, depth: number): string {
  return depth > 0 ? `${'>'.repeat(depth)} ${content}` : content
}
