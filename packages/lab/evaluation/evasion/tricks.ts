/**
 * Ways past a filter that reads text, by family: what a sender of spam can do to the same message
 * at no cost. In all of them a person who opens the message still reads the spam, or is led to
 * it; in all but `disguised` the filter is given innocent text beside it.
 */
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
} from './letter.ts'

export const FAMILIES = [
  'quoted',
  'visible',
  'pushed away',
  'unread',
  'alternatives',
  'invisible',
  'disguised',
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

/** The letter's markup with `piece` below it, or above. */
function below(letter: Letter, piece: string): Buffer {
  return asHtml(letter, atEnd(letter.html, piece))
}

function above(letter: Letter, piece: string): Buffer {
  return asHtml(letter, atStart(letter.html, piece))
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

const WROTE = 'On Tue, Jun 3, 2025 at 9:14 AM Anna Berg <anna.berg@example.com> wrote:'

function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ')
}

/** The pieces in turn: one of `some`, one of `others`, to the end of the longer. */
function inTurn(some: readonly string[], others: readonly string[]): string[] {
  return Array.from({ length: Math.max(some.length, others.length) }, (_, i) =>
    [some[i], others[i]].filter((piece) => piece !== undefined),
  ).flat()
}

const QUOTED: readonly Trick[] = named('quoted', {
  'quoted text below': (letter) =>
    asPlain(letter, `${plainText(letter)}\n\n${WROTE}\n${quoted(beside(letter))}\n`),
  'an answer with quoted text below': (letter) =>
    asPlain(
      asReply(letter),
      `${plainText(letter)}\n\n${WROTE}\n${quoted(beside(letter))}\n`,
      REPLY_FIELDS,
    ),
  'an answer in HTML with a quotation below': (letter) => {
    const quotation =
      `<div class="gmail_quote"><div class="gmail_attr">${escaped(WROTE)}</div>` +
      `<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">` +
      `${paragraphs(beside(letter))}</blockquote></div>`
    return mailed(asReply(letter), htmlPart(atEnd(letter.html, quotation)), REPLY_FIELDS)
  },
  'quoted text above': (letter) =>
    asPlain(letter, `${WROTE}\n${quoted(beside(letter))}\n\n${plainText(letter)}\n`),
  'quoted paragraphs between those of the spam': (letter) => {
    const pieces = inTurn(plainText(letter).split('\n'), beside(letter).split('\n').map(quoted))
    return asPlain(asReply(letter), `${WROTE}\n${pieces.join('\n')}\n`, REPLY_FIELDS)
  },
  'an Outlook reply below': (letter) =>
    asPlain(
      asReply(letter),
      `${plainText(letter)}\n\n-----Original Message-----\nFrom: Anna Berg\nSent: Tuesday, June 3, 2025 9:14 AM\n` +
        `To: Ben Holt\nSubject: Notes\n\n${beside(letter)}\n`,
      REPLY_FIELDS,
    ),
  'a forwarded message below': (letter) =>
    asPlain(
      letter,
      `${plainText(letter)}\n\n---------- Forwarded message ---------\nFrom: Anna Berg <anna.berg@example.com>\n` +
        `Date: Tue, Jun 3, 2025 at 9:14 AM\nSubject: Notes\nTo: <ben@example.com>\n\n${beside(letter)}\n`,
    ),
  'a long signature': (letter) =>
    asPlain(letter, `${plainText(letter)}\n\n-- \n${beside(letter)}\n`),
})

const VISIBLE: readonly Trick[] = named('visible', {
  'as long, after': (letter) => asPlain(letter, `${plainText(letter)}\n\n${beside(letter, 1)}`),
  'three times as long, after': (letter) =>
    asPlain(letter, `${plainText(letter)}\n\n${beside(letter)}`),
  'three times as long, before': (letter) =>
    asPlain(letter, `${beside(letter)}\n\n${plainText(letter)}`),
  'three times as long, before and after': (letter) => {
    const [before, after] = halves(beside(letter))
    return asPlain(letter, `${before}\n\n${plainText(letter)}\n\n${after}`)
  },
  'paragraphs in turn': (letter) =>
    asPlain(letter, inTurn(plainText(letter).split('\n'), beside(letter).split('\n')).join('\n')),
  'as long, in HTML, after': (letter) => below(letter, paragraphs(beside(letter, 1))),
  'three times as long, in HTML, after': (letter) => below(letter, paragraphs(beside(letter))),
  'three times as long, in HTML, before': (letter) => above(letter, paragraphs(beside(letter))),
  'a newsletter ten times as long below': (letter) => below(letter, paragraphs(beside(letter, 10))),
  'a column beside it': (letter) =>
    asHtml(
      letter,
      `<html><body><table><tr><td width="600">${inside(letter.html)}</td><td width="200">` +
        `${paragraphs(beside(letter))}</td></tr></table></body></html>`,
    ),
  'small print below': (letter) =>
    below(letter, `<div style="font-size:8px;color:#999">${paragraphs(beside(letter))}</div>`),
})

/** Markup that puts what follows out of sight until the reader scrolls. */
const SPACERS: Readonly<Record<string, string>> = {
  'a tall margin': '<div style="margin-top:4000px"></div>',
  'a height of 2000vh': '<div style="height:2000vh"></div>',
  'a tall flex item':
    '<div style="display:flex;flex-direction:column"><div style="flex:0 0 5000px"></div></div>',
  'padding of 400em': '<div style="padding-top:400em"></div>',
  'three hundred line breaks': '<br>'.repeat(300),
  'three hundred empty paragraphs': '<p>&nbsp;</p>'.repeat(300),
  'three hundred empty rows': `<table>${'<tr><td>&nbsp;</td></tr>'.repeat(300)}</table>`,
  'a tall empty cell': '<table><tr><td height="5000"></td></tr></table>',
  'a tall clear image': '<img src="http://img.example.com/s.gif" width="1" height="5000" alt="">',
  'a tall line': '<div style="line-height:5000px">&nbsp;</div>',
  'a tall border': '<div style="border-top:4000px solid #fff"></div>',
  'a tall margin by a rule': '<style>.gap{margin-top:4000px}</style><div class="gap"></div>',
  'a shift downward': '<div style="position:relative;top:5000px">',
}

const PUSHED: readonly Trick[] = [
  ...each(
    'pushed away',
    SPACERS,
    (spacer) => (letter) => below(letter, spacer + paragraphs(beside(letter))),
  ),
  ...named('pushed away', {
    'three hundred empty lines': (letter) =>
      asPlain(letter, `${plainText(letter)}\n${'\n'.repeat(300)}${beside(letter)}`),
    'a box that scrolls': (letter) =>
      asHtml(
        letter,
        `<html><body><div style="height:600px;overflow:auto">${inside(letter.html)}` +
          `<div style="height:900px"></div>${paragraphs(beside(letter))}</div></body></html>`,
      ),
  }),
]

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
})

