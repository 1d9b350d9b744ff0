/**
 * A spam message taken apart, and put together again by somebody who wants it to pass: its own
 * header, its text, its markup, and innocent text of another source.
 */
import type { Message } from '../../../mail/message/message.ts'
import { Dice } from '../../rendering/dice.ts'
import {
  type Entity,
  type MimeHabit,
  multipart as multipartEntity,
  textEntity,
} from '../../rendering/mime.ts'

/** What a trick is played with. */
export interface Letter {
  /** Fields as received, each with its line end; without those that describe the body. */
  readonly header: string
  /** The text as a reader sees it. */
  readonly text: string
  /** Where its links lead: spam that leads nowhere is worth nothing to its sender. */
  readonly links: readonly string[]
  /** Markup as received; made of the text where the message has none. */
  readonly html: string
  /** Innocent text of at least `length` characters, the same each time, in paragraphs. */
  readonly innocent: (length: number) => string
  /** Which one it is. */
  readonly name: string
  /** For boundaries. */
  readonly dice: Dice
}

/** Shorter text says nothing that could be hidden behind other text. */
const TEXT_LENGTH_MIN = 60

/** Links that are kept where the markup is not: what a reader is to follow, without the footer's. */
const LINKS_MAX = 3

/** Longer spam is cut: ten times its length of innocent text has to fit into a message. */
const TEXT_LENGTH_MAX = 6_000

/** As the commonest libraries write mail. */
const HABIT: MimeHabit = {
  boundary: '==============={digits:19}==',
  charset: '"utf-8"',
  plainEncoding: 'quoted-printable',
  htmlEncoding: 'quoted-printable',
}

/** The letter in `bytes`, which were read as `message`; undefined when it says next to nothing. */
export function letterOf(
  bytes: Uint8Array,
  message: Message,
  innocent: Letter['innocent'],
  name: string,
): Letter | undefined {
  const html = longest(message.texts.flatMap((body) => (body.html ? [body.source] : [])))
  const shown = longest(message.texts.flatMap(({ html, visible }) => (html ? [visible] : [])))
  const plain = longest(message.texts.flatMap(({ html, visible }) => (html ? [] : [visible])))
  const text = (shown === '' ? plain : shown).slice(0, TEXT_LENGTH_MAX)
  if (text.length < TEXT_LENGTH_MIN) return undefined
  return {
    header: headerOf(bytes),
    text,
    links: linksOf(message).filter((href) => !text.includes(href)),
    html: html === '' ? htmlOf(text) : html,
    innocent,
    name,
    dice: new Dice('evasion', name),
  }
}

function linksOf({ links }: Message): string[] {
  const hrefs = links.map(({ href }) => href).filter((href) => /^https?:/i.test(href))
  return [...new Set(hrefs)].slice(0, LINKS_MAX)
}

/** The letter as plain text, with its links below: what is left of it where it has no markup. */
export function plainText({ text, links }: Letter): string {
  return [text, ...links].join('\n')
}

/** The links of the letter as markup, for text that is put in places where it can have none. */
export function linkMarkup({ links }: Letter): string {
  return links
    .map((href) => escaped(href).replaceAll('"', '&quot;'))
    .map((href) => `<p><a href="${href}">${href}</a></p>`)
    .join('\n')
}

function longest(texts: readonly string[]): string {
  return texts.reduce((most, text) => (text.length > most.length ? text : most), '')
}

/** The fields before the empty line, but for those that describe the body. */
function headerOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  const [header = ''] = text.split(/\r?\n\r?\n/, 1)
  return header
    .split(/\r?\n(?![ \t])/)
    .filter((field) => /^[!-9;-~]+:/.test(field) && !/^(?:content-|mime-version:)/i.test(field))
    .map((field) => `${field.replace(/\r?\n/g, '\r\n')}\r\n`)
    .join('')
}

/** `text` as a page of paragraphs. */
export function htmlOf(text: string): string {
  return `<html><body>${paragraphs(text)}</body></html>`
}

/** `text` as paragraphs of markup, one a line. */
export function paragraphs(text: string): string {
  return text
    .split(/\n+/)
    .filter((line) => /\S/.test(line))
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('\n')
}

/** `text` with what is markup written as text. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** `piece` right after the start of the body of `html`. */
export function atStart(html: string, piece: string): string {
  const body = /<body[^>]{0,2000}>/i.exec(html)
  const at = body === null ? 0 : body.index + body[0].length
  return html.slice(0, at) + piece + html.slice(at)
}

/** `piece` right before the end of the body of `html`. */
export function atEnd(html: string, piece: string): string {
  const end = html.search(/<\/body>/i)
  return end < 0 ? html + piece : html.slice(0, end) + piece + html.slice(end)
}

/** A part with `text`. */
export function plainPart(text: string): Entity {
  return textEntity('plain', text, HABIT)
}

/** A part with markup. */
export function htmlPart(html: string): Entity {
  return textEntity('html', html, HABIT)
}

/** A part of any type whose body needs no encoding. */
export function rawPart(type: string, body: string): Entity {
  return { type, encoding: '7bit', otherFields: [], body }
}

/** `parts` as a multipart of that subtype. */
export function multipart(letter: Letter, subtype: string, ...parts: Entity[]): Entity {
  return multipartEntity(subtype, parts, HABIT, letter.dice.fork())
}

/** `body` under the letter's own header, with `fields` before it. */
export function mailed(letter: Letter, body: Entity, fields = ''): Buffer {
  const about = [`Content-Type: ${body.type}`, ...body.otherFields, 'MIME-Version: 1.0']
  if (body.encoding !== undefined) about.push(`Content-Transfer-Encoding: ${body.encoding}`)
  const described = about.map((field) => `${field}\r\n`).join('')
  return Buffer.from(`${fields}${letter.header}${described}\r\n${body.body}`, 'latin1')
}

/** Bytes of a line of uuencode (POSIX). */
const LINE_BYTES = 45

export function uuencoded(fileName: string, content: string): string {
  const bytes = Buffer.from(content, 'latin1')
  let lines = ''
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const line = bytes.subarray(at, at + LINE_BYTES)
    lines += digit(line.length)
    for (let i = 0; i < line.length; i += 3) {
      const [a = 0, b = 0, c = 0] = line.subarray(i, i + 3)
      lines += [a >> 2, (a << 4) | (b >> 4), (b << 2) | (c >> 6), c].map(digit).join('')
    }
    lines += '\n'
  }
  return `begin 644 ${fileName}\n${lines}\`\nend\n`
}

/** A grave accent for zero, since spaces get lost. */
function digit(value: number): string {
  return String.fromCharCode((value & 63) === 0 ? 0x60 : (value & 63) + 0x20)
}
