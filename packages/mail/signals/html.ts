/**
 * Signals from HTML markup: text that a filter reads and a person does not, and elements that
 * mail has no use for.
 *
 * Hidden text alone is no offence: most newsletters hide a preheader, the line that the list of
 * messages shows. What counts is how, how much, and against how much that is seen.
 */

import { wordSet } from '../data-table.ts'
import type { HidingMethod } from '../message/css-hiding.ts'
import type { HtmlDocument } from '../message/html.ts'
import type { Message, TextBody } from '../message/message.ts'
import { type Signal, signal } from './signal.ts'

const HIDING_SIGNALS: Readonly<Record<HidingMethod, string>> = {
  display: 'HTML_HIDDEN_DISPLAY',
  size: 'HTML_HIDDEN_SIZE',
  colour: 'HTML_HIDDEN_COLOUR',
  position: 'HTML_HIDDEN_POSITION',
  opacity: 'HTML_HIDDEN_OPACITY',
}

/** Longer than any preheader: mail programs show at most some 250 characters of one. */
const HIDDEN_LONG_MIN = 500

/** Hidden text that counts as text at all: a word or two may be a label for screen readers. */
const HIDDEN_SHORT_MIN = 50

/** Markup characters per visible one. Laid-out newsletters have 10 to 40. */
const MARKUP_RATIO_MIN = 60

/** Visible text below which any ratio means nothing. */
const RATIO_TEXT_MIN = 50

/** Style characters per visible one; big responsive templates have up to 10. */
const STYLE_RATIO_MIN = 15

/** Tables within tables are how HTML mail is laid out by tools, and not by people who type. */
const TABLE_LAYOUT_MIN = 4

const MANY_IMAGES_MIN = 10
const MANY_COMMENTS_MIN = 30
const MANY_FONTS_MIN = 10

/** Largest side of a picture that is only there to be fetched. */
const PIXEL_SIDE_MAX = 2

/** Elements that bring in foreign content or programs. */
const EMBEDDING_TAGS = ['iframe', 'object', 'embed', 'applet', 'frame', 'frameset']

/** All elements of HTML (living standard and obsolete), of Outlook's VML and of SVG that mail uses. */
const KNOWN_TAGS = wordSet(`
  a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
  blockquote body br button canvas caption center cite code col colgroup data datalist dd del
  details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame
  frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd
  keygen label layer legend li line link listing main map mark marquee math menu menuitem meta
  meter nav nobr noembed noframes nolayer noscript object ol optgroup option output p param path
  picture plaintext pre progress q rb rp rt ruby s samp script section select slot small source
  spacer span strike strong style sub summary sup svg table tbody td template text textarea tfoot
  th thead time title tr track tt u ul var video wbr xml xmp circle rect polygon ellipse defs use
  amp-img amp-carousel amp-accordion amp-form
`)

/** Made-up elements below this many may be a name in angle brackets. */
const UNKNOWN_TAGS_MIN = 3

export function htmlSignals(message: Message): Signal[] {
  const found: Signal[] = []
  for (const body of message.texts) {
    if (body.html === undefined) continue
    found.push(
      ...hiddenSignals(body.html),
      ...elementSignals(body.html),
      ...designSignals(body.html),
      ...ratioSignals(body, body.html),
    )
  }
  return withoutRepeats(found)
}

function hiddenSignals(html: HtmlDocument): Signal[] {
  const found: Signal[] = []
  const { hiddenText, visibleText } = html
  if (hiddenText.length > 0) {
    for (const method of html.hidingMethods) found.push(signal(HIDING_SIGNALS[method]))
  }
  if (hiddenText.length >= HIDDEN_LONG_MIN) {
    found.push(signal('HTML_HIDDEN_LONG', `${hiddenText.length} characters`))
  }
  if (hiddenText.length >= HIDDEN_SHORT_MIN && hiddenText.length > visibleText.length) {
    found.push(signal('HTML_HIDDEN_MOST', `${hiddenText.length} of ${visibleText.length}`))
  }
  return found
}

function elementSignals(html: HtmlDocument): Signal[] {
  const found: Signal[] = []
  const [form] = html.forms
  if (form !== undefined) found.push(signal('HTML_FORM', form.action))
  if (html.forms.some((it) => it.password)) found.push(signal('HTML_FORM_PASSWORD'))
  if (html.scripts > 0) found.push(signal('HTML_SCRIPT', String(html.scripts)))
  if (html.eventHandlers > 0) found.push(signal('HTML_EVENT_HANDLER', String(html.eventHandlers)))
  if (html.refresh !== undefined) found.push(signal('HTML_REFRESH', html.refresh))
  if (html.base !== undefined) found.push(signal('HTML_BASE', html.base))
  const embedding = EMBEDDING_TAGS.find((tag) => html.tagCounts.has(tag))
  if (embedding !== undefined) found.push(signal('HTML_EMBEDDING', embedding))
  if (html.tagCounts.has('svg')) found.push(signal('HTML_SVG'))
  const unknown = unknownTags(html)
  if (unknown.length >= UNKNOWN_TAGS_MIN) {
    found.push(signal('HTML_UNKNOWN_TAGS', unknown.slice(0, 5).join(' ')))
  }
  return found
}

/** Elements that are none. Names with a colon are Outlook's, with a hyphen a web component's. */
function unknownTags(html: HtmlDocument): string[] {
  return [...html.tagCounts.keys()].filter((tag) => !KNOWN_TAGS.has(tag) && !/[:-]/.test(tag))
}

function designSignals(html: HtmlDocument): Signal[] {
  const found: Signal[] = []
  if ((html.tagCounts.get('table') ?? 0) >= TABLE_LAYOUT_MIN)
    found.push(signal('HTML_TABLE_LAYOUT'))
  if (html.tagCounts.has('style')) found.push(signal('HTML_STYLE_ELEMENT'))
  const pixel = html.images.find(isPixel)
  if (pixel !== undefined) found.push(signal('HTML_TRACKING_PIXEL', pixel.src))
  if (html.images.length >= MANY_IMAGES_MIN) {
    found.push(signal('HTML_MANY_IMAGES', String(html.images.length)))
  }
  if (html.images.some((image) => /^data:/i.test(image.src)))
    found.push(signal('HTML_IMAGE_INLINE_DATA'))
  if (html.comments >= MANY_COMMENTS_MIN)
    found.push(signal('HTML_MANY_COMMENTS', String(html.comments)))
  const fonts = html.tagCounts.get('font') ?? 0
  if (fonts >= MANY_FONTS_MIN) found.push(signal('HTML_MANY_FONTS', String(fonts)))
  return found
}

function isPixel(image: {
  readonly width: number | undefined
  readonly height: number | undefined
}) {
  return (
    image.width !== undefined &&
    image.height !== undefined &&
    image.width <= PIXEL_SIDE_MAX &&
    image.height <= PIXEL_SIDE_MAX
  )
}

function ratioSignals(body: TextBody, html: HtmlDocument): Signal[] {
  const visible = html.visibleText.length
  if (visible < RATIO_TEXT_MIN) return []

  const found: Signal[] = []
  const markup = (body.source.length - visible) / visible
  if (markup >= MARKUP_RATIO_MIN) found.push(signal('HTML_MARKUP_HEAVY', markup.toFixed()))
  const style = html.styleCharacters / visible
  if (style >= STYLE_RATIO_MIN) found.push(signal('HTML_STYLE_HEAVY', style.toFixed()))
  return found
}

function withoutRepeats(signals: readonly Signal[]): Signal[] {
  const names = new Set<string>()
  return signals.filter(({ name }) => !names.has(name) && names.add(name))
}
