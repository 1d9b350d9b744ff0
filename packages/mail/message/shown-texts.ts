/**
 * Which texts of a message its reader is shown, and as whose words.
 *
 * HTML replaces plain text between the alternatives of one multipart/alternative (RFC 2046 §5.1.4), and
 * nowhere else: in a multipart/mixed mail programs show all texts, one below the other. An attached message
 * is somebody else's, and is kept apart. Where there is nothing beside it, it is the message.
 */
import { isTnefPart } from './containers.ts'
import type { HtmlDocument } from './html.ts'
import { ATTACHED_MESSAGES_MAX, LINK_LENGTH_MAX, LINKS_MAX } from './limits.ts'
import { type AttachedMessage, headerBody, type Link, type Part, type TextBody } from './message.ts'
import { isMessage, type WalkedPart } from './parts.ts'
import { findLinks } from './text-links.ts'

/** A text and the part that it is from. */
export interface PlacedText {
  readonly text: TextBody
  readonly walked: WalkedPart
}

interface OwnAndAttached {
  readonly texts: readonly TextBody[]
  readonly attachedMessages: readonly AttachedMessage[]
}

/** What a text has that says anything: invisible characters and dots are none. */
const WORD = /[\p{L}\p{N}]/u

/** `placed` as the message's own texts and those of attached messages. */
export function ownAndAttached(placed: readonly PlacedText[]): OwnAndAttached {
  const marked = markReplaced(withoutRepeatedEvents(placed))
  const own: TextBody[] = []
  const attached = new Map<Part, TextBody[]>()
  for (const { text, walked } of marked) {
    const holder = attachedMessageOf(walked)
    if (holder === undefined) own.push(text)
    else if (attached.has(holder)) attached.get(holder)!.push(text)
    else attached.set(holder, [text])
  }
  if (!own.some(({ visible }) => WORD.test(visible))) {
    return { texts: marked.map(({ text }) => text), attachedMessages: [] }
  }
  const attachedMessages = [...attached].slice(0, ATTACHED_MESSAGES_MAX).map(([holder, texts]) => {
    const subject = holder.parts[0] && headerBody(holder.parts[0], 'subject')
    return { subject: subject ?? '', texts, links: linksOf(texts, subject) }
  })
  return { texts: own, attachedMessages }
}

/** Without events that are attached again: most invitations have theirs in an alternative and in an attachment. */
function withoutRepeatedEvents(placed: readonly PlacedText[]): readonly PlacedText[] {
  const seen = new Set<string>()
  return placed.filter(({ text, walked }) => {
    if (walked.part.type !== 'text/calendar' && walked.part.disposition !== 'attachment')
      return true
    if (seen.has(text.visible)) return false
    seen.add(text.visible)
    return true
  })
}

/** The part that holds the attached message which `walked` belongs to, the outermost; undefined for what is the message's own. */
function attachedMessageOf(walked: WalkedPart): Part | undefined {
  let holder: Part | undefined
  for (let it = walked.parent; it !== undefined; it = it.parent) {
    if (isMessage(it.content)) holder = it.part
  }
  return holder
}

/** A part whose parts are forms of one text, and the one of them in which a text is. */
interface Choice {
  readonly between: Part
  readonly chosen: Part
}

/** Marks plain text where HTML is another form of it: another part of an alternative, or another reading of the same part. */
function markReplaced(placed: readonly PlacedText[]): PlacedText[] {
  const withHtml = new Map<Part, Set<Part>>()
  for (const { text, walked } of placed) {
    if (text.kind !== 'html') continue
    for (const { between, chosen } of choicesOf(walked)) {
      const parts = withHtml.get(between) ?? new Set()
      withHtml.set(between, parts.add(chosen))
    }
  }
  const isReplaced = ({ text, walked }: PlacedText) => {
    if (text.kind === 'html') return false
    return choicesOf(walked).some(({ between, chosen }) => {
      const parts = withHtml.get(between)
      return parts !== undefined && (between === chosen || parts.size > 1 || !parts.has(chosen))
    })
  }
  return placed.map((it) => (isReplaced(it) ? { ...it, text: { ...it.text, replaced: true } } : it))
}

/** What programs choose between up to the message that `walked` is in, its own readings first. */
function choicesOf(walked: WalkedPart): Choice[] {
  const choices: Choice[] = [{ between: walked.part, chosen: walked.part }]
  let chosen = walked.part
  for (let it = walked.parent; it !== undefined && !isMessage(it.content); it = it.parent) {
    if (isAlternative(it)) choices.push({ between: it.part, chosen })
    chosen = it.part
  }
  return choices
}

function isAlternative({ part, content }: WalkedPart): boolean {
  return part.type === 'multipart/alternative' || isTnefPart(content)
}

/** Links of a subject that are kept. Stops a subject of half a megabyte from leaving no room for those of the text. */
const SUBJECT_LINKS_MAX = 8

/** Links in `subject` and `texts`, in this order, at most LINKS_MAX. */
export function linksOf(texts: readonly TextBody[], subject = ''): Link[] {
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
