/**
 * Ways past a filter that reads text, by family: what a sender of spam can do to the same message
 * at no cost. In all of them a person who opens the message still reads the spam, or is led to
 * it; in all but `disguised` the filter is given innocent text beside it.
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

export const FAMILIES = [
  'quoted',
  'visible',
  'pushed away',
  'unread',
  'alternatives',
  'invisible',
  'disguised',
  'claimed',
] as const

export type Family = (typeof FAMILIES)[number]

export interface Trick {
  readonly family: Family
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

function asPlain(letter: Letter, text: string, fields = ''): Buffer {
  return mailed(letter, plainPart(text), fields)
}

function asHtml(letter: Letter, html: string): Buffer {
  return mailed(letter, htmlPart(html))
}

/** A page of its own, with the links of the letter and some innocent text at its end. */
function asPage(letter: Letter, body: string, head = ''): Buffer {
  const end = linkMarkup(letter) + paragraphs(beside(letter, 0))
  return asHtml(letter, `<html>${head}<body>${body}${end}</body></html>`)
}

function asParts(letter: Letter, subtype: string, ...parts: Entity[]): Buffer {
  return mailed(letter, multipart(letter, subtype, ...parts))
}

function innocentPlain(letter: Letter, times?: number): Entity {
  return plainPart(beside(letter, times))
}

function innocentHtml(letter: Letter): Entity {
  return htmlPart(htmlOf(beside(letter)))
}

