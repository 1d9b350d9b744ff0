/**
 * HTML bodies: the text a reader sees, the text kept from the reader, and where links lead.
 *
 * The scanner works in linear time and without a tree (a single mail of 1 MB of nested tags occupies a
 * tree-building parser for seconds). It makes one pass, or two when a style sheet comes after text. It
 * reads markup as browsers do (WHATWG HTML §13.2), broken markup included, as far as that decides what
 * is seen; scripts never run, so `noscript` is shown. Two things are left out because mail does not
 * need them: text in a table but outside its cells stays where it is (a browser moves it before the
 * table), and SVG is read like HTML.
 *
 * html-tag.ts finds and reads tags, html-open-elements.ts keeps track of the open elements and of how they
 * are rendered, html-style.ts reads what they declare, and folded-text.ts and html-links.ts collect the
 * texts and links.
 */

import { decodeHTML } from 'entities/decode'
import { wordSet } from '../data-table.ts'
import type { HidingMethod } from './css-hiding.ts'
import { readColour, readPixels } from './css-values.ts'
import { FoldedText } from './folded-text.ts'
import {
  BLOCK,
  CELL,
  type ElementKind,
  NOT_SHOWN,
  PAGE_ELEMENT,
  RAW_HIDDEN,
  RAW_SHOWN,
  SPECIAL,
  UNLESS_OPEN,
  VOID,
} from './html-elements.ts'
import { type HtmlLink, LinkCollector } from './html-links.ts'
import { OpenElements, type Rendering } from './html-open-elements.ts'
import {
  cascade,
  changesNothing,
  contested,
  type Declared,
  NOTHING_DECLARED,
  ROOM_MIN_PX,
  readDeclarations,
  readOptional,
} from './html-style.ts'
import { type StyledElement, StyleSheet } from './html-style-sheet.ts'
import { commentEnd, isLetter, opensMarkup, rawTextEnd, Tag } from './html-tag.ts'
import {
  FORMS_MAX,
  IMAGES_MAX,
  LINK_LENGTH_MAX,
  ReadingBudget,
  SCHEMA_TYPES_MAX,
  TAG_NAMES_MAX,
} from './limits.ts'
import { jsonLdTypes, microdataTypes } from './schema-types.ts'

export interface HtmlImage {
  readonly src: string
  readonly alt: string
  /** The width in pixels as declared by attribute or style; undefined when it is not. */
  readonly width: number | undefined
  readonly height: number | undefined
}

export interface HtmlForm {
  readonly action: string
  /** True when it has a field of type password. */
  readonly password: boolean
}

export interface HtmlDocument {
  /**
   * The text that a reader sees, in reading order: blocks on lines of their own, cells separated by a
   * space, white space folded. Alternative texts of images are not included; they are in `images`.
   */
  readonly visibleText: string
  /**
   * The same without text that may be hidden in a way that is not understood here: by a variable, a
   * mask, an attribute selector. Equal to `visibleText` where nothing is in doubt.
   */
  readonly certainText: string
  /** Length of the part of `visibleText` before the reader has to scroll over empty space; mostly all of it. */
  readonly seenFirstLength: number
  /** The range of the quotation in `visibleText`; undefined when there is none. */
  readonly quoted: { readonly start: number; readonly end: number } | undefined
  /** Text in the markup that is not seen, white space folded; preheaders included. */
  readonly hiddenText: string
  /** The methods by which text was hidden, no value twice. */
  readonly hidingMethods: readonly HidingMethod[]
  readonly title: string
  readonly links: readonly HtmlLink[]
  /** The addresses in the visible text, but not in an anchor, of which mail clients make links. */
  readonly bareLinks: readonly string[]
  /** Where else the body leads: forms, refreshes, shapes in Outlook's VML; absolute. */
  readonly targets: readonly string[]
  readonly images: readonly HtmlImage[]
  readonly forms: readonly HtmlForm[]
  /** Types named by schema.org markup (JSON-LD "@type" or itemtype): 'Order', 'ParcelDelivery'. */
  readonly schemaTypes: readonly string[]
  /** The number of start tags, by lower-cased name. */
  readonly tagCounts: ReadonlyMap<string, number>
  /** Characters inside style elements and style attributes. */
  readonly styleCharacters: number
  readonly scripts: number
  /** Attributes with inline event handlers (onload, onclick …). */
  readonly eventHandlers: number
  readonly comments: number
  /** Number of outermost elements that hid any text: one for a hidden cell, however much is inside. */
  readonly hiddenElements: number
  readonly refresh: string | undefined
  readonly base: string | undefined
}

