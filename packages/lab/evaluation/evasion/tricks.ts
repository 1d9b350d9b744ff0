/**
 * Ways past a filter that reads text, by family: what a sender of spam can do to the same message
 * at no cost. In all of them a person who opens the message still reads the spam, or is led to
 * it; in all but `disguised` the filter is given innocent text beside it. The tricks are rows of data/evasion/tricks.tsv.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entity } from '../../rendering/mime.ts'
import {
  atEnd,
  atStart,
  escaped,
  htmlOf,
  htmlPart,
  type Letter,
  linkMarkup,
  mailed,
  multipart,
  paragraphs,
  plainPart,
  plainText,
  rawPart,
  uuencoded,
} from './letter.ts'

const FOLDER = join(import.meta.dirname, '../../data/evasion')

export interface Trick {
  readonly family: string
  /** One row of the report. */
  readonly name: string
  readonly play: (letter: Letter) => Buffer
}

/** Innocent text where nothing else is said: as long as the spam, at least some paragraphs ... */
const INNOCENT_LENGTH_MIN = 800

/** ... and so many times as long. */
const LONG = 3

/** Innocent text beside a spam `times` as long. */
function beside({ text, innocent }: Letter, times: number = LONG): string {
  return innocent(Math.max(INNOCENT_LENGTH_MIN, Math.round(text.length * times)))
}

