/**
 * Reads a message from its bytes: header, structure, texts, attachments and links.
 *
 * Any bytes give a Message. Conflicts and broken syntax are recorded in `oddities`, and limits that
 * ended the reading in `limitsReached`; nothing is thrown. The time grows with the length of the
 * message and not with its structure.
 */
import { isAttachment, readAttachment } from './attachments.ts'
import { withLineFeeds } from './bare-cr-octets.ts'
import type { HtmlDocument } from './html.ts'
import {
  ATTACHED_TEXTS_MAX,
  LINK_LENGTH_MAX,
  LINKS_MAX,
  TEXT_BYTES_MAX,
  TEXT_BYTES_MIN,
  WINDOW_BYTES,
} from './limits.ts'
import {
  type Attachment,
  headerBody,
  type LimitReached,
  type Link,
  type Message,
  type Oddity,
  type TextBody,
} from './message.ts'
import type { Octets } from './octets.ts'
import { type WalkedPart, walkParts } from './parts.ts'
import { withRawText } from './raw-header-text.ts'
import { ReadingBudget } from './reading-budget.ts'
import { readAttachedText, readTexts } from './text-bodies.ts'
import { findLinks } from './text-links.ts'

export interface ParseOptions {
  /** Called between parts; once it returns true, no more is read and 'CPU' is among the limits. */
  readonly outOfTime?: () => boolean
}

/** What was read from the bodies of all parts. */
interface Bodies {
  readonly texts: readonly TextBody[]
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
    attachments: bodies.attachments,
    attachedTexts: bodies.attachedTexts,
    links: linksOf(subject, bodies.texts),
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
  const texts: TextBody[] = []
  const attachments: Attachment[] = []
  const attachedTexts: TextBody[] = []
  const oddities: Oddity[] = []
  const budget = new ReadingBudget()
  let bytesLeft = TEXT_BYTES_MAX
  for (const walked of parts) {
    if (outOfTime()) return { texts, attachments, attachedTexts, oddities, limitsReached: ['CPU'] }
    const read = readTexts(walked, Math.max(Math.floor(bytesLeft / 2), TEXT_BYTES_MIN), budget)
    texts.push(...read.texts)
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
  const limitsReached = budget.isExceeded ? (['READINGS'] as const) : []
  return { texts, attachments, attachedTexts, oddities, limitsReached }
}

/** Links of a subject that are kept. Stops a subject of half a megabyte from leaving no room for those of the text. */
const SUBJECT_LINKS_MAX = 8

function linksOf(subject: string, texts: readonly TextBody[]): Link[] {
  const links = findLinks(subject).slice(0, SUBJECT_LINKS_MAX).map(bareLink)
  for (const { html, source } of texts) {
    const found = html === undefined ? findLinks(source).map(bareLink) : htmlLinks(html)
    for (const link of found) {
      if (links.length >= LINKS_MAX) return links
      links.push(link)
    }
  }
  return links
}

/** Anchors; addresses in the text; and where else the body leads, if that is no other link again. */
function htmlLinks({ links, bareLinks, targets }: HtmlDocument): Link[] {
  const anchors = links.map(({ href, text }): Link => ({ href, text, source: 'html' }))
  const known = new Set([...anchors.map(({ href }) => href), ...bareLinks])
  const further = [...new Set(targets)].filter((href) => !known.has(href))
  return [
    ...anchors,
    ...bareLinks.map(bareLink),
    ...further.map((href): Link => ({ href, text: '', source: 'html' })),
  ]
}

function bareLink(href: string): Link {
  return { href: href.slice(0, LINK_LENGTH_MAX), text: href, source: 'text' }
}

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