const ALTERNATIVES: readonly Trick[] = named('alternatives', {
  'spam in the plain text alone': (letter) =>
    asParts(letter, 'alternative', plainPart(plainText(letter)), innocentHtml(letter)),
  'spam in the HTML alone': (letter) =>
    asParts(letter, 'alternative', innocentPlain(letter), htmlPart(letter.html)),
  'spam in the HTML beside ten times as much plain text': (letter) =>
    asParts(letter, 'alternative', innocentPlain(letter, 10), htmlPart(letter.html)),
  'spam in the last of two HTML alternatives': (letter) => {
    const innocent = [innocentPlain(letter), innocentHtml(letter)]
    return asParts(letter, 'alternative', ...innocent, htmlPart(letter.html))
  },
  'spam in the first of two HTML alternatives': (letter) =>
    asParts(letter, 'alternative', htmlPart(letter.html), innocentHtml(letter)),
  'innocent markup for AMP beside it': (letter) => {
    const amp = { ...innocentHtml(letter), type: 'text/x-amp-html; charset="utf-8"' }
    return asParts(letter, 'alternative', innocentPlain(letter), amp, htmlPart(letter.html))
  },
  'spam as enriched text': (letter) => {
    const enriched = { ...plainPart(plainText(letter)), type: 'text/enriched; charset="utf-8"' }
    return asParts(letter, 'alternative', innocentPlain(letter), enriched)
  },
  'innocent text in a related part': (letter) =>
    asParts(letter, 'related', htmlPart(letter.html), innocentHtml(letter)),
  'innocent text in a part before': (letter) =>
    asParts(letter, 'mixed', innocentPlain(letter), htmlPart(letter.html)),
  'innocent text in a part behind': (letter) =>
    asParts(letter, 'mixed', htmlPart(letter.html), innocentHtml(letter)),
})

