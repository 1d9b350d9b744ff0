/**
 * The part of a written message that its reader is not to see: behind `<!-- hidden -->` in the
 * body, hidden as the `layout` of the message says. Senders of spam put innocent text there, for
 * filters to read. Each layout is done in the several ways in which such mail does it.
 */
import { Dice, type Shares } from './dice.ts'
import { blocksOf, escapeHtml, type PlainStyle, plainText } from './markdown.ts'
import { type Entity, type MimeHabit, multipart, textEntity } from './mime.ts'
import type { PartsForm } from './programs.ts'
import { readPieces } from './programs.ts'
import { HIDINGS, type Hiding, type WrittenMessage } from './written-message.ts'

/** A written message in its two parts: `body` is what is shown. */
export interface PartedMessage extends WrittenMessage {
  readonly hidden: HiddenPart | undefined
}

export interface HiddenPart {
  readonly hiding: Hiding
  /** Markdown. */
  readonly body: string
}

/** One way to hide a text: `top` puts it before what is shown, `bottom` behind it. */
interface HidingWay {
  readonly at: 'top' | 'bottom'
  /** {{html}} is the text in paragraphs, {{lines}} with breaks alone, which no style of the page's is for, {{text}} in one line; other places: `placesOf`. */
  readonly html: string
}

const MARK = /^<!-- hidden -->$/m

/** A comment of words, as some bodies have it in place of the mark. */
const COMMENT = /<!--\s*((?:(?!-->)[\s\S]){80,20000}?)\s*-->/

/** The ways of each, from packages/lab/data/rendering/hidings: a comment above each says where it stands, and its share. */
const PIECES = readPieces('hidings')

function waysOf(hiding: Hiding): Shares<HidingWay> {
  return PIECES[hiding.replaceAll(' ', '-')]!.map(([mark, html]) => {
    const [at, share] = mark.split(' ')
    return [{ at: at as HidingWay['at'], html }, Number(share)]
  })
}

/** Layouts whose text stands in the plain part too, where there is one: it is only far down. */
const IN_PLAIN_TEXT: readonly Hiding[] = ['pushed down', 'after many blanks', 'visible below']

/** What such mail is made of, where hiding needs HTML: spam of this kind seldom has a plain part. */
const HIDING_FORMS: Shares<PartsForm> = [
  ['html', 70],
  ['alternative', 30],
]
const SHOWN_FORMS: Shares<PartsForm> = [
  ['html', 55],
  ['alternative', 30],
  ['plain', 15],
]

/** The parts of a message with a hidden part. */
export function formWithHidden({ hiding }: HiddenPart, dice: Dice): PartsForm {
  return dice.draw(IN_PLAIN_TEXT.includes(hiding) ? SHOWN_FORMS : HIDING_FORMS)
}

/** Converters that write the plain part from the page keep what the page hides. */
const KEPT_IN_PLAIN_SHARE = 0.3

/** What is shown of the body, and what is behind it. Without a layout of its own it gets one of all. */
export function partedMessage(message: WrittenMessage, variant: number): PartedMessage {
  const marked = MARK.exec(message.body)
  if (marked !== null) {
    return {
      ...message,
      body: `${message.body.slice(0, marked.index).trimEnd()}\n`,
      hidden: {
        hiding: message.layout ?? new Dice('hiding', message.id, variant).pick(HIDINGS),
        body: message.body.slice(marked.index + marked[0].length).trim(),
      },
    }
  }
  const comment = COMMENT.exec(message.body)
  if (comment === null) return { ...message, hidden: undefined }
  return {
    ...message,
    body: message.body.replace(COMMENT, ''),
    hidden: { hiding: 'comment', body: comment[1]! },
  }
}

/** The part of `body` that its reader sees. */
export function shownBody(body: string): string {
  return body.replace(/^<!-- hidden -->$[\s\S]*/m, '').replace(COMMENT, '')
}

