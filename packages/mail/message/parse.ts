/**
 * Reads a message from its bytes: header, structure, texts, attachments and links.
 *
 * Any bytes give a Message. Conflicts and broken syntax are recorded in `oddities`, and limits that
 * ended the reading in `limitsReached`; nothing is thrown. The time grows with the length of the
 * message and not with its structure.
 */
import { hash } from 'node:crypto'
import { withRawText } from './header.ts'
import {
  ATTACHED_TEXTS_MAX,
  ATTACHMENT_HEAD_BYTES,
  ATTACHMENT_READ_BYTES,
  ReadingBudget,
  TEXT_BYTES_MAX,
  TEXT_BYTES_MIN,
  WINDOW_BYTES,
} from './limits.ts'
import {
  type AttachedMessage,
  type Attachment,
  headerBody,
  type LimitReached,
  type Message,
  type Oddity,
  type TextBody,
} from './message.ts'
import { type Octets, withLineFeeds } from './octets.ts'
import { isMessage, isMultipart, type WalkedPart, walkParts } from './parts.ts'
import { linksOf, ownAndAttached, type PlacedText } from './shown-texts.ts'
import { isText, readAttachedText, readTexts } from './text-bodies.ts'
import { decodeTransfer } from './transfer-encoding.ts'

export interface ParseOptions {
  /** Called between parts; once it returns true, no more is read and 'CPU' is among the limits. */
  readonly outOfTime?: () => boolean
}

interface Bodies {
  readonly texts: readonly TextBody[]
  readonly attachedMessages: readonly AttachedMessage[]
  readonly attachments: readonly Attachment[]
  readonly attachedTexts: readonly TextBody[]
  readonly oddities: readonly Oddity[]
  readonly limitsReached: readonly LimitReached[]
}

/** Reads a message. One without any header field comes back with no `fields`. */
export function parseMessage(octets: Octets, options: ParseOptions = {}): Message {
  const outOfTime = options.outOfTime ?? (() => false)
  const lines = withLineFeeds(octets)
  const structure = walkParts(lines, headerStart(lines), outOfTime)
  const bodies = readBodies(structure.parts, outOfTime)
  const walkedRoot = structure.parts[0]!
  const fields = withRawText(walkedRoot.part.fields, bodies.texts)
  const root = { ...walkedRoot.part, fields }
  const subject = headerBody({ fields }, 'subject') ?? ''
  return {
    bytes: octets.length,
    fields,
    subject,
    root,
    parts: structure.parts.map(({ part }, index) => (index === 0 ? root : part)),
    texts: bodies.texts,
    attachedMessages: bodies.attachedMessages,
    attachments: bodies.attachments,
    attachedTexts: bodies.attachedTexts,
    links: linksOf(bodies.texts, subject),
    oddities: distinct([
      ...(lines === octets ? [] : (['BARE_CR'] as const)),
      ...structure.oddities,
      ...bodies.oddities,
    ]),
    limitsReached: distinct([...structure.limitsReached, ...bodies.limitsReached]),
    bodyUnread: isUnread(bodies) && hasBody(walkedRoot),
  }
}

/** The 'From ' line of a mailbox, but not a From field with white space before its colon (RFC 5322 §4.5.2). */
const ENVELOPE_LINE = /^>?From (?![ \t]*:)/

/** Characters needed to tell the two apart. */
const ENVELOPE_LINE_START_LENGTH = 64

/** The first character of what may stand before a header: most messages begin with another. */
const LEAD_START = /^[\xef\r\n>F]/

/** Where the header starts: after a byte order mark, empty lines, and the 'From ' line of a mailbox (RFC 4155). */
function headerStart(octets: Octets): number {
  const read = (bytes: number) => octets.slice(0, Math.min(octets.length, bytes)).toString('latin1')
  if (!LEAD_START.test(read(1))) return 0
  const head = read(WINDOW_BYTES)
  const lead = /^(?:\xef\xbb\xbf)?[\r\n]*/.exec(head)![0].length
  if (!ENVELOPE_LINE.test(head.slice(lead, lead + ENVELOPE_LINE_START_LENGTH))) return lead
  const newline = head.indexOf('\n', lead)
  return newline < 0 ? lead : newline + 1
}