/** Declarations that hide the innocent text. */
const HIDING: Readonly<Record<string, string>> = {
  'display:none': 'display:none',
  'letters of 1 px': 'font-size:1px',
  'letters of 2 px': 'font-size:2px',
  'letters of 3 px': 'font-size:3px',
  'letters of .15em': 'font-size:.15em',
  'a size by calc()': 'font-size:calc(4px - 4px)',
  'a size by min()': 'font-size:min(1px, 2vw)',
  'a size by the window': 'font-size:.1vw',
  'the font shorthand': 'font:normal 2px/2px Arial',
  'no height, cut off': 'max-height:0;overflow:hidden',
  'no height, scrolling': 'height:0;overflow:auto',
  'no height by calc()': 'height:calc(1px - 1px);overflow:hidden',
  'no height in vh': 'height:.05vh;overflow:hidden',
  'no width in percent': 'width:0%;overflow:hidden;height:0%;position:absolute',
  'no line height': 'line-height:0;overflow:hidden;max-height:2px',
  'clip-path: inset': 'clip-path:inset(50%)',
  'clip-path: circle': 'clip-path:circle(0)',
  'clip: rect': 'position:absolute;clip:rect(0 0 0 0)',
  'transform: scale(0)': 'transform:scale(0)',
  'transform: translate': 'transform:translateX(-9999px)',
  'transform: rotate': 'transform:rotateY(90deg)',
  'the scale property': 'scale:0',
  'filter: opacity': 'filter:opacity(0)',
  'opacity by calc()': 'opacity:calc(.01 * 1)',
  'visibility by a variable': '--v:hidden;visibility:var(--v)',
  'display by a variable': '--d:none;display:var(--d, none)',
  'off screen, relative': 'position:relative;left:-9999px',
  'off screen to the right': 'position:absolute;left:9999px',
  'text indented away': 'text-indent:-9999px',
  'text indented out of its box': 'text-indent:100%;white-space:nowrap;overflow:hidden',
  'colour in hsl()': 'color:hsl(0,0%,100%)',
  'colour in oklch()': 'color:oklch(100% 0 0)',
  'colour in lab()': 'color:lab(100 0 0)',
  'colour by color-mix()': 'color:color-mix(in srgb, white 98%, black)',
  'colour nearly white': 'color:#e8e8e8',
  'colour half clear': 'color:rgba(0,0,0,.08)',
  'colour of the fill': '-webkit-text-fill-color:transparent',
  'white on a white gradient': 'background:linear-gradient(#fff,#fff);color:#fff',
  'white on an image': 'background:#fff url(http://img.example.com/w.gif);color:#fffffe',
  'black on bgcolor black': 'background-color:#000;color:#0b0b0b',
  'under an image': 'position:absolute;z-index:-1;opacity:.03',
  'a comment in the declaration': 'dis/**/play:none;font-size/**/:0',
  'an escape in the declaration': 'd\\69splay:none',
  'content-visibility': 'content-visibility:hidden;height:0',
  'all that is inherited reset': 'all:initial;font-size:0',
  'masked away':
    '-webkit-mask:linear-gradient(transparent,transparent);mask:linear-gradient(transparent,transparent)',
}