const SLASH = 0x2f
const EXCLAMATION = 0x21
const QUESTION = 0x3f

/** Colour of a link without a declared colour (WHATWG HTML §15.3.4, -webkit-link). */
const LINK_COLOUR = 0x0000ee

const HIDDEN_ELEMENT: Declared = { ...NOTHING_DECLARED, display: 'none' }
const DOUBTFUL_ELEMENT: Declared = { ...NOTHING_DECLARED, doubtful: true }

/** The smallest of the sizes that a font element has (WHATWG HTML §15.3.4), in CSS pixels. */
const FONT_SIZE = { px: 10 }
const LINK_ELEMENT: Declared = { ...NOTHING_DECLARED, colour: LINK_COLOUR }

/**
 * What a mail client would show of `source`, and what it would not. Any string is allowed. `budget` is
 * that of the message; beyond it style sheets hide less.
 */
export function scanHtml(source: string, budget = new ReadingBudget()): HtmlDocument {
  const sheet = new StyleSheet(budget)
  const scanner = new HtmlScanner(source, sheet)
  scanner.scan()
  if (!scanner.styledLate || !budget.allowsRepeating(source.length)) return scanner.document()
  sheet.restart()
  const again = new HtmlScanner(source, sheet, true)
  again.scan()
  return again.document()
}

/** Height of empty space that no window shows as a whole, in CSS pixels. */
const SCREEN_PX = 1_000

const LINE_PX = 20

/** An image no wider than this, in CSS pixels, is there for its height. */
const SPACER_WIDTH_MAX_PX = 4