/** The text of a message in the form it has, hidden part and all. `host` is one of the sender's. */
export function textEntities(
  form: PartsForm,
  { hidden }: PartedMessage,
  host: string,
  mime: MimeHabit,
  dice: Dice,
  texts: Readonly<Record<'plain' | 'html', () => string>>,
  parameters = '',
): Entity {
  const plain = () => {
    const text = texts.plain()
    const whole = hidden === undefined ? text : withHiddenText(text, hidden, dice)
    return textEntity('plain', whole, mime, parameters)
  }
  if (form === 'plain') return plain()
  const page = texts.html()
  const whole = hidden === undefined ? page : withHiddenHtml(page, hidden, host, dice)
  const html = textEntity('html', whole, mime)
  return form === 'html' ? html : multipart('alternative', [plain(), html], mime, dice)
}

/** `page` with `hidden` in it. */
function withHiddenHtml(page: string, hidden: HiddenPart, host: string, dice: Dice): string {
  const way = dice.draw(waysOf(hidden.hiding))
  const places = placesOf(hidden.body, host, dice)
  const html = way.html.replace(/\{\{([a-z ]+)\}\}/g, (_, name: string) => places[name]!())
  return way.at === 'top' ? behindBodyTag(page, html) : beforeBodyEnd(page, html)
}

/** `text` with the hidden part below it, where it stands in the plain part. */
function withHiddenText(text: string, hidden: HiddenPart, dice: Dice): string {
  const isKept = IN_PLAIN_TEXT.includes(hidden.hiding) || dice.chance(KEPT_IN_PLAIN_SHARE)
  if (!isKept) return text
  const isFar = hidden.hiding !== 'visible below'
  const gap = '\n'.repeat(isFar ? dice.integer(60, 250) : 3)
  return `${text.trimEnd()}${gap}${plainOf(hidden.body)}\n`
}

const PLAIN: PlainStyle = {
  link: '{text} ({href})',
  strong: '',
  bullet: '-',
  capitals: false,
  target: (href) => href,
}

function plainOf(markdown: string): string {
  return plainText(blocksOf(markdown), PLAIN)
}

/** Pixels and blank lines that no window shows at once. */
const FAR_PIXELS = [1500, 9999] as const
const BLANKS = [60, 220] as const

/** Whites and near whites. */
const PALE = ['ffffff', 'fefefe', 'fdfdfd', 'fcfcfc', 'FFFFFF']

function placesOf(markdown: string, host: string, dice: Dice): Record<string, () => string> {
  const text = plainOf(markdown)
  const line = escapeHtml(text.replace(/\s+/g, ' ').replace(/--+/g, '-')).trim()
  const paragraphs = text
    .split(/\n\n+/)
    .map((paragraph) => escapeHtml(paragraph).replace(/\n/g, '<br>\n'))
  const name = dice.characters('abcdefghijklmnopqrstuvwxyz', dice.integer(2, 8))
  const far = String(dice.integer(...FAR_PIXELS))
  const pale = dice.pick(PALE)
  const blanks = dice.integer(...BLANKS)
  return {
    text: () => line,
    html: () => paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
    lines: () => paragraphs.join('<br><br>\n'),
    name: () => name,
    far: () => far,
    // A single line of that text has some ten pixels a character.
    wide: () => String(10 * line.length + 1000),
    pale: () => pale,
    host: () => host,
    breaks: () => '<br>\n'.repeat(blanks),
    'blank paragraphs': () => '<p>&nbsp;</p>\n'.repeat(blanks),
    'blank lines': () => '<div>&nbsp;</div>'.repeat(blanks),
  }
}

function behindBodyTag(page: string, html: string): string {
  const tag = /<body[^>]*>/i.exec(page)
  const at = tag === null ? 0 : tag.index + tag[0].length
  return `${page.slice(0, at)}${html}\n${page.slice(at)}`
}

function beforeBodyEnd(page: string, html: string): string {
  const end = page.toLowerCase().lastIndexOf('</body>')
  return end < 0 ? `${page}${html}\n` : `${page.slice(0, end)}${html}\n${page.slice(end)}`
}