function readBodies(parts: readonly WalkedPart[], outOfTime: () => boolean): Bodies {
  const texts: PlacedText[] = []
  const attachments: Attachment[] = []
  const attachedTexts: TextBody[] = []
  const oddities: Oddity[] = []
  const budget = new ReadingBudget()
  let isLate = false
  let bytesLeft = TEXT_BYTES_MAX
  for (const walked of parts) {
    isLate = outOfTime()
    if (isLate) break
    const read = readTexts(walked, Math.max(Math.floor(bytesLeft / 2), TEXT_BYTES_MIN), budget)
    texts.push(...read.texts.map((text) => ({ text, walked })))
    oddities.push(...read.oddities)
    bytesLeft -= read.bytesRead
    if (isAttachment(walked)) attachments.push(readAttachment(walked))
    attachments.push(...read.enclosed)
    const textsLeft = ATTACHED_TEXTS_MAX - attachedTexts.length
    attachedTexts.push(...read.enclosedTexts.slice(0, textsLeft))
    if (attachedTexts.length < ATTACHED_TEXTS_MAX) {
      const attached = readAttachedText(walked, budget)
      if (attached !== undefined) attachedTexts.push(attached)
    }
  }
  const limitsReached = [
    ...(isLate ? (['CPU'] as const) : []),
    ...(budget.isExceeded ? (['READINGS'] as const) : []),
  ]
  return { ...ownAndAttached(texts), attachments, attachedTexts, oddities, limitsReached }
}

/** What an attached message says does not matter: there are some only where there is another text. */
function isUnread({ texts, attachments }: Bodies): boolean {
  return attachments.length === 0 && !texts.some(({ source }) => /\S/.test(source))
}

function hasBody({ octets, bodyStart, bodyEnd }: WalkedPart): boolean {
  for (let at = bodyStart; at < bodyEnd; at += WINDOW_BYTES) {
    const window = octets.slice(at, Math.min(at + WINDOW_BYTES, bodyEnd))
    if (/\S/.test(window.toString('latin1'))) return true
  }
  return false
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

/** True when `walked` is offered as a file. A text with a file name is both shown and offered; a container that was opened is not. */
function isAttachment(walked: WalkedPart): boolean {
  if (isMultipart(walked.content) || isOpenedContainer(walked)) return false
  if (walked.part.disposition === 'attachment' || walked.part.fileName !== undefined) return true
  return !isMessage(walked.content) && !isText(walked)
}

function isOpenedContainer({ part, content }: WalkedPart): boolean {
  return part.parts.length > 0 && !isMessage(content)
}

/** The attachment in `walked`. Only its first bytes are decoded: they show what kind of file it is, and no later stage needs the rest. */
function readAttachment(walked: WalkedPart): Attachment {
  const { part, content, octets, bodyStart, bodyEnd } = walked
  const encoded = octets.slice(bodyStart, Math.min(bodyEnd, bodyStart + ATTACHMENT_READ_BYTES))
  const decoded = decodeTransfer(encoded, content.encodings[0]!).bytes
  const head = new Uint8Array(decoded.subarray(0, ATTACHMENT_HEAD_BYTES))
  const share = encoded.length === 0 ? 1 : decoded.length / encoded.length
  return {
    fileName: part.fileName ?? '',
    otherNames: content.otherNames,
    type: part.type,
    disposition: part.disposition,
    shown: isText(walked),
    bytes: Math.round((bodyEnd - bodyStart) * share),
    headHash: hash('sha256', head, 'hex'),
    head,
  }
}