/** What stands in the places of a pattern. */
const PLACES: Readonly<Record<string, (letter: Letter, innocent: () => string) => string>> = {
  spam: plainText,
  html: ({ html }) => html,
  inside: ({ html }) => inside(html),
  links: linkMarkup,
  escaped: ({ text }) => escaped(text),
  innocent: (_, innocent) => innocent(),
  paragraphs: (_, innocent) => paragraphs(innocent()),
  quoted: (_, innocent) => quoted(innocent()),
  'first half': (_, innocent) => halves(innocent())[0],
  'second half': (_, innocent) => halves(innocent())[1],
  'in turn': (letter, innocent) => inTurn(plainText(letter), innocent()),
  'quoted in turn': (letter, innocent) => inTurn(plainText(letter), quoted(innocent())),
  uuencoded: (letter) => uuencoded('message.txt', utf8(plainText(letter))),
  'spam run together': (letter) => plainText(letter).replaceAll(/[ \t]+/g, '\u2060'),
  'spam backwards': (letter) =>
    withText(letter, /.+/g, (line) => `\u202e${[...line].reverse().join('')}\u202c`),
  'spam with letters hidden': ({ text }) =>
    paragraphs(text).replaceAll(
      /\b(?<!&)([a-z]{2})([a-z]{2,})/g,
      '$1<i style="font-size:2px">qz</i>$2',
    ),
  references: ({ text }) => text.replaceAll(/[^\n]/g, (it) => `&#${it.codePointAt(0)! & 0xffff};`),
  'style string': ({ text }) => text.replaceAll(/["\\]/g, '').replaceAll('\n', '\\a '),
}

/**
 * `pattern` with its places filled: {{spam}}, {{innocent × 10}} as long as the spam, {{innocent = 4200}} characters; {{lines as
 * <img alt="">}} has a line of the spam in each; what is none of PLACES is repeated, {{<br> × 300}}.
 */
function filled(pattern: string, letter: Letter): string {
  return pattern.replaceAll(
    /\{\{([^{}]+?)(?: ([×=]) (\d+))?\}\}/g,
    (_, place: string, sign: string | undefined, number: string | undefined) => {
      const count = number === undefined ? undefined : Number(number)
      if (place.startsWith('lines as ')) return byLine(letter, place.slice('lines as '.length))
      const innocent = () => (sign === '=' ? letter.innocent(count!) : beside(letter, count))
      return PLACES[place]?.(letter, innocent) ?? place.repeat(count ?? 1)
    },
  )
}

/** More bytes of innocent parts than are read of all texts, in parts all of which are looked at. */
const PARTS_BYTES = 1024 * 1024 + 64 * 1024
const PART_BYTES = 250 * 1024

const PARTS: Readonly<Record<string, (letter: Letter, times?: number) => Entity | Entity[]>> = {
  'spam text': (letter) => plainPart(plainText(letter)),
  'spam page': ({ html }) => htmlPart(html),
  'spam enriched': (letter) => ({
    ...plainPart(plainText(letter)),
    type: 'text/enriched; charset="utf-8"',
  }),
  'spam page attached': ({ html }) => attached(htmlPart(html), 'message.html'),
  'spam text attached': (letter) => attached(plainPart(plainText(letter)), 'message.txt'),
  'spam message': (letter) => {
    const message = mailed({ ...letter, header: '' }, htmlPart(letter.html)).toString('latin1')
    return rawPart('message/rfc822', message)
  },
  'spam in the middle': (letter) =>
    plainPart(filled('{{innocent = 6000}}\n{{spam}}\n{{innocent = 6000}}', letter)),
  'spam 33 deep': (letter) =>
    Array.from({ length: 33 }).reduce<Entity>(
      (part) => multipart(letter, 'mixed', part),
      htmlPart(letter.html),
    ),
  'innocent text': (letter, times) => plainPart(beside(letter, times)),
  'innocent page': innocentPage,
  'innocent AMP': (letter) => ({
    ...innocentPage(letter),
    type: 'text/x-amp-html; charset="utf-8"',
  }),
  'a mebibyte': ({ innocent }) =>
    Array.from({ length: Math.ceil(PARTS_BYTES / PART_BYTES) }, () =>
      plainPart(innocent(PART_BYTES)),
    ),
  'a thousand empty': () => Array.from({ length: 1_000 }, () => rawPart('text/plain', '\r\n')),
}

function innocentPage(letter: Letter): Entity {
  return htmlPart(htmlOf(beside(letter)))
}

function attached(part: Entity, name: string): Entity {
  return { ...part, otherFields: [`Content-Disposition: attachment; filename="${name}"`] }
}

type Way = (letter: Letter, pattern: string) => Buffer

/** A multipart of the parts that `names` lists: 'innocent text × 10, spam page'. */
function ofParts(subtype: string): Way {
  return (letter, names) => {
    const parts = names.split(', ').flatMap((part) => {
      const [name = '', times] = part.split(' × ')
      return PARTS[name]!(letter, times === undefined ? undefined : Number(times))
    })
    return mailed(letter, multipart(letter, subtype, ...parts))
  }
}

/** What is made of the pattern of a row. */
const WAYS: Readonly<Record<string, Way>> = {
  text: (letter, pattern) => mailed(letter, plainPart(filled(pattern, letter))),
  bytes: (letter, pattern) =>
    encoded(letter, '"utf-8"', '8bit', utf8(filled(pattern, letter)).replaceAll('\n', '\r\n')),
  answer: (letter, pattern) =>
    mailed(asReply(letter), plainPart(filled(pattern, letter)), REPLY_FIELDS),
  'answer below': (letter, pattern) =>
    mailed(asReply(letter), htmlPart(atEnd(letter.html, filled(pattern, letter))), REPLY_FIELDS),
  page: (letter, pattern) => asHtml(letter, filled(pattern, letter)),
  below: (letter, pattern) => asHtml(letter, atEnd(letter.html, filled(pattern, letter))),
  above: (letter, pattern) => asHtml(letter, atStart(letter.html, filled(pattern, letter))),
  around: (letter, pattern) => {
    const piece = filled(pattern, letter)
    return asHtml(letter, atEnd(atStart(letter.html, piece), piece))
  },
  alternative: ofParts('alternative'),
  related: ofParts('related'),
  mixed: ofParts('mixed'),
  // Innocent text in an element that does not show it, before and behind.
  element: (letter, open) => hiddenBy(letter, open),
  style: (letter, css) => hiddenBy(letter, `<div style="${css}">`),
  // Each word changed: letters for letters, or a character between them.
  letters: (letter, pattern) => {
    const others = alphabet(pattern)
    return disguised(letter, (word) => [...word].map((it) => others.get(it) ?? it).join(''))
  },
  'first letter': (letter, pattern) => {
    const others = alphabet(pattern)
    const one = new RegExp(`[${[...others.keys()].join('')}]`)
    return disguised(letter, (word) => word.replace(one, (it) => others.get(it)!))
  },
  between: (letter, pattern) => {
    const character = pattern.replace(/\\u(....)/, (_, hex) =>
      String.fromCharCode(Number(`0x${hex}`)),
    )
    return disguised(letter, (word) => [...word].join(character))
  },
  'UTF-7': (letter) => {
    const bare = plainText(letter)
      .replaceAll('+', '+-')
      .replaceAll(/[^\x00-\x7f]+/g, '?')
    return encoded(letter, 'utf-7', '7bit', bare.replaceAll(/\n/g, '\r\n'))
  },
  'UTF-16 in base64': (letter) => {
    const body = Buffer.from(plainText(letter), 'utf16le').toString('base64')
    return encoded(letter, 'utf-16le', 'base64', body.replaceAll(/.{76}/g, '$&\r\n'))
  },
  'base64 with other characters in it': (letter) =>
    encoded(letter, 'utf-8', 'base64', base64(letter).replaceAll(/.{20}/g, '$&!\r\n')),
  'every character in quoted-printable': (letter) => {
    const characters = Array.from(Buffer.from(plainText(letter)), (byte, at) => {
      const hex = byte.toString(16).toUpperCase().padStart(2, '0')
      return `=${hex}${at % 24 === 23 ? '=\r\n' : ''}`
    })
    return encoded(letter, 'utf-8', 'quoted-printable', characters.join(''))
  },
  'two transfer encodings named': (letter) => {
    const lines = base64(letter).replaceAll(/.{76}/g, '$&\r\n')
    return encoded(letter, 'utf-8', 'base64', lines, 'Content-Transfer-Encoding: 7bit')
  },
}

/** All tricks, by family. */
export const TRICKS: readonly Trick[] = readFileSync(join(FOLDER, 'tricks.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => {
    const [family = '', name = '', way = '', text = '', header] = row.split('\t')
    const pattern = text.replaceAll('\\n', '\n')
    const under = header === undefined ? (letter: Letter) => letter : claimed(header)
    return { family, name, play: (letter) => WAYS[way]!(under(letter), pattern) }
  })

export const FAMILIES: readonly string[] = [...new Set(TRICKS.map(({ family }) => family))]

/**
 * The letter under a header as a mailbox provider writes it around a private letter, which anybody can copy: hosts, fields of its
 * servers, and a signature that nothing was signed with. A stranger's name, the subject and the recipient are kept.
 */
function claimed(provider: string): (letter: Letter) => Letter {
  const pattern = readFileSync(join(FOLDER, `headers/${provider}.txt`), 'utf8')
  return (letter) => {
    const field = (name: string, fallback: string) =>
      new RegExp(`^${name}:[ \\t]*(.*)\\r$`, 'im').exec(letter.header)?.[1] || fallback
    const values: Readonly<Record<string, string>> = {
      name: 'Marie Hartmann',
      to: /[^\s<>"]+@[^\s<>"]+/.exec(field('to', ''))?.[0] ?? 'anna@example.com',
      subject: field('subject', 'Hello'),
      date: field('date', 'Fri, 14 Mar 2025 10:12:31 +0100'),
    }
    const written = pattern
      .replaceAll('\n', '\r\n')
      .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!)
    return { ...letter, header: written.replace(/^mime-version:.*\r\n/im, '') }
  }
}

function asHtml(letter: Letter, html: string): Buffer {
  return mailed(letter, htmlPart(html))
}

function encoded(
  letter: Letter,
  charset: string,
  encoding: NonNullable<Entity['encoding']>,
  body: string,
  ...otherFields: string[]
): Buffer {
  return mailed(letter, { type: `text/plain; charset=${charset}`, encoding, otherFields, body })
}

function base64(letter: Letter): string {
  return Buffer.from(plainText(letter)).toString('base64')
}

/** One character for each byte. */
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Under the letter's header as that of an answer. */
function asReply(letter: Letter): Letter {
  const header = letter.header.replace(/^(subject:[ \t]*)(?:re:[ \t]*)?/im, '$1Re: ')
  return { ...letter, header }
}

const REPLY_FIELDS =
  'In-Reply-To: <CAF7d2a91c0@mail.example.com>\r\nReferences: <CAF7d2a91c0@mail.example.com>\r\n'

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ')
}

