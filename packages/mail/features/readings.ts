/**
 * Other ways to read a message than as a whole: senders of spam add innocent text where the reader
 * looks later or not at all. A reading leaves some of that text out; the models then judge the
 * message as if it said nothing else (docs/verdict.md).
 *
 * A reading exists only where it differs from the whole and has enough words to be judged.
 */
import type { HtmlDocument } from '../message/html.ts'
import type { Message, TextBody } from '../message/message.ts'
import { readerText, shownBodies, textOf } from '../signals/text.ts'

/** What the reading contains. */
export type ReadingName =
  /** The whole text, as a reader sees it. */
  | 'whole'
  /** The text without what may be hidden in a way that is not understood here. */
  | 'certain'
  /** One of several bodies that say different things. */
  | 'alternative'
  /** The same, of bodies that are shown one below the other. */
  | 'part'
  /** The text without quotations, forwarded messages and signatures. */
  | 'own'
  /** The whole text of what says it is a reply but quotes next to nothing, as if it were none. */
  | 'unquoted'
  /** What mail programs show elsewhere than in the text: the title, and texts in place of images. */
  | 'elsewhere'
  /** A text or a page that is attached. */
  | 'attached'
  /** A message that is attached, which is somebody else's. */
  | 'enclosed'
  /** The header alone, where all text is in a container that could not be read. */
  | 'header'
  /** The text up to where the reader has to scroll over empty space. */
  | 'first'
  /** The stretch that speaks most for spam. */
  | 'stretch'

/** `message` read in one way. */
export interface MessageReading {
  readonly name: ReadingName
  readonly message: Message
}

/** Bodies looked at. Stops a thousand parts from being scored one by one. */
const BODIES_MAX = 8

/** Readings of one message, not counting the whole, the stretch and attached messages. Stops eight bodies from being read in four ways each. */
const READINGS_MAX = 8

/** Characters of a reading: an offer is shorter, and the features of each reading have to be drawn again. */
const LENGTH_MAX = 1_200

/** Characters that a reading needs to be judged: some twenty words. */
export const READING_LENGTH_MIN = 120

/** The same of a part that is shown in its own right: a line with an offer and how to answer. */
const PART_LENGTH_MIN = 60

/** Share of the whole above which a reading is left out, since it says what the whole says. */
const SHARE_MAX = 0.85

/** The readings of `message` apart from the whole. */
export function readingsOf(message: Message): MessageReading[] {
  const found = new Map<string, MessageReading>()
  const whole = readerText(message)
  const add = (name: ReadingName, body: TextBody, text: string) => {
    const read = text.trim().slice(0, LENGTH_MAX)
    const lengthMin = name === 'part' ? PART_LENGTH_MIN : READING_LENGTH_MIN
    if (found.size >= READINGS_MAX || read.length < lengthMin || found.has(read)) return
    if (read.length > whole.length * SHARE_MAX && whole.startsWith(read)) return
    found.set(read, { name, message: withText(message, body, read) })
  }
  const bodies = bodiesOf(message)
  const parts = partsOf(message)
  for (const body of bodies) {
    const certain = body.html?.certainText ?? body.visible
    if (certain.length < body.visible.length) add('certain', body, certain)
    if (parts.includes(body)) {
      if (body.visible.length <= whole.length * SHARE_MAX) add('part', body, body.visible)
    } else if (bodies.length > 1 && !saysTheSame(body.visible, whole)) {
      add('alternative', body, body.visible)
    }
    const elsewhere = body.html === undefined ? '' : textElsewhere(body.html)
    if (elsewhere.length >= body.visible.length * ELSEWHERE_SHARE_MIN) {
      add('elsewhere', body, elsewhere)
    }
    const own = ownText(body)
    if (own !== undefined) add('own', body, own)
    const first = seenFirst(body)
    if (first !== undefined) add('first', body, first)
  }
  for (const body of message.attachedTexts) add('attached', body, body.visible)
  for (const body of parts) {
    if (body.visible.length < READING_LENGTH_MIN) add('part', body, body.visible)
  }
  return [...found.values()]
}

/** The messages that are attached to `message`, each as if it were the message. */
export function enclosedReadings(message: Message): MessageReading[] {
  return message.attachedMessages.flatMap(({ subject, texts }) => {
    const shown = shownBodies(texts)
    const text = `${subject}\n${textOf(shown)}`.slice(0, LENGTH_MAX)
    if (shown.length === 0 || text.length < READING_LENGTH_MIN) return []
    return [{ name: 'enclosed' as const, message: withText(message, shown[0]!, text) }]
  })
}

/** Shorter than this share of what is visible, the text of images is what newsletters have beside theirs. */
const ELSEWHERE_SHARE_MIN = 1 / 3

/** Images whose alternative texts are read. */
const IMAGES_READ_MAX = 60

