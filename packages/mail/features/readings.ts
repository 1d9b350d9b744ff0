/**
 * Other ways to read a message than as a whole: a sender of spam puts innocent text beside it,
 * where the reader looks later, elsewhere or not at all. A reading leaves something of that away;
 * it is the message as if it said this only, and the models are asked about it as about any other
 * (docs/verdict.md).
 *
 * A reading is there only where it differs from the whole, and has words enough to be judged by.
 */
import type { Message, TextBody } from '../message/message.ts'
import { readerText } from '../signals/text.ts'

/** Why the text was read apart. */
export type ReadingName =
  /** All of it, as a reader sees it. */
  | 'whole'
  /** Without what may be hidden in a way that is not known. */
  | 'certain'
  /** One of several bodies that say different things. */
  | 'alternative'
  /** Without what is quoted, forwarded or signed. */
  | 'own'
  /** Up to where the reader has to scroll over emptiness. */
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

/** Readings of one message, but for the whole and the stretch. Stops eight bodies that are read in four ways each. */
const READINGS_MAX = 6

/** Characters of a reading: an offer is shorter, and each is drawn anew. */
const LENGTH_MAX = 1_200

/** Characters that make words enough to be judged by: some twenty. */
export const READING_LENGTH_MIN = 120

/** A reading that is nearly the whole says what the whole says. */
const SHARE_MAX = 0.85

/** The readings of `message` apart from the whole. */
export function readingsOf(message: Message): MessageReading[] {
  const found = new Map<string, MessageReading>()
  const whole = readerText(message)
  const add = (name: ReadingName, body: TextBody, text: string) => {
    const read = text.trim().slice(0, LENGTH_MAX)
    if (found.size >= READINGS_MAX || read.length < READING_LENGTH_MIN || found.has(read)) return
    if (read.length > whole.length * SHARE_MAX && whole.startsWith(read)) return
    found.set(read, { name, message: withText(message, body, read) })
  }
  const bodies = bodiesOf(message)
  for (const body of bodies) {
    const certain = body.html?.certainText ?? body.visible
    if (certain.length < body.visible.length) add('certain', body, certain)
    if (bodies.length > 1 && !saysTheSame(body.visible, whole)) {
      add('alternative', body, body.visible)
    }
    const own = ownText(body)
    if (own !== undefined) add('own', body, own)
    const first = seenFirst(body)
    if (first !== undefined) add('first', body, first)
  }
  return [...found.values()]
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
      ? { ...body, visible: text, source: text }
      : { ...body, visible: text, html: { ...html, visibleText: text } }
  return { ...message, texts: [only] }
}

function bodiesOf({ texts }: Message): readonly TextBody[] {
  return texts.filter(({ visible }) => visible.length >= READING_LENGTH_MIN).slice(0, BODIES_MAX)
}

/** Words that are looked for in the whole. */
const COMPARED_MAX = 40

/** Share of them that two forms of one text have in common. */
const SHARED_MIN = 0.6

/** A body shorter than this share of the whole leaves something away. */
const FORM_SHARE_MIN = 0.5

/** Whether `text` is another form of the whole, and no part of it. */
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

/** What begins the letter that is answered or forwarded, or a signature, in the words of mail programs. */
const QUOTATION_START =
  /^(?:-- ?$|[-_]{3,10} ?(?:original|forwarded|weitergeleitet|ursprüng|message transf)|_{20,80}$|(?:on|am|le|el|il) .{8,120}(?:wrote|schrieb|écrit|escribió|scritto))/i

/** First what costs less to ask of every line. */
const MAY_QUOTE = /^(?:--|__|on |am |le |el |il )/i

/** Some line begins like that, or with the sign of a quotation. */
const QUOTES = /^(?:>|--|__|on |am |le |el |il )/im

/** Lines of a body that are looked at. Stops a megabyte of empty ones. */
const LINES_MAX = 2_000

/** What is not quoted, forwarded or signed; undefined where all is the sender's own. */
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
      // What is quoted without a sign goes on to the end; after a line 'Ann wrote:' signs follow.
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