/** The lines in turn: one of `some`, one of `others`, to the end of the longer. */
function inTurn(some: string, others: string): string {
  const [one, other] = [some.split('\n'), others.split('\n')]
  return Array.from({ length: Math.max(one.length, other.length) }, (_, i) => [one[i], other[i]])
    .flat()
    .filter((line) => line !== undefined)
    .join('\n')
}

/** `open` may begin with a style sheet, which stands there once. */
function hiddenBy(letter: Letter, open: string): Buffer {
  const [, element = ''] = /^(?:<style>.*<\/style>)?(.*)$/s.exec(open) ?? []
  const close = closing(element)
  const [before, after] = halves(beside(letter))
  const start = open + paragraphs(before) + close
  return asHtml(letter, atEnd(atStart(letter.html, start), element + paragraphs(after) + close))
}

/** The ends of what `open` leaves open. */
function closing(open: string): string {
  const names: string[] = []
  for (const [, end, name = ''] of open.matchAll(/<(\/?)([\w-]+)/g)) {
    if (end === '/') names.pop()
    else names.push(name)
  }
  return names
    .reverse()
    .map((name) => `</${name}>`)
    .join('')
}

/** What stands for each letter: 'aei 431'. */
function alphabet(pattern: string): ReadonlyMap<string, string> {
  const [letters = '', others = ''] = pattern.split(' ')
  const characters = [...others]
  return new Map([...letters].map((letter, i) => [letter, characters[i]!]))
}

