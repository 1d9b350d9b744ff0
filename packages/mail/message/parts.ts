/**
 * Walks over the structure of a message: which parts it has and where their bodies are (RFC 2046).
 * Bodies are not read here, except those of encoded messages and of containers (containers.ts), which have
 * parts of their own.
 *
 * The walk is one pass from delimiter to delimiter, with a stack of the open parts. Where mail programs
 * disagree, every reading is followed: several Content-Type fields, several
 * boundaries, a boundary with text behind it, parts after the final delimiter, a multipart whose body
 * is encoded although RFC 2045 §6.4 forbids it.
 *
 * A boundary with text behind it begins a part of a second reading, on top of the stack; the first reading
 * goes on below as though that boundary were not there. The second one follows every delimiter, so that
 * its headers and bodies never overlap, and no byte is read more than twice.
 */
import { decodeByLook } from './charset.ts'
import { signedContent } from './cms.ts'
import { isFirstFragment, isSmime, isTnefPart } from './containers.ts'
import { type ContentDescription, describeContent, type MediaType } from './content-type.ts'
import {
  type Boundary,
  boundaryTable,
  type Delimiter,
  DelimiterSearch,
  delimiterIn,
  NO_BOUNDARIES,
} from './delimiters.ts'
import { type Header, readHeader } from './header.ts'
import {
  DEPTH_MAX,
  ENCODED_MESSAGE_BYTES_MAX,
  FIELDS_MAX,
  HEADER_BYTES_MAX,
  HEADER_FIRST_READ_BYTES,
  HEADER_READINGS_MAX,
  OPEN_BOUNDARIES_MAX,
  PART_FIELDS_MAX,
  PART_FIELDS_TOTAL_MAX,
  PART_HEADER_FIRST_READ_BYTES,
  PART_HEADERS_BYTES_MAX,
  PARTS_MAX,
  PLAIN_WALKS_MAX,
  WINDOW_BYTES,
} from './limits.ts'
import type { LimitReached, Oddity, Part } from './message.ts'
import { memoryOctets, type Octets } from './octets.ts'
import { type TnefFile, tnefFiles } from './tnef.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/** A part and the place of its body. */
export interface WalkedPart {
  readonly part: Part
  /** The part that it is in; undefined for the message itself. */
  readonly parent: WalkedPart | undefined
  readonly content: ContentDescription
  /** The bytes that the offsets refer to: the message, or an encoded message inside it. */
  readonly octets: Octets
  readonly bodyStart: number
  readonly bodyEnd: number
}

export interface Structure {
  /** Depth first, the root at 0. */
  readonly parts: readonly WalkedPart[]
  readonly oddities: ReadonlySet<Oddity>
  readonly limitsReached: ReadonlySet<LimitReached>
}

type Growing<T> = { -readonly [K in keyof T]: T[K] }

/** A part while it is open: its end and its children are not known yet. */
interface OpenPart extends Growing<WalkedPart> {
  readonly part: Growing<Part>
  readonly children: Part[]
}

/** A part on the stack, and where its final delimiter was seen, if it was. */
interface Frame {
  readonly open: OpenPart
  endedAt: number | undefined
}

/** What all walks over one message share. */
interface Findings {
  readonly parts: OpenPart[]
  readonly oddities: Set<Oddity>
  readonly limitsReached: Set<LimitReached>
  readonly outOfTime: () => boolean
  encodedBytesLeft: number
  /** Bytes that may still be walked as they stand although they are said to be encoded. */
  plainBytesLeft: number
  /** Bytes of headers of parts that may still be read; `fieldsLeft` is that for their fields. */
  headerBytesLeft: number
  fieldsLeft: number
}

export function walkParts(octets: Octets, start: number, outOfTime: () => boolean): Structure {
  const findings: Findings = {
    parts: [],
    oddities: new Set(),
    limitsReached: new Set(),
    outOfTime,
    encodedBytesLeft: ENCODED_MESSAGE_BYTES_MAX,
    plainBytesLeft: PLAIN_WALKS_MAX * octets.length,
    headerBytesLeft: Math.min(PART_HEADERS_BYTES_MAX, HEADER_READINGS_MAX * octets.length),
    fieldsLeft: PART_FIELDS_TOTAL_MAX,
  }
  new Walk(octets, octets.length, findings).message(start, 0, undefined)
  return findings
}

class Walk {
  readonly #octets: Octets
  readonly #end: number
  readonly #findings: Findings
  readonly #search: DelimiterSearch
  readonly #frames: Frame[] = []
  /** The index of the first frame of the second reading, which a boundary with text behind it began. */
  #secondReading = Number.POSITIVE_INFINITY
  #boundaries: Boundary[] = []
  /** The boundaries of the open frames. */
  #table = NO_BOUNDARIES
  #stopped = false

