/**
 * Signals from HTML markup: text that a filter reads and a person does not, and elements that mail has no use for. Most newsletters
 * hide a preheader: what counts is how, how much, and against how much that is seen.
 */
import type { HidingMethod } from '../message/css-hiding.ts'
import type { HtmlDocument } from '../message/html.ts'
import type { Message } from '../message/message.ts'
import { firstOfEachName, raised, type Signal, signal } from './signal.ts'
import { wordList } from './word-lists.ts'

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

const KNOWN_TAGS = wordList('html-element')

/** Made-up elements below this many may be a name in angle brackets. */
const UNKNOWN_TAGS_MIN = 3

/** Signals of each page in the message; of several pages the first that raises one. */
export function htmlSignals(message: Message): Signal[] {
  return firstOfEachName(
    message.texts.flatMap(({ html, source }) =>
      html === undefined ? [] : [...hidingSignals(html), ...pageSignals(html, source.length)],
    ),
  )
}

function hidingSignals({ hiddenText, hidingMethods }: HtmlDocument): Signal[] {
  if (hiddenText === '') return []
  return Array.from(hidingMethods, (method) => signal(HIDING_SIGNALS[method]))
}

function pageSignals(html: HtmlDocument, sourceLength: number): Signal[] {
  const { forms, images, tagCounts } = html
  const hidden = html.hiddenText.length
  const visible = html.visibleText.length
  const fonts = tagCounts.get('font') ?? 0
  // Names with a colon are Outlook's, with a hyphen a web component's.
  const unknown = [...tagCounts.keys()].filter((tag) => !KNOWN_TAGS.has(tag) && !/[:-]/.test(tag))
  // Of less visible text any ratio means nothing.
  const markup = visible < RATIO_TEXT_MIN ? 0 : (sourceLength - visible) / visible
  const style = visible < RATIO_TEXT_MIN ? 0 : html.styleCharacters / visible
  return raised({
    HTML_HIDDEN_LONG: hidden >= HIDDEN_LONG_MIN && `${hidden} characters`,
    HTML_HIDDEN_MOST: hidden >= HIDDEN_SHORT_MIN && hidden > visible && `${hidden} of ${visible}`,
    HTML_FORM: forms[0]?.action,
    HTML_FORM_PASSWORD: forms.some(({ password }) => password),
    HTML_SCRIPT: html.scripts > 0 && html.scripts,
    HTML_EVENT_HANDLER: html.eventHandlers > 0 && html.eventHandlers,
    HTML_REFRESH: html.refresh,
    HTML_BASE: html.base,
    HTML_EMBEDDING: EMBEDDING_TAGS.find((tag) => tagCounts.has(tag)),
    HTML_SVG: tagCounts.has('svg'),
    HTML_UNKNOWN_TAGS: unknown.length >= UNKNOWN_TAGS_MIN && unknown.slice(0, 5).join(' '),
    HTML_TABLE_LAYOUT: (tagCounts.get('table') ?? 0) >= TABLE_LAYOUT_MIN,
    HTML_STYLE_ELEMENT: tagCounts.has('style'),
    HTML_TRACKING_PIXEL: images.find(isPixel)?.src,
    HTML_MANY_IMAGES: images.length >= MANY_IMAGES_MIN && images.length,
    HTML_IMAGE_INLINE_DATA: images.some(({ src }) => /^data:/i.test(src)),
    HTML_MANY_COMMENTS: html.comments >= MANY_COMMENTS_MIN && html.comments,
    HTML_MANY_FONTS: fonts >= MANY_FONTS_MIN && fonts,
    HTML_MARKUP_HEAVY: markup >= MARKUP_RATIO_MIN && markup.toFixed(),
    HTML_STYLE_HEAVY: style >= STYLE_RATIO_MIN && style.toFixed(),
  })
}

function isPixel({ width = Infinity, height = Infinity }: HtmlDocument['images'][number]): boolean {
  return width <= PIXEL_SIDE_MAX && height <= PIXEL_SIDE_MAX
}