/** Words of at least this length are changed. */
const WORD_LENGTH_MIN = 4

/** Every word of the text changed, as plain text. */
function disguised(letter: Letter, change: (word: string) => string): Buffer {
  const text = withText(letter, /[a-zA-Z]+/g, (word) =>
    word.length < WORD_LENGTH_MIN ? word : change(word.toLowerCase()),
  )
  return mailed(letter, plainPart(text))
}

/** The letter as plain text, what `pattern` finds in its own text changed. */
function withText(letter: Letter, pattern: RegExp, change: (found: string) => string): string {
  return plainText({ ...letter, text: letter.text.replaceAll(pattern, change) })
}

/** `element` for each line of the text, which is the value of its empty attribute. */
function byLine({ text }: Letter, element: string): string {
  const lines = text.split('\n').map((line) => escaped(line).replaceAll('"', '&quot;'))
  return lines.map((line) => element.replace('""', () => `"${line}"`)).join('<br>')
}

/** At a paragraph's end. */
function halves(text: string): [string, string] {
  const middle = text.indexOf('\n', text.length / 2)
  return middle < 0 ? [text, ''] : [text.slice(0, middle), text.slice(middle + 1)]
}

/** What stands between the tags of the body, or all of it. */
function inside(html: string): string {
  const body = /<body[^>]{0,2000}>/i.exec(html)
  if (body === null) return html
  const end = html.search(/<\/body>/i)
  return html.slice(body.index + body[0].length, end < 0 ? undefined : end)
}