function textElsewhere({ title, images }: HtmlDocument): string {
  const texts = images.slice(0, IMAGES_READ_MAX).map(({ alt }) => alt.slice(0, LENGTH_MAX))
  return [title.slice(0, LENGTH_MAX), ...texts].filter((text) => text !== '').join('\n')
}

/** Whether some body of `message` has at most a few lines that are quoted, forwarded or a signature. */
export function quotesLittle(message: Message): boolean {
  const bodies = bodiesOf(message)
  const isLittle = (body: TextBody) =>
    (ownText(body) ?? body.visible).length > body.visible.length * SHARE_MAX
  return bodies.length === 0 || bodies.some(isLittle)
}

/** `message` as if it said `text` only; none where it has no body. */
export function readingOfStretch(message: Message, text: string): MessageReading[] {
  return bodiesOf(message)
    .slice(0, 1)
    .map((body) => ({ name: 'stretch', message: withText(message, body, text) }))
}

function withText(message: Message, body: TextBody, text: string): Message {
  const { html } = body
  const only: TextBody =
    html === undefined
      ? { ...body, visible: text, source: text, replaced: false }
      : { ...body, visible: text, html: { ...html, visibleText: text }, replaced: false }
  return { ...message, texts: [only] }
}

function bodiesOf({ texts }: Message): readonly TextBody[] {
  return texts.filter(({ visible }) => visible.length >= READING_LENGTH_MIN).slice(0, BODIES_MAX)
}

/** The bodies that are shown one below the other, if there are several. */
function partsOf({ texts }: Message): readonly TextBody[] {
  const shown = texts.filter(({ replaced, visible }) => !replaced && visible.trim() !== '')
  return shown.length > 1 ? shown.slice(0, BODIES_MAX) : []
}

/** Words of a body that are looked for in the whole. */
const COMPARED_MAX = 40

/** Share of these words that two forms of one text have in common. */
const SHARED_MIN = 0.6

/** A body shorter than this share of the whole leaves something out. */
const FORM_SHARE_MIN = 0.5

/** Whether `text` is another form of the whole, rather than a part of it. */
function saysTheSame(text: string, whole: string): boolean {
  if (text.length < whole.length * FORM_SHARE_MIN) return false
  let compared = 0
  let shared = 0
  for (const [word] of text.matchAll(/(?<!\S)[^\s\x00-@[-`{-\x7f]{4,40}(?!\S)/g)) {
    compared++
    if (whole.includes(word)) shared++
    if (compared >= COMPARED_MAX) break
  }
  return shared >= compared * SHARED_MIN
}

/** The lines with which mail programs begin a quoted or forwarded message, or a signature. */
const QUOTATION_START =
  /^(?:-- ?$|[-_]{3,10} ?(?:original|forwarded|weitergeleitet|ursprüng|message transf)|_{20,80}$|(?:on|am|le|el|il) .{8,120}(?:wrote|schrieb|écrit|escribió|scritto))/i

/** A cheaper test, which every line has to pass first. */
const MAY_QUOTE = /^(?:--|__|on |am |le |el |il )/i

/** Whether any line begins like that, or with the sign of a quotation. */
const QUOTES = /^(?:>|--|__|on |am |le |el |il )/im

/** Lines of a body that are looked at. Stops a megabyte of empty lines. */
const LINES_MAX = 2_000

/** The text without quotations, forwarded messages and signatures; undefined where there are none. */
function ownText({ html, visible }: TextBody): string | undefined {
  if (html?.quoted !== undefined) {
    const { start, end } = html.quoted
    return `${visible.slice(0, start)}\n${visible.slice(end)}`
  }
  if (html !== undefined || !QUOTES.test(visible)) return undefined
  const own: string[] = []
  let left = false
  for (const line of visible.split('\n', LINES_MAX)) {
    if (line.startsWith('>')) {
      left = true
    } else if (MAY_QUOTE.test(line) && QUOTATION_START.test(line)) {
      left = true
      // A quotation without signs goes on to the end; after a line 'Ann wrote:' the signs follow.
      if (own.length > 0 && !line.endsWith(':')) break
    } else {
      own.push(line)
    }
  }
  return left ? own.join('\n') : undefined
}

/** Empty lines after which a reader has to scroll. */
const EMPTY_LINES_MIN = 40

function seenFirst({ html, visible }: TextBody): string | undefined {
  if (html !== undefined) {
    return html.seenFirstLength < visible.length
      ? visible.slice(0, html.seenFirstLength)
      : undefined
  }
  let empty = 0
  let at = visible.indexOf('\n')
  while (at >= 0) {
    const next = visible.indexOf('\n', at + 1)
    if (next < 0) return undefined
    empty = isBlank(visible, at + 1, next) ? empty + 1 : 0
    if (empty >= EMPTY_LINES_MIN) return visible.slice(0, at)
    at = next
  }
  return undefined
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x09 && code !== 0xa0) return false
  }
  return true
}