function attached(part: Entity, name: string): Entity {
  return { ...part, otherFields: [`Content-Disposition: attachment; filename="${name}"`] }
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

/** The pieces in turn: one of `some`, one of `others`, to the end of the longer. */
function inTurn(some: readonly string[], others: readonly string[]): string {
  return Array.from({ length: Math.max(some.length, others.length) }, (_, i) =>
    [some[i], others[i]].filter((piece) => piece !== undefined),
  )
    .flat()
    .join('\n')
}

/** What stands in the places of a pattern; `times` as long as the spam is the innocent text. */
const PLACES: Readonly<Record<string, (letter: Letter, times?: number) => string>> = {
  spam: plainText,
  innocent: beside,
  paragraphs: (letter, times) => paragraphs(beside(letter, times)),
  quoted: (letter) => quoted(beside(letter)),
  inside: ({ html }) => inside(html),
  'first half': (letter) => halves(beside(letter))[0],
  'second half': (letter) => halves(beside(letter))[1],
  'in turn': (letter) => inTurn(plainText(letter).split('\n'), beside(letter).split('\n')),
  'quoted in turn': (letter) =>
    inTurn(plainText(letter).split('\n'), beside(letter).split('\n').map(quoted)),
}

/** `pattern` with its places filled: {{spam}}, {{innocent × 10}}; what is none of PLACES is repeated, {{<br> × 300}}. */
function filled(pattern: string, letter: Letter): string {
  return pattern.replaceAll(
    /\{\{([^{}]+?)(?: × (\d+))?\}\}/g,
    (_, place: string, count?: string) => {
      const times = count === undefined ? undefined : Number(count)
      return PLACES[place]?.(letter, times) ?? place.repeat(times ?? 1)
    },
  )
}

const PARTS: Readonly<Record<string, (letter: Letter, times?: number) => Entity>> = {
  'spam text': (letter) => plainPart(plainText(letter)),
  'spam page': ({ html }) => htmlPart(html),
  'spam enriched': (letter) => ({
    ...plainPart(plainText(letter)),
    type: 'text/enriched; charset="utf-8"',
  }),
  'innocent text': innocentPlain,
  'innocent page': innocentHtml,
  'innocent AMP': (letter) => ({
    ...innocentHtml(letter),
    type: 'text/x-amp-html; charset="utf-8"',
  }),
}

/** A multipart of the parts that `names` lists: 'innocent text × 10, spam page'. */
function ofParts(subtype: string): Way {
  return (letter, names) => {
    const parts = names.split(', ').map((part) => {
      const [name = '', times] = part.split(' × ')
      return PARTS[name]!(letter, times === undefined ? undefined : Number(times))
    })
    return asParts(letter, subtype, ...parts)
  }
}

type Way = (letter: Letter, pattern: string) => Buffer

/** What is made of the pattern of a row of data/evasion/tricks.tsv. */
const WAYS: Readonly<Record<string, Way>> = {
  text: (letter, pattern) => asPlain(letter, filled(pattern, letter)),
  answer: (letter, pattern) => asPlain(asReply(letter), filled(pattern, letter), REPLY_FIELDS),
  'answer below': (letter, pattern) =>
    mailed(asReply(letter), htmlPart(atEnd(letter.html, filled(pattern, letter))), REPLY_FIELDS),
  below: (letter, pattern) => asHtml(letter, atEnd(letter.html, filled(pattern, letter))),
  above: (letter, pattern) => asHtml(letter, atStart(letter.html, filled(pattern, letter))),
  page: (letter, pattern) => asHtml(letter, filled(pattern, letter)),
  alternative: ofParts('alternative'),
  related: ofParts('related'),
  mixed: ofParts('mixed'),
  // Innocent text in an element that does not show it, before and behind.
  element: (letter, open) => hiddenBy(letter, open),
  style: (letter, css) => hiddenBy(letter, `<div style="${css}">`),
}

const ROWS = readFileSync(join(import.meta.dirname, '../../data/evasion/tricks.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => row.split('\t'))

function rowsOf(family: Family): Trick[] {
  return ROWS.filter(([named]) => named === family).map(([, name = '', way = '', text = '']) => {
    const pattern = text.replaceAll('\\n', '\n')
    return { family, name, play: (letter) => WAYS[way]!(letter, pattern) }
  })
}

/** Bytes of innocent parts, more than are read of all texts. */
const PARTS_BYTES = 1024 * 1024 + 64 * 1024

/** Bytes of one of them: all of it is looked at. */
const PART_BYTES = 250 * 1024

function innocentParts(letter: Letter): Entity[] {
  const count = Math.ceil(PARTS_BYTES / PART_BYTES)
  return Array.from({ length: count }, () => plainPart(letter.innocent(PART_BYTES)))
}

const UNREAD: readonly Trick[] = named('unread', {
  'after a mebibyte of innocent parts': (letter) =>
    asParts(letter, 'mixed', ...innocentParts(letter), htmlPart(letter.html)),
  'behind two kilobytes of its own, after a mebibyte of parts': (letter) => {
    const around = letter.innocent(6_000)
    const last = plainPart(`${around}\n${plainText(letter)}\n${around}`)
    return asParts(letter, 'mixed', ...innocentParts(letter), last)
  },
  'nested 33 deep': (letter) => {
    let part = htmlPart(letter.html)
    for (let depth = 0; depth < 33; depth++) part = multipart(letter, 'mixed', part)
    return asParts(letter, 'mixed', innocentPlain(letter), part)
  },
  'in the middle of half a megabyte': (letter) => {
    const around = paragraphs(letter.innocent(300_000))
    return asHtml(letter, atEnd(atStart(letter.html, around), around))
  },
  'in the middle of a long text': (letter) =>
    asPlain(letter, `${letter.innocent(4_200)}\n${plainText(letter)}\n${letter.innocent(1_500)}`),
  'in the middle of a text of thirty pages': (letter) =>
    asPlain(letter, `${letter.innocent(20_000)}\n${plainText(letter)}\n${letter.innocent(40_000)}`),
  'after a thousand empty parts': (letter) =>
    asParts(
      letter,
      'mixed',
      innocentPlain(letter),
      ...Array.from({ length: 1_000 }, () => rawPart('text/plain', '\r\n')),
      htmlPart(letter.html),
    ),
  'in an attached message': (letter) => {
    const inner = mailed({ ...letter, header: '' }, htmlPart(letter.html)).toString('latin1')
    return asParts(letter, 'mixed', innocentPlain(letter, 1), rawPart('message/rfc822', inner))
  },
  'in an attached page': (letter) => {
    const page = attached(htmlPart(letter.html), 'message.html')
    return asParts(letter, 'mixed', innocentPlain(letter, 1), page)
  },
  'in an attached text': (letter) => {
    const text = attached(plainPart(plainText(letter)), 'message.txt')
    return asParts(letter, 'mixed', innocentPlain(letter, 1), text)
  },
  uuencoded: (letter) => asBytes(letter, uuencoded('message.txt', utf8(plainText(letter)))),
  'uuencoded below innocent text': (letter) => {
    const file = uuencoded('message.txt', utf8(plainText(letter)))
    return asBytes(letter, `${utf8(beside(letter, 1))}\n\n${file}`)
  },
})

/** A body that stands in the message as it is, one character for each byte. */
function asBytes(letter: Letter, body: string): Buffer {
  const lines = body.replaceAll('\n', '\r\n')
  return mailed(letter, {
    type: 'text/plain; charset="utf-8"',
    encoding: '8bit',
    otherFields: [],
    body: lines,
  })
}

function utf8(text: string): string {
  return Buffer.from(text).toString('latin1')
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

const CYRILLIC: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  o: 'о',
  p: 'р',
  x: 'х',
}

const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5' }

/** One letter of a word of at least this length is changed. */
const WORD_LENGTH_MIN = 4

const DISGUISED: readonly Trick[] = named('disguised', {
  'Cyrillic letters': disguised((word) => replaced(word, CYRILLIC)),
  'all letters that look alike': disguised((word) =>
    word.replaceAll(/[aceopx]/g, (letter) => CYRILLIC[letter]!),
  ),
  'digits for letters': disguised((word) => word.replaceAll(/[aeios]/g, (it) => LEET[it]!)),
  'full-width letters': disguised((word) =>
    word.replaceAll(/[!-~]/g, (it) => String.fromCharCode(it.charCodeAt(0) + 0xfee0)),
  ),
  'bold mathematical letters': disguised((word) =>
    word.replaceAll(/[a-z]/g, (it) => String.fromCodePoint(0x1d41a + it.charCodeAt(0) - 0x61)),
  ),
  'zero-width characters': disguised((word) => inWord(word, '\u200b')),
  'soft hyphens': disguised((word) => inWord(word, '\u00ad')),
  'combining marks': disguised((word) => inWord(word, '\u0336')),
  'letters spaced': disguised((word) => [...word].join(' ')),
  'letters parted by full stops': disguised((word) => [...word].join('.')),
  'words run together': (letter) =>
    asPlain(letter, plainText(letter).replaceAll(/[ \t]+/g, '\u2060')),
  'written backwards, shown forwards': (letter) =>
    asPlain(
      letter,
      plainText({
        ...letter,
        text: letter.text.replaceAll(
          /.+/g,
          (line) => `\u202e${[...line].reverse().join('')}\u202c`,
        ),
      }),
    ),
  'hidden letters in words': (letter) =>
    asHtml(
      letter,
      atEnd(
        htmlOf(letter.text).replaceAll(
          /\b([a-z]{2})([a-z]{2,})/g,
          '$1<i style="font-size:2px">qz</i>$2',
        ),
        linkMarkup(letter),
      ),
    ),
  'characters as references': (letter) =>
    asHtml(
      letter,
      `<html><body>${letter.text.replaceAll(/[^\n]/g, (it) => `&#${it.codePointAt(0)! & 0xffff};`)}${linkMarkup(letter)}</body></html>`,
    ),
  'text of images': (letter) =>
    asPage(
      letter,
      byLine(letter, (line) => `<img src="http://img.example.com/a.png" alt="${line}">`),
    ),
  'text of input fields': (letter) =>
    asPage(
      letter,
      byLine(letter, (line) => `<input type="button" value="${line}">`),
    ),
  'text of a style sheet': (letter) => {
    const content = letter.text.replaceAll(/["\\]/g, '').replaceAll('\n', '\\a ')
    const css = `#a::before{white-space:pre;content:"${content}"}`
    return asPage(letter, '<div id="a"></div>', `<head><style>${css}</style></head>`)
  },
  'text in the title': (letter) =>
    asPage(letter, '', `<head><title>${escaped(letter.text)}</title></head>`),
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
  'base64 with other characters in it': (letter) => {
    const body = Buffer.from(plainText(letter)).toString('base64')
    return encoded(letter, 'utf-8', 'base64', body.replaceAll(/.{20}/g, '$&!\r\n'))
  },
  'every character in quoted-printable': (letter) => {
    const characters = Array.from(Buffer.from(plainText(letter)), (byte, at) => {
      const hex = byte.toString(16).toUpperCase().padStart(2, '0')
      return `=${hex}${at % 24 === 23 ? '=\r\n' : ''}`
    })
    return encoded(letter, 'utf-8', 'quoted-printable', characters.join(''))
  },
  'two transfer encodings named': (letter) => {
    const body = Buffer.from(plainText(letter)).toString('base64')
    const lines = body.replaceAll(/.{76}/g, '$&\r\n')
    return encoded(letter, 'utf-8', 'base64', lines, 'Content-Transfer-Encoding: 7bit')
  },
})

/**
 * Headers as mailbox providers write them around a private letter, which anybody can copy: hosts, fields of their servers,
 * and a signature that nothing was signed with.
 */
const PROVIDERS = ['Gmail', 'Outlook', 'iCloud'].map((provider) => {
  const path = join(import.meta.dirname, `../../data/evasion/headers/${provider}.txt`)
  return [provider, readFileSync(path, 'utf8').replaceAll('\n', '\r\n')] as const
})

/** The letter under such a header: a stranger's name, the subject and the recipient are kept. */
function claimed(header: string, letter: Letter): Letter {
  const field = (name: string, fallback: string) =>
    new RegExp(`^${name}:[ \\t]*(.*)\\r$`, 'im').exec(letter.header)?.[1] || fallback
  const values: Readonly<Record<string, string>> = {
    name: 'Marie Hartmann',
    to: /[^\s<>"]+@[^\s<>"]+/.exec(field('to', ''))?.[0] ?? 'anna@example.com',
    subject: field('subject', 'Hello'),
    date: field('date', 'Fri, 14 Mar 2025 10:12:31 +0100'),
  }
  const written = header.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!)
  return { ...letter, header: written.replace(/^mime-version:.*\r\n/im, '') }
}

/** What every header of CLAIMED stands above. */
const CLAIMED_FORMS: Readonly<Record<string, (letter: Letter) => Buffer>> = {
  'a text': (letter) => asPlain(letter, plainText(letter)),
  'a page': (letter) => asHtml(letter, letter.html),
  'an answer and innocent text': (letter) =>
    asPlain(asReply(letter), `${plainText(letter)}\n\n${beside(letter)}`, REPLY_FIELDS),
}

const CLAIMED: readonly Trick[] = PROVIDERS.flatMap(([provider, header]) =>
  Object.entries(CLAIMED_FORMS).map(
    ([form, play]): Trick => ({
      family: 'claimed',
      name: `the header of ${provider} above ${form}`,
      play: (letter) => play(claimed(header, letter)),
    }),
  ),
)

/** All tricks, by family. */
export const TRICKS: readonly Trick[] = [
  ...rowsOf('quoted'),
  ...rowsOf('visible'),
  ...rowsOf('pushed away'),
  ...UNREAD,
  ...rowsOf('alternatives'),
  ...rowsOf('invisible'),
  ...DISGUISED,
  ...CLAIMED,
]

function named(family: Family, plays: Readonly<Record<string, Trick['play']>>): Trick[] {
  return Object.entries(plays).map(([name, play]) => ({ family, name, play }))
}

/** Every word of the text changed, as plain text. */
function disguised(change: (word: string) => string): Trick['play'] {
  return (letter) =>
    asPlain(
      letter,
      plainText({
        ...letter,
        text: letter.text.replaceAll(/[a-zA-Z]+/g, (word) =>
          word.length < WORD_LENGTH_MIN ? word : change(word.toLowerCase()),
        ),
      }),
    )
}

/** The first letter that has a look-alike is that. */
function replaced(word: string, letters: Readonly<Record<string, string>>): string {
  const at = [...word].findIndex((letter) => letters[letter] !== undefined)
  return at < 0 ? word : word.slice(0, at) + letters[word.charAt(at)]! + word.slice(at + 1)
}

function inWord(word: string, character: string): string {
  return [...word].join(character)
}

/** An element for each line of the text, which is given as the value of an attribute. */
function byLine({ text }: Letter, elementOf: (line: string) => string): string {
  const lines = text.split('\n').map((line) => escaped(line).replaceAll('"', '&quot;'))
  return lines.map(elementOf).join('<br>')
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