/** A style sheet, and what opens the element whose text it hides. */
const RULES: Readonly<Record<string, readonly [css: string, open: string]>> = {
  'a rule for a class': ['.n{display:none}', '<div class="n">'],
  'a rule in @media screen': ['@media screen{.n{display:none}}', '<div class="n">'],
  'a rule in @media all and (min-width)': [
    '@media all and (min-width:1px){.n{font-size:0}}',
    '<div class="n">',
  ],
  'a rule in @supports': ['@supports (display:block){.n{display:none}}', '<div class="n">'],
  'a descendant selector': ['.w .n{display:none}', '<div class="w"><div class="n">'],
  'a child selector': ['.w>div{display:none}', '<div class="w"><div>'],
  'an attribute selector': ['[title="n"]{display:none}', '<div title="n">'],
  'an attribute selector by prefix': ['div[class^="n"]{display:none}', '<div class="nb">'],
  'a sibling selector': ['.w+div{display:none}', '<div class="w"></div><div>'],
  'an :nth-child selector': [
    '.w div:nth-child(2){display:none}',
    '<div class="w"><div></div><div>',
  ],
  'a :not() selector': ['div.n:not(.m){display:none}', '<div class="n">'],
  'two classes at once': ['.n.m{display:none}', '<div class="n m">'],
  'an unknown element by name': ['x-n{display:none}', '<x-n>'],
  '!important over the attribute': [
    '.n{display:none!important}',
    '<div class="n" style="display:block">',
  ],
}

/** What opens an element that shows nothing of what is in it. */
const CLOSED: Readonly<Record<string, string>> = {
  'a closed <details>': '<details><summary></summary>',
  'a closed <dialog>': '<dialog>',
  'a popover': '<div popover>',
  'the fallback of a <video>': '<video>',
  'the fallback of a <canvas>': '<canvas width="1" height="1">',
  'the description of an <svg>': '<svg width="1" height="1"><desc>',
}

const INVISIBLE: readonly Trick[] = [
  ...each('invisible', HIDING, (css) => hiddenBy(`<div style="${css}">`)),
  ...each('invisible', RULES, ([css, open]) => hiddenBy(open, `<style>${css}</style>`)),
  ...each('invisible', CLOSED, (open) => hiddenBy(open)),
  ...named('invisible', {
    'a style element at the end': (letter) => {
      const hidden = atEnd(letter.html, `<div class="n">${paragraphs(beside(letter))}</div>`)
      return asHtml(letter, atEnd(hidden, '<style>.n{display:none}</style>'))
    },
    'after a preheader of invisible characters': (letter) => {
      const preheader = '&#8199;&#847;&zwnj;&nbsp;'.repeat(150)
      const hidden = preheader + paragraphs(beside(letter))
      const style = 'max-height:0;overflow:hidden;mso-hide:all'
      return above(letter, `<div style="${style}">${hidden}</div>`)
    },
  }),
]

function hiddenBy(open: string, style = ''): Trick['play'] {
  const close = closing(open)
  return (letter) => {
    const [before, after] = halves(beside(letter))
    const start = style + open + paragraphs(before) + close
    return asHtml(letter, atEnd(atStart(letter.html, start), open + paragraphs(after) + close))
  }
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

/** All tricks, by family. */
export const TRICKS: readonly Trick[] = [
  ...QUOTED,
  ...VISIBLE,
  ...PUSHED,
  ...UNREAD,
  ...ALTERNATIVES,
  ...INVISIBLE,
  ...DISGUISED,
]

export type UntrickedForm = 'as plain text' | 'as HTML' | 'as both'

/** What the message is put together like when no trick is played: the same text, the same markup. */
export const UNTRICKED: readonly (Omit<Trick, 'family'> & { readonly name: UntrickedForm })[] = [
  { name: 'as plain text', play: (letter) => asPlain(letter, plainText(letter)) },
  { name: 'as HTML', play: (letter) => asHtml(letter, letter.html) },
  {
    name: 'as both',
    play: (letter) =>
      asParts(letter, 'alternative', plainPart(plainText(letter)), htmlPart(letter.html)),
  },
]

function named(family: Family, plays: Readonly<Record<string, Trick['play']>>): Trick[] {
  return each(family, plays, (play) => play)
}

/** A trick for each of `values`, by its name. */
function each<T>(
  family: Family,
  values: Readonly<Record<string, T>>,
  playOf: (value: T) => Trick['play'],
): Trick[] {
  return Object.entries(values).map(([name, value]) => ({ family, name, play: playOf(value) }))
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