  constructor(octets: Octets, end: number, findings: Findings) {
    this.#octets = octets
    this.#end = end
    this.#findings = findings
    this.#search = new DelimiterSearch(octets, end, findings.outOfTime)
  }

  /** Walks a message or part, header first. */
  message(start: number, depth: number, parent: OpenPart | undefined): void {
    this.#follow(this.#open(start, depth, parent, 'text/plain'))
  }

  /** Walks the body of a multipart whose header has been read. */
  body(open: OpenPart): void {
    this.#push(open)
    this.#follow(0)
  }

  #follow(from: number): void {
    let at = from
    while (!this.#stopped && this.#boundaries.length > 0) {
      const delimiter = this.#search.next(at, this.#table)
      if (delimiter === undefined) break
      at = this.#pass(delimiter)
    }
    this.#stopWhenLate()
    this.#closeDownTo(0, this.#end)
  }

  /** Opens the part whose header begins at `start`; returns where the search continues. */
  #open(start: number, depth: number, parent: OpenPart | undefined, defaultType: string): number {
    if (this.#mustStop()) return start
    const header = depth === 0 ? this.#readRootHeader(start) : this.#readPartHeader(start)
    const content = describeContent(header.fields, defaultType)
    for (const oddity of [...header.oddities, ...content.oddities]) this.#note(oddity)
    for (const limit of header.limitsReached) this.#findings.limitsReached.add(limit)

    const body = { octets: this.#octets, bodyStart: header.bodyStart, bodyEnd: this.#end }
    const open = newPart(header.fields, content, depth, parent, body)
    parent?.children.push(open.part)
    this.#findings.parts.push(open)
    this.#push(open)
    const goesOn = header.bodyStart > start
    return (goesOn ? this.#openMessage(open) : undefined) ?? header.bodyStart
  }

  /** Reads the header even when the time is up: then the message is judged by its header alone. */
  #readRootHeader(start: number): Header {
    return readHeader(this.#octets, start, this.#end, {
      fieldsMax: FIELDS_MAX,
      bytesMax: HEADER_BYTES_MAX,
      firstReadBytes: HEADER_FIRST_READ_BYTES,
      isDelimiter: () => false,
      outOfTime: () => false,
    })
  }

  #readPartHeader(start: number): Header {
    const findings = this.#findings
    const isSecond = this.#frames.length >= this.#secondReading
    const header = readHeader(this.#octets, start, this.#end, {
      fieldsMax: Math.min(PART_FIELDS_MAX, findings.fieldsLeft),
      bytesMax: Math.min(HEADER_BYTES_MAX, findings.headerBytesLeft),
      firstReadBytes: PART_HEADER_FIRST_READ_BYTES,
      isDelimiter: (line) => {
        const found = delimiterIn(line, this.#table)
        return found !== undefined && (found.exact || isSecond)
      },
      outOfTime: findings.outOfTime,
    })
    findings.headerBytesLeft -= header.bytesRead
    findings.fieldsLeft -= header.fields.length
    return header
  }

  #mustStop(): boolean {
    const { parts, limitsReached, headerBytesLeft, fieldsLeft } = this.#findings
    if (parts.length === 0) return false
    if (parts.length >= PARTS_MAX) limitsReached.add('PARTS')
    else if (headerBytesLeft <= 0) limitsReached.add('HEADER_BYTES')
    else if (fieldsLeft <= 0) limitsReached.add('FIELDS')
    else return this.#stopWhenLate()
    this.#stopped = true
    return true
  }

  #stopWhenLate(): boolean {
    if (!this.#stopped && this.#findings.outOfTime()) {
      this.#findings.limitsReached.add('CPU')
      this.#stopped = true
    }
    return this.#stopped
  }

  #push(open: OpenPart): void {
    const frame = this.#frames.push({ open, endedAt: undefined }) - 1
    if (!isMultipart(open.content)) return
    if (open.part.depth >= DEPTH_MAX) {
      this.#findings.limitsReached.add('DEPTH')
      return
    }
    const texts = new Set(open.content.mediaTypes.flatMap(({ boundaries }) => boundaries))
    if (texts.size === 0) this.#note('BOUNDARY_MISSING')
    for (const text of texts) {
      if (this.#boundaries.length < OPEN_BOUNDARIES_MAX) {
        this.#boundaries.push({ text, frame })
      } else this.#findings.limitsReached.add('DEPTH')
    }
    this.#table = boundaryTable(this.#boundaries)
  }

  /** Opens a nested message that is not encoded, inside the part that holds it. */
  #openMessage(open: OpenPart): number | undefined {
    if (!holdsMessage(open.content) || isEncoded(open.content)) return undefined
    if (open.part.depth >= DEPTH_MAX) {
      this.#findings.limitsReached.add('DEPTH')
      return undefined
    }
    return this.#open(open.bodyStart, open.part.depth + 1, open, 'text/plain')
  }

  #pass(delimiter: Delimiter): number {
    const index = delimiter.boundary.frame
    if (!delimiter.exact) return this.#passInexact(delimiter, index)

    this.#closeDownTo(index + 1, this.#contentEnd(delimiter.start))
    if (!delimiter.final) return this.#openChild(index, delimiter.next)
    this.#frames[index]!.endedAt = delimiter.next
    return delimiter.next
  }

  /** Begins or continues the second reading; what the first reading has open stays open. */
  #passInexact(delimiter: Delimiter, index: number): number {
    this.#note('BOUNDARY_INSIDE_LINE')
    if (delimiter.final) return delimiter.next
    const top = Math.max(index + 1, Math.min(this.#secondReading, this.#frames.length))
    this.#closeDownTo(top, this.#contentEnd(delimiter.start))
    this.#secondReading = Math.min(this.#secondReading, top)
    return this.#openChild(index, delimiter.next)
  }

  #openChild(index: number, start: number): number {
    const frame = this.#frames[index]!
    if (frame.endedAt !== undefined) this.#note('TEXT_AFTER_END')
    const parent = frame.open
    const defaultType = parent.part.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
    return this.#open(start, parent.part.depth + 1, parent, defaultType)
  }

  /** The end of the content before a delimiter, to which the line end before it belongs, RFC 2046 §5.1.1. */
  #contentEnd(delimiterStart: number): number {
    const before = this.#octets
      .slice(Math.max(0, delimiterStart - 2), delimiterStart)
      .toString('latin1')
    if (before.endsWith('\r\n')) return delimiterStart - 2
    return before.endsWith('\n') ? delimiterStart - 1 : delimiterStart
  }

  #closeDownTo(index: number, end: number): void {
    for (let top = this.#frames.length - 1; top >= index; top--) {
      const frame = this.#frames[top]!
      this.#endBody(frame.open, end)
      this.#popDownTo(top)
      if (!this.#stopped) this.#judge(frame)
    }
  }

  #popDownTo(index: number): void {
    this.#frames.length = Math.min(index, this.#frames.length)
    if (index <= this.#secondReading) this.#secondReading = Number.POSITIVE_INFINITY
    const left = this.#boundaries.filter((boundary) => boundary.frame < index)
    if (left.length === this.#boundaries.length) return
    this.#boundaries = left
    this.#table = left.length === 0 ? NO_BOUNDARIES : boundaryTable(left)
  }

  #endBody(open: OpenPart, end: number): void {
    open.bodyEnd = Math.max(open.bodyStart, end)
    open.part.bodyBytes = open.bodyEnd - open.bodyStart
  }

  /** Notes what is only known of a part once it has ended. */
  #judge({ open, endedAt }: Frame): void {
    if (isMultipart(open.content)) this.#judgeMultipart(open, endedAt)
    else if (holdsMessage(open.content) && isEncoded(open.content)) this.#walkEncodedMessage(open)
    else if (isSmime(open.content)) this.#walkSigned(open)
    else if (isTnefPart(open.content)) this.#openTnef(open)
  }

  #judgeMultipart(open: OpenPart, endedAt: number | undefined): void {
    const encoded = isEncoded(open.content)
    if (encoded) this.#note('MULTIPART_ENCODED')
    if (open.children.length === 0 && encoded) this.#walkEncodedBody(open)
    if (open.children.length === 0) this.#noteUnused(open)
    else if (endedAt === undefined && !encoded) this.#note('BOUNDARY_UNTERMINATED')
    if (endedAt !== undefined && this.#hasText(endedAt, open.bodyEnd)) this.#note('TEXT_AFTER_END')
  }

  #noteUnused(open: OpenPart): void {
    const named = open.content.mediaTypes.some(({ boundaries }) => boundaries.length > 0)
    if (named && open.part.depth < DEPTH_MAX) this.#note('BOUNDARY_NEVER_USED')
  }

  #hasText(start: number, end: number): boolean {
    const stop = Math.min(end, start + WINDOW_BYTES)
    return start < stop && /\S/.test(this.#octets.slice(start, stop).toString('latin1'))
  }

  /** Walks an encoded message. When the decoded bytes are not a message, the declared encoding may be false. */
  #walkEncodedMessage(open: OpenPart): void {
    const depth = open.part.depth + 1
    if (depth > DEPTH_MAX) {
      this.#findings.limitsReached.add('DEPTH')
      return
    }
    const decoded = this.#decodedBody(open)
    new Walk(decoded, decoded.length, this.#findings).message(0, depth, open)
    if (open.children[0]?.fields.length !== 0) return
    this.#findings.plainBytesLeft -= open.part.bodyBytes
    if (this.#findings.plainBytesLeft < 0) this.#findings.limitsReached.add('DEPTH')
    else new Walk(this.#octets, open.bodyEnd, this.#findings).message(open.bodyStart, depth, open)
  }

  /** Walks what is signed as a whole. */
  #walkSigned(open: OpenPart): void {
    const depth = open.part.depth + 1
    if (depth > DEPTH_MAX) {
      this.#findings.limitsReached.add('DEPTH')
      return
    }
    const content = signedContent(this.#decodedBytes(open))
    if (content === undefined) return
    new Walk(memoryOctets(content), content.length, this.#findings).message(0, depth, open)
  }

  /** Makes parts of the texts and files of a winmail.dat. */
  #openTnef(open: OpenPart): void {
    const { parts } = this.#findings
    for (const file of tnefFiles(this.#decodedBytes(open))) {
      if (parts.length >= PARTS_MAX) {
        this.#findings.limitsReached.add('PARTS')
        return
      }
      const body = { octets: memoryOctets(file.bytes), bodyStart: 0, bodyEnd: file.bytes.length }
      const part = newPart([], contentOfTnef(file), open.part.depth + 1, open, body)
      open.children.push(part.part)
      parts.push(part)
    }
  }

  #walkEncodedBody(open: OpenPart): void {
    const decoded = this.#decodedBody(open)
    const inner = { ...open, octets: decoded, bodyStart: 0, content: notEncoded(open.content) }
    new Walk(decoded, decoded.length, this.#findings).body(inner)
    this.#endBody(open, open.bodyEnd)
  }

  #decodedBody(open: OpenPart): Octets {
    return memoryOctets(this.#decodedBytes(open))
  }

  #decodedBytes(open: OpenPart): Buffer {
    const length = Math.min(open.bodyEnd - open.bodyStart, this.#findings.encodedBytesLeft)
    this.#findings.encodedBytesLeft -= length
    const bytes = this.#octets.slice(open.bodyStart, open.bodyStart + length)
    const encoding = open.content.encodings.find((name) => name !== 'identity') ?? 'identity'
    return decodeTransfer(bytes, encoding).bytes
  }

  #note(oddity: Oddity): void {
    this.#findings.oddities.add(oddity)
  }
}

function newPart(
  fields: Part['fields'],
  content: ContentDescription,
  depth: number,
  parent: OpenPart | undefined,
  body: Pick<WalkedPart, 'octets' | 'bodyStart' | 'bodyEnd'>,
): OpenPart {
  const mediaType = content.mediaTypes[0] as MediaType
  const children: Part[] = []
  const part = {
    fields,
    type: mediaType.type,
    parameters: mediaType.parameters,
    disposition: content.disposition,
    fileName: content.fileName,
    transferEncoding: content.transferEncoding,
    depth,
    bodyBytes: body.bodyEnd - body.bodyStart,
    parts: children,
  }
  return { part, content, parent, ...body, children }
}

function contentOfTnef({ type, charset, fileName }: TnefFile): ContentDescription {
  const parameters = new Map(charset === undefined ? [] : [['charset', charset]])
  return {
    mediaTypes: [{ type, parameters, boundaries: [] }],
    disposition: type.startsWith('text/') ? '' : 'attachment',
    fileName: fileName && decodeByLook(fileName).text,
    otherNames: [],
    transferEncoding: 'binary',
    encodings: ['identity'],
    oddities: [],
  }
}

/** True when any of the Content-Type fields says multipart. */
export function isMultipart(content: ContentDescription): boolean {
  return content.mediaTypes.some(({ type }) => type.startsWith('multipart/'))
}

/** True for message/rfc822 (RFC 2046 §5.2.1) and its internationalized form (RFC 6532 §3.7). */
export function isMessage(content: ContentDescription): boolean {
  return content.mediaTypes.some(
    ({ type }) => type === 'message/rfc822' || type === 'message/global' || type === 'message/news',
  )
}

/** Whether the body of such a part is a message, header first. */
function holdsMessage(content: ContentDescription): boolean {
  return isMessage(content) || isFirstFragment(content)
}

function isEncoded(content: ContentDescription): boolean {
  return content.encodings.some((encoding) => encoding !== 'identity')
}

function notEncoded(content: ContentDescription): ContentDescription {
  return { ...content, encodings: ['identity'] }
}
