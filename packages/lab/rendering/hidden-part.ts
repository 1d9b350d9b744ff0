/**
 * The part of a written message that its reader is not to see: behind `<!-- hidden -->` in the
 * body, hidden as the `layout` of the message says. Senders of spam put innocent text there, for
 * filters to read. Each layout is done in the several ways in which such mail does it.
 */
import { Dice, type Shares } from './dice.ts'
import { escapeHtml } from './inline-html.ts'
import type { PartsForm } from './mail-clients.ts'
import { blocksOf } from './markdown.ts'
import { type PlainStyle, plainText } from './plain-text.ts'
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

function bottom(html: string): HidingWay {
  return { at: 'bottom', html }
}

function top(html: string): HidingWay {
  return { at: 'top', html }
}

const WAYS: Readonly<Record<Hiding, Shares<HidingWay>>> = {
  'pushed down': [
    [bottom('<div style="height:{{far}}px"></div>\n{{html}}'), 25],
    [bottom('<div style="margin-top:{{far}}px">{{html}}</div>'), 25],
    [bottom('<div style="padding-top:{{far}}px;">{{html}}</div>'), 15],
    [
      bottom(
        '<table width="100%" border="0" cellpadding="0" cellspacing="0"><tr><td height="{{far}}">&nbsp;</td></tr><tr><td>{{html}}</td></tr></table>',
      ),
      20,
    ],
    [bottom('<p style="line-height:{{far}}px">&nbsp;</p>\n{{html}}'), 15],
  ],
  'zero size': [
    [bottom('<div style="font-size:0">{{lines}}</div>'), 20],
    [bottom('<div style="font-size:0px;line-height:0px;">{{lines}}</div>'), 25],
    [bottom('<span style="font-size:0pt">{{text}}</span>'), 15],
    [
      bottom(
        '<style type="text/css">.{{name}}{font-size:0px}</style><p class="{{name}}">{{text}}</p>',
      ),
      15,
    ],
    [bottom('<div style="width:0;height:0;overflow:hidden;">{{lines}}</div>'), 15],
    [
      bottom(
        '<table style="font-size:0;line-height:0" cellpadding="0" cellspacing="0"><tr><td style="font-size:0">{{text}}</td></tr></table>',
      ),
      10,
    ],
  ],
  'off screen': [
    [bottom('<div style="position:absolute;left:-{{far}}px;top:-{{far}}px">{{html}}</div>'), 40],
    [bottom('<div style="position: absolute; left: -{{far}}px; width: 500px;">{{html}}</div>'), 20],
    [
      bottom(
        '<p style="text-indent:-{{wide}}px;white-space:nowrap;overflow:hidden;width:600px">{{text}}</p>',
      ),
      15,
    ],
    [bottom('<div style="margin-left:-{{far}}px;width:600px">{{html}}</div>'), 15],
    [
      bottom(
        '<style>.{{name}}{position:absolute;left:-{{far}}px}</style><div class="{{name}}">{{html}}</div>',
      ),
      10,
    ],
  ],
  tiny: [
    [bottom('<div style="font-size:1px">{{lines}}</div>'), 25],
    [bottom('<div style="font-size:1px;line-height:1px;color:#{{pale}}">{{lines}}</div>'), 30],
    [bottom('<font size="1" style="font-size:1px">{{text}}</font>'), 15],
    [bottom('<p style="font-size:0.5pt;line-height:1px">{{text}}</p>'), 15],
    [
      bottom(
        '<style type="text/css">.{{name}}{font-size:1px;color:#{{pale}}}</style><div class="{{name}}">{{lines}}</div>',
      ),
      15,
    ],
  ],
  'after many blanks': [
    [bottom('{{breaks}}\n{{html}}'), 40],
    [bottom('{{blank paragraphs}}\n{{html}}'), 35],
    [bottom('{{blank lines}}\n{{html}}'), 25],
  ],
  'noscript or style text': [
    [bottom('<noscript>{{html}}</noscript>'), 30],
    [top('<style type="text/css">\n/* {{text}} */\n</style>'), 20],
    [bottom('<style>{{text}}</style>'), 20],
    [top('<title>{{text}}</title>'), 20],
    [bottom('<noframes>{{html}}</noframes>'), 10],
  ],
  'same colour': [
    [bottom('<div style="color:#ffffff;background-color:#ffffff">{{lines}}</div>'), 25],
    [bottom('<div style="background:#ffffff"><font color="#{{pale}}">{{lines}}</font></div>'), 20],
    [
      bottom(
        '<table width="100%" bgcolor="#FFFFFF"><tr><td style="color:#FFFFFF;font-size:10px">{{lines}}</td></tr></table>',
      ),
      25,
    ],
    [bottom('<p style="color:transparent">{{text}}</p>'), 10],
    [bottom('<div style="background-color:#f4f4f4;color:#f4f4f4">{{lines}}</div>'), 20],
  ],
  clipped: [
    [bottom('<div style="max-height:0;overflow:hidden">{{html}}</div>'), 25],
    [bottom('<div style="height:1px;width:1px;overflow:hidden;">{{html}}</div>'), 25],
    [
      bottom(
        '<div style="display:block;max-height:0px;max-width:0px;overflow:hidden;opacity:0">{{html}}</div>',
      ),
      20,
    ],
    [bottom('<div style="position:absolute;clip:rect(0,0,0,0)">{{html}}</div>'), 15],
    [bottom('<div style="position:absolute;clip-path:inset(100%)">{{html}}</div>'), 15],
  ],
  'visible below': [
    [bottom('<br><br>\n{{html}}'), 40],
    [bottom('<hr>\n{{html}}'), 30],
    [bottom('<div style="font-size:11px;color:#777777">{{html}}</div>'), 30],
  ],
  comment: [
    [bottom('<!-- {{text}} -->'), 45],
    [top('<!--{{text}}-->'), 35],
    [bottom('<!--[if gte mso 99]>{{html}}<![endif]-->'), 20],
  ],
  'alt text': [
    [bottom('<img src="https://{{host}}/{{name}}.gif" width="1" height="1" alt="{{text}}">'), 45],
    [
      bottom(
        '<img src="https://{{host}}/{{name}}.png" alt="{{text}}" style="display:none" border="0">',
      ),
      20,
    ],
    [
      bottom(
        '<img src="https://{{host}}/{{name}}.gif" width="1" height="1" alt="" title="{{text}}">',
      ),
      20,
    ],
    [bottom('<input type="hidden" name="{{name}}" value="{{text}}">'), 15],
  ],
  preheader: [
    [
      top(
        '<div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">{{text}}</div>',
      ),
      35,
    ],
    [
      top(
        '<span class="preheader" style="display:none !important;visibility:hidden;mso-hide:all;opacity:0;color:transparent;height:0;width:0;">{{text}}</span>',
      ),
      35,
    ],
    [top('<div style="display:none">{{html}}</div>'), 20],
    [
      top('<style>.{{name}}{display:none!important}</style><div class="{{name}}">{{text}}</div>'),
      10,
    ],
  ],
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

/** `page` with `hidden` in it. `host` is one of the sender's. */
export function withHiddenHtml(page: string, hidden: HiddenPart, host: string, dice: Dice): string {
  const way = dice.draw<HidingWay>(WAYS[hidden.hiding])
  const places = placesOf(hidden.body, host, dice)
  const html = way.html.replace(/\{\{([a-z ]+)\}\}/g, (_, name: string) => places[name]!())
  return way.at === 'top' ? behindBodyTag(page, html) : beforeBodyEnd(page, html)
}

/** `text` with the hidden part below it, where it stands in the plain part. */
export function withHiddenText(text: string, hidden: HiddenPart, dice: Dice): string {
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