/** The beginning of a comment whose content Outlook reads. */
const CONDITIONAL = /^<!--\s{0,16}\[if/i

/** Whether the href of an element of that name is followed when it is clicked: of a link, or of a shape in VML, under any prefix. */
function leadsSomewhere(name: string): boolean {
  return name === 'a' || name === 'area' || name.includes(':')
}

/** The attributes that declare what CSS does (WHATWG HTML §15). */
const PRESENTATION = wordSet('background bgcolor color height hidden href popover size text')

/** Types of input fields that do not show their value (WHATWG HTML §4.10.5.1). */
const FIELDS_WITHOUT_TEXT = /^(?:hidden|checkbox|radio|file|color|range|image)$/

/** Characters of a class and id in which a mark of quotation is looked for. */
const QUOTATION_MARK_LENGTH_MAX = 200

/** The classes and ids with which mail programs mark a quotation. */
const QUOTATION = /gmail_quote|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|protonmail_quote/

const NO_TAG = new Tag('', 0)

class HtmlScanner {
  readonly #source: string
  /** The last start tag. */
  #tag = NO_TAG
  readonly #open = new OpenElements()
  readonly #sheet: StyleSheet
  /** True when the style sheets have been read in an earlier pass. */
  readonly #styled: boolean
  readonly #styles = new Map<string, Declared>()
  /** The title of the style sheets that are shown by default: others with a title are alternatives. */
  #sheetTitle: string | undefined
  readonly #visible = new FoldedText()
  /** The certain text; undefined until something is in doubt. */
  #certain: FoldedText | undefined
  readonly #hidden = new FoldedText()
  readonly #title = new FoldedText()
  readonly #hidingMethods = new Set<HidingMethod>()
  readonly #links = new LinkCollector(this.#visible, this.#hidden)
  readonly #images: HtmlImage[] = []
  readonly #forms: { readonly action: string; password: boolean }[] = []
  readonly #schemaTypes = new Set<string>()
  readonly #tagCounts = new Map<string, number>()
  #formIsOpen = false
  #hider = 0
  #styledLate = false
  #seenFirst: number | undefined
  #quoteStart: number | undefined
  #quoteEnd: number | undefined
  #styleCharacters = 0
  #scripts = 0
  #eventHandlers = 0
  #comments = 0
  #hiddenElements = 0
  #refresh: string | undefined
  #base: string | undefined

  constructor(source: string, sheet: StyleSheet, styled = false) {
    this.#source = source
    this.#sheet = sheet
    this.#styled = styled
  }

  /** True when a style sheet came after text that it might hide. */
  get styledLate(): boolean {
    return this.#styledLate
  }

  scan(): void {
    const source = this.#source
    let textStart = 0
    let at = source.indexOf('<')
    while (at >= 0) {
      const next = source.charCodeAt(at + 1)
      if (opensMarkup(next)) {
        if (at > textStart) this.#addText(textStart, at, true)
        textStart = this.#readMarkup(at, next)
      }
      at = source.indexOf('<', Math.max(textStart, at + 1))
    }
    if (textStart < source.length) this.#addText(textStart, source.length, true)
    this.#links.end()
  }

  document(): HtmlDocument {
    const visibleText = this.#visible.text
    const base = this.#base
    return {
      visibleText,
      certainText: this.#certain?.text ?? visibleText,
      seenFirstLength: this.#seenFirst ?? visibleText.length,
      quoted: this.#quoted(visibleText.length),
      hiddenText: this.#hidden.text,
      hidingMethods: [...this.#hidingMethods],
      title: this.#title.text,
      links: this.#links.links(base),
      bareLinks: this.#links.bareLinks(),
      targets: this.#links.targets(base),
      images: this.#images,
      forms: this.#forms,
      schemaTypes: [...this.#schemaTypes],
      tagCounts: this.#tagCounts,
      styleCharacters: this.#styleCharacters,
      scripts: this.#scripts,
      eventHandlers: this.#eventHandlers,
      comments: this.#comments,
      hiddenElements: this.#hiddenElements,
      refresh: this.#refresh,
      base,
    }
  }

  #quoted(length: number): HtmlDocument['quoted'] {
    if (this.#quoteStart === undefined) return undefined
    return { start: this.#quoteStart, end: this.#quoteEnd ?? length }
  }

  /** Index after the next `needle`; the length of the source when there is none. */
  #after(needle: string, start: number): number {
    const found = this.#source.indexOf(needle, start)
    return found < 0 ? this.#source.length : found + needle.length
  }

  /** Reads the tag or comment at `start`; returns the index after it. */
  #readMarkup(start: number, next: number): number {
    if (next === EXCLAMATION) return this.#skipDeclaration(start)
    if (next === QUESTION) return this.#after('>', start)
    if (next !== SLASH) return this.#readStartTag(start)
    const letter = this.#source.charCodeAt(start + 2)
    return isLetter(letter) ? this.#readEndTag(start) : this.#after('>', start)
  }

  /** Skips a comment, a doctype or CDATA: the last two end at `>` in HTML (§13.2.5.42). */
  #skipDeclaration(start: number): number {
    if (!this.#source.startsWith('<!--', start)) return this.#after('>', start)
    this.#comments++
    const end = commentEnd(this.#source, start + 4)
    const comment = this.#source.slice(start, end)
    if (CONDITIONAL.test(comment)) this.#collectTargets(comment)
    return end
  }

  /** Notes where the elements in `markup` lead, which Outlook shows. */
  #collectTargets(markup: string): void {
    let end = 0
    for (let at = markup.indexOf('<'); at >= 0; at = markup.indexOf('<', Math.max(end, at + 1))) {
      if (!isLetter(markup.charCodeAt(at + 1))) continue
      const tag = new Tag(markup, at + 1)
      if (!tag.complete) return
      end = tag.end
      if (leadsSomewhere(tag.kind.name)) this.#addTarget(tag.value('href'))
    }
  }

  #addTarget(href: string | undefined): void {
    if (href !== undefined) this.#links.addTarget(href.trim())
  }

  #readStartTag(start: number): number {
    const tag = new Tag(this.#source, start + 1)
    this.#tag = tag
    const { kind } = tag
    if (!tag.complete || kind.name === '') return tag.end
    this.#countTag(kind.name)
    if (this.#open.accepts(kind)) this.#openElement(kind)
    return kind.traits & (RAW_HIDDEN | RAW_SHOWN) ? this.#readRawText(kind, tag.end) : tag.end
  }

  #countTag(name: string): void {
    this.#eventHandlers += this.#tag.eventHandlers
    const count = this.#tagCounts.get(name)
    if (count !== undefined || this.#tagCounts.size < TAG_NAMES_MAX) {
      this.#tagCounts.set(name, (count ?? 0) + 1)
    }
  }

  #openElement(kind: ElementKind): void {
    if (kind.traits & VOID) this.#openVoid(kind)
    else if (!(kind.traits & RAW_HIDDEN)) this.#openWithContent(kind)
    if (this.#links.isOpen && !this.#open.isInsideLink) this.#links.end()
    this.#breakText(kind.traits, this.#open.rendering)
    this.#collect(kind.name)
  }

  #openVoid(kind: ElementKind): void {
    this.#open.closeImplied(kind)
    if (!this.#sheet.isEmpty) this.#open.noteVoid(this.#element(kind).askedFor)
    if (kind.name === 'br') this.#open.addRoom(LINE_PX)
  }

  #openWithContent(kind: ElementKind): void {
    if (this.#sheet.isEmpty) {
      this.#open.open(kind, this.#declared(kind, undefined))
    } else {
      const element = this.#element(kind)
      if (this.#sheet.hasLongSelectors) this.#open.closeImplied(kind)
      const declared = this.#declared(kind, element)
      this.#open.open(kind, declared, element.askedFor)
    }
    if (this.#quoteStart === undefined && this.#isQuotation(kind)) {
      this.#quoteStart = this.#visible.length
    }
  }

  #element({ name }: ElementKind): StyledElement {
    const tag = this.#tag
    if (!tag.hasAttributes) return this.#sheet.element(name, undefined, undefined)
    return this.#sheet.element(name, tag.value('class'), tag.value('id'))
  }

  #isQuotation({ name }: ElementKind): boolean {
    if (name === 'blockquote') return true
    if (name !== 'div' || !this.#tag.hasAttributes) return false
    const mark = this.#tag.value('class') ?? this.#tag.value('id')
    return mark !== undefined && QUOTATION.test(mark.slice(0, QUOTATION_MARK_LENGTH_MAX))
  }

  #readEndTag(start: number): number {
    const tag = new Tag(this.#source, start + 2)
    if (tag.complete) this.#closeElement(tag.kind)
    return tag.end
  }

  /** Closes an element. Text after the end of body or html still belongs to the body (WHATWG HTML §13.2.6.4.19). */
  #closeElement(kind: ElementKind): void {
    const { name, traits } = kind
    if (traits & PAGE_ELEMENT) return
    const { rendering } = this.#open
    const ends = this.#open.close(kind) || name === 'p' || name === 'br'
    if (ends) this.#breakText(traits, rendering)
    if (name === 'form') this.#formIsOpen = false
    else if (name === 'blockquote') this.#quoteEnd = this.#visible.length
    if (this.#links.isOpen && !this.#open.isInsideLink) this.#links.end()
  }

  /** Reads everything up to the end tag as text; returns the index of that end tag. */
  #readRawText({ name, traits }: ElementKind, start: number): number {
    const end = name === 'plaintext' ? this.#source.length : rawTextEnd(this.#source, name, start)
    if (traits & RAW_SHOWN) this.#addText(start, end, name === 'textarea')
    else if (name === 'title') this.#readTitle(start, end)
    else if (name === 'style') this.#readStyleSheet(start, end)
    else if (name === 'script') this.#readScript(start, end)
    return end
  }

  #readTitle(start: number, end: number): void {
    if (this.#title.length === 0) this.#title.append(decodeHTML(this.#source.slice(start, end)))
  }

  #readStyleSheet(start: number, end: number): void {
    this.#styleCharacters += end - start
    if (this.#styled || !this.#isStyleSheet()) return
    const before = this.#sheet.size
    this.#sheet.add(this.#source.slice(start, end), this.#tag.value('media'))
    if (this.#sheet.size > before && this.#visible.length > 0) this.#styledLate = true
  }

  /** Whether browsers apply the style element: of CSS, in the document, and no alternative to another (WHATWG HTML §4.2.6). */
  #isStyleSheet(): boolean {
    const type = this.#tag.value('type')?.toLowerCase() ?? ''
    if ((type !== '' && type !== 'text/css') || this.#open.isInsideTemplate) return false
    const title = this.#tag.value('title') ?? ''
    if (title === '') return true
    this.#sheetTitle ??= title
    return title === this.#sheetTitle
  }

  #readScript(start: number, end: number): void {
    this.#scripts++
    const type = this.#tag.value('type')?.trim().toLowerCase()
    if (type === 'application/ld+json') {
      this.#addSchemaTypes(jsonLdTypes(this.#source.slice(start, end)))
    }
  }

  #addSchemaTypes(types: readonly string[]): void {
    for (const type of types) {
      if (this.#schemaTypes.size < SCHEMA_TYPES_MAX) this.#schemaTypes.add(type)
    }
  }

  /** Adds the text from `start` to `end`; `references` in it are resolved where it is no raw text. */
  #addText(start: number, end: number, references: boolean): void {
    const source = this.#source.slice(start, end)
    const text = references && source.includes('&') ? decodeHTML(source) : source
    const { textHiddenBy, textDoubtful, hider } = this.#open.rendering
    if (textHiddenBy !== undefined) {
      this.#addHiddenText(text, textHiddenBy, hider)
      return
    }
    if (textDoubtful) this.#certain ??= this.#visible.copy()
    else this.#certain?.append(text)
    const before = this.#visible.length
    this.#visible.append(text)
    if (this.#visible.length > before) this.#noteSeen(before)
    // A no-break space makes an empty line with a height.
    else if (text.includes('\u00a0')) this.#open.addRoom(LINE_PX)
  }

  #noteSeen(at: number): void {
    if (this.#open.room >= SCREEN_PX && at > 0) this.#seenFirst ??= at
    this.#open.noteText()
  }

  #addHiddenText(text: string, method: HidingMethod, hider: number): void {
    const before = this.#hidden.length
    if (hider !== this.#hider) this.#hidden.breakLine()
    this.#hidden.append(text)
    if (this.#hidden.length === before) return
    this.#hidingMethods.add(method)
    if (hider !== this.#hider) this.#hiddenElements++
    this.#hider = hider
  }

  /** Separates the text before a tag from the text after it, where `traits` say so. */
  #breakText(traits: number, rendering: Rendering): void {
    if (!(traits & (BLOCK | CELL))) return
    if (!rendering.absent) {
      breakOne(this.#visible, traits)
      if (this.#certain !== undefined) breakOne(this.#certain, traits)
    }
    if (rendering.textHiddenBy !== undefined) breakOne(this.#hidden, traits)
  }

  /** What the attributes and the style sheets declare; undefined when nothing of it matters here. */
  #declared(
    { name, traits }: ElementKind,
    element: StyledElement | undefined,
  ): Declared | undefined {
    const tag = this.#tag
    let declared = traits & (NOT_SHOWN | UNLESS_OPEN) ? this.#hiding(traits) : NOTHING_DECLARED
    if (tag.hasAnyOf(PRESENTATION)) declared = cascade(declared, this.#presentation(name))
    const own = tag.hasAttributes ? this.#styleAttribute() : NOTHING_DECLARED
    const ruled = element ? this.#sheet.ruledFor(element, this.#open) : NOTHING_DECLARED
    const isOwnLast = own.isImportant || !ruled.isImportant
    declared = cascade(declared, isOwnLast ? cascade(ruled, own) : contested(own, ruled))
    if (declared.box === 'size' && isInline(traits, declared)) {
      declared = { ...declared, box: undefined, doubtful: true }
    }
    return changesNothing(declared) ? undefined : declared
  }

  /** What an element of that kind declares by itself: it hides its content, or may hide it. */
  #hiding(traits: number): Declared {
    if (traits & UNLESS_OPEN && this.#tag.value('open') !== undefined) {
      return NOTHING_DECLARED
    }
    return traits & NOT_SHOWN ? HIDDEN_ELEMENT : DOUBTFUL_ELEMENT
  }

  /** Attributes that declare what CSS does: bgcolor, color, hidden (WHATWG HTML §15). */
  #presentation(name: string): Declared {
    const tag = this.#tag
    if (name === 'a') return tag.value('href') === undefined ? NOTHING_DECLARED : LINK_ELEMENT
    if (tag.value('hidden') !== undefined) return HIDDEN_ELEMENT
    if (tag.value('popover') !== undefined) return DOUBTFUL_ELEMENT
    const colour = readOptional(tag.value(name === 'body' ? 'text' : 'color'), readColour)
    const image = tag.value('background')
    const background = image ? 'unknown' : readOptional(tag.value('bgcolor'), readColour)
    const isSized = name === 'font' && tag.value('size') !== undefined
    const fontSize = isSized ? FONT_SIZE : undefined
    const height = pixelsOf(tag.value('height')) ?? 0
    const roomBehind = height >= ROOM_MIN_PX ? height : 0
    return { ...NOTHING_DECLARED, colour, background, fontSize, roomBehind }
  }

  /** The declarations of the style attribute. A mail repeats the same few in every cell, so each is read once. */
  #styleAttribute(): Declared {
    const css = this.#tag.value('style')
    if (css === undefined) return NOTHING_DECLARED
    this.#styleCharacters += css.length
    let declared = this.#styles.get(css)
    if (declared === undefined) {
      declared = readDeclarations(css)
      this.#styles.set(css, declared)
    }
    return declared
  }

  /** Collects from a start tag what the document reports: links, images, forms. */
  #collect(name: string): void {
    if (!this.#tag.hasAttributes && name !== 'form') return
    const itemtype = this.#tag.value('itemtype')
    if (itemtype !== undefined) this.#addSchemaTypes(microdataTypes(itemtype))
    this.#addTarget(this.#tag.value('formaction'))
    if (name === 'a' || name === 'area') this.#startLink(name)
    else if (name === 'img') this.#addImage()
    else if (name === 'form') this.#addForm()
    else if (name === 'input') this.#addInput()
    else if (name === 'meta') this.#readMeta()
    else if (name === 'base') this.#readBase()
    else if (leadsSomewhere(name)) this.#addTarget(this.#tag.value('href'))
  }

  #readBase(): void {
    if (!this.#open.isInsideTemplate) this.#base ??= this.#tag.value('href')?.trim()
  }

  #startLink(name: string): void {
    const href = (this.#tag.value('href') ?? this.#tag.value('xlink:href'))?.trim()
    if (href === undefined) return
    const boxHidden = this.#open.rendering.boxHiddenBy !== undefined
    this.#links.start(href, boxHidden)
    if (name === 'area') this.#links.end()
  }

  #addImage(): void {
    this.#links.addImage()
    if (this.#images.length >= IMAGES_MAX) return
    const style = this.#styleAttribute()
    const width = style.width ?? pixelsOf(this.#tag.value('width'))
    const height = style.height ?? pixelsOf(this.#tag.value('height'))
    if ((width ?? Infinity) <= SPACER_WIDTH_MAX_PX) this.#open.addRoom(height ?? 0)
    this.#images.push({
      src: (this.#tag.value('src') ?? '').trim().slice(0, LINK_LENGTH_MAX),
      alt: this.#tag.value('alt') ?? '',
      width,
      height,
    })
  }

  #addForm(): void {
    this.#addTarget(this.#tag.value('action'))
    if (this.#forms.length >= FORMS_MAX) return
    const action = (this.#tag.value('action') ?? '').trim().slice(0, LINK_LENGTH_MAX)
    this.#forms.push({ action, password: false })
    this.#formIsOpen = true
  }

  /** A password field outside every form is noted as a form of its own. */
  #addInput(): void {
    const type = this.#tag.value('type')?.trim().toLowerCase()
    if (type !== 'password') {
      if (!FIELDS_WITHOUT_TEXT.test(type ?? '')) this.#addValue(this.#tag.value('value') ?? '')
      return
    }
    const form = this.#formIsOpen ? this.#forms.at(-1) : undefined
    if (form !== undefined) form.password = true
    else if (this.#forms.length < FORMS_MAX) this.#forms.push({ action: '', password: true })
  }

  #addValue(value: string): void {
    if (value === '' || this.#open.rendering.textHiddenBy !== undefined) return
    for (const text of [this.#visible, this.#certain]) {
      text?.space()
      text?.append(value)
      text?.space()
    }
  }

  #readMeta(): void {
    if (this.#tag.value('http-equiv')?.trim().toLowerCase() !== 'refresh') return
    const target = refreshTarget(this.#tag.value('content') ?? '')
    this.#addTarget(target)
    this.#refresh ??= target
  }
}

/** Whether an element has no box of its own that could cut off its content, unless it stands apart from the line. */
function isInline(traits: number, { display, comesBack }: Declared): boolean {
  return !(traits & (BLOCK | CELL | SPECIAL)) && display === undefined && !comesBack
}

function breakOne(text: FoldedText, traits: number): void {
  if (traits & BLOCK) text.breakLine()
  else text.space()
}

/** The pixels in a width or height attribute; undefined for a percentage. */
function pixelsOf(value: string | undefined): number | undefined {
  return value === undefined ? undefined : readPixels(value.trim().toLowerCase())
}

/** The address in `5; url='https://example.com/'` (WHATWG HTML §4.2.5.3); undefined without one. */
function refreshTarget(content: string): string | undefined {
  const text = content.slice(0, LINK_LENGTH_MAX)
  const name = text.search(/url\s{0,16}=/i)
  if (name < 0) return undefined
  const target = text.slice(text.indexOf('=', name) + 1).trim()
  const quote = target.charAt(0)
  return quote === '"' || quote === "'" ? target.split(quote, 2)[1]?.trim() : target
}
