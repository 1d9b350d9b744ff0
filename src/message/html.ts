/**
 * HTML bodies: the text a reader sees, the text kept from the reader, and where links lead.
 *
 * A scanner in one pass and linear time, without a tree (a single mail of 1 MB of nested tags
 * occupies a tree-building parser for seconds). It reads markup as browsers do (WHATWG HTML
 * §13.2), broken markup included, as far as that decides what is seen; scripts never run, so
 * `noscript` is shown. Not done, because mail does not need it: text that stands in a table but
 * in no cell stays where it is (a browser moves it before the table), SVG is read like HTML, and
 * a style element counts only for what comes after it.
 *
 * The parts: html-syntax.ts and html-tag.ts find and read tags, html-open-elements.ts keeps what
 * is open, html-style.ts and html-rendering.ts decide what is seen, folded-text.ts and
 * html-links.ts put together what is asked for.
 */

import { readColour } from './colour.ts'
import { FoldedText } from './folded-text.ts'
import {
  BLOCK,
  CELL,
  type ElementKind,
  NOT_SHOWN,
  PAGE_ELEMENT,
  RAW_HIDDEN,
  RAW_SHOWN,
  VOID,
} from './html-elements.ts'
import { LinkCollector } from './html-links.ts'
import { OpenElements } from './html-open-elements.ts'
import type { Rendering } from './html-rendering.ts'
import {
  cascade,
  type Declared,
  NOTHING_DECLARED,
  readDeclarations,
  readPixels,
} from './html-style.ts'
import { StyleSheet } from './html-style-sheet.ts'
import { commentEnd, isLetter, opensMarkup, rawTextEnd } from './html-syntax.ts'
import { TagReader } from './html-tag.ts'
import {
  FORMS_MAX,
  IMAGES_MAX,
  LINK_LENGTH_MAX,
  SCHEMA_TYPES_MAX,
  TAG_NAMES_MAX,
} from './limits.ts'
import { jsonLdTypes, microdataTypes } from './schema-types.ts'

export interface HtmlLink {
  /** Attribute value with character references resolved, trimmed. */
  readonly href: string
  /** Visible text between the start and the end of the link, its hidden text when `hidden`; white space folded. */
  readonly text: string
  /** True when nothing of it is seen: it stands in a hidden box, or has hidden text and no image. */
  readonly hidden: boolean
}

export interface HtmlImage {
  readonly src: string
  readonly alt: string
  /** Declared in pixels by attribute or style, undefined when not. */
  readonly width: number | undefined
  readonly height: number | undefined
}

export interface HtmlForm {
  readonly action: string
  /** True when it has a field of type password. */
  readonly password: boolean
}

/** Ways in which markup hides text from the reader but not from a filter. */
export type HidingMethod = 'display' | 'size' | 'colour' | 'position' | 'opacity'

/** What the scanner found in one HTML body. */
export interface HtmlDocument {
  /**
   * Text a reader sees, in reading order; blocks on lines of their own, cells parted by a space,
   * white space folded. Without alternative texts of images, which are in `images`.
   */
  readonly visibleText: string
  /** Text that is in the markup but not seen, white space folded; preheaders included. */
  readonly hiddenText: string
  /** The methods by which text was hidden, no value twice. */
  readonly hidingMethods: readonly HidingMethod[]
  readonly title: string
  readonly links: readonly HtmlLink[]
  readonly images: readonly HtmlImage[]
  readonly forms: readonly HtmlForm[]
  /** Types named by schema.org markup (JSON-LD "@type" or itemtype): 'Order', 'ParcelDelivery'. */
  readonly schemaTypes: readonly string[]
  /** Occurrences of each start tag, by lower-cased name. */
  readonly tagCounts: ReadonlyMap<string, number>
  /** Characters inside style elements and style attributes. */
  readonly styleCharacters: number
  readonly scripts: number
  /** Attributes with inline event handlers (onload, onclick …). */
  readonly eventHandlers: number
  /** Comments, conditional ones included. */
  readonly comments: number
  /** Outermost elements that hid any text: one for a hidden cell, however much is inside. */
  readonly hiddenElements: number
  /** http-equiv=refresh target, undefined when none. */
  readonly refresh: string | undefined
  /** base href, undefined when none. */
  readonly base: string | undefined
}

const SLASH = 0x2f
const EXCLAMATION = 0x21
const QUESTION = 0x3f

/** Colour of a link that declares none (WHATWG HTML §15.3.4, -webkit-link). */
const LINK_COLOUR = 0x0000ee

const HIDDEN_ELEMENT: Declared = { ...NOTHING_DECLARED, display: 'none' }
const LINK_ELEMENT: Declared = { ...NOTHING_DECLARED, colour: LINK_COLOUR }

/** What a mail client would show of `source`, and what it would not. Any string will do. */
export function scanHtml(source: string): HtmlDocument {
  const scanner = new HtmlScanner(source)
  scanner.scan()
  return scanner.document()
}

class HtmlScanner {
  readonly #source: string
  readonly #tag: TagReader
  readonly #open = new OpenElements()
  readonly #sheet = new StyleSheet()
  readonly #styles = new Map<string, Declared>()
  readonly #visible = new FoldedText()
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
  #styleCharacters = 0
  #scripts = 0
  #eventHandlers = 0
  #comments = 0
  #hiddenElements = 0
  #refresh: string | undefined
  #base: string | undefined

  constructor(source: string) {
    this.#source = source
    this.#tag = new TagReader(source)
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
    return {
      visibleText: this.#visible.text,
      hiddenText: this.#hidden.text,
      hidingMethods: [...this.#hidingMethods],
      title: this.#title.text,
      links: this.#links.links(),
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
      base: this.#base,
    }
  }

  /** Index after the next `needle`, the length of the source when there is none. */
  #after(needle: string, start: number): number {
    const found = this.#source.indexOf(needle, start)
    return found < 0 ? this.#source.length : found + needle.length
  }

  /** Reads the tag or comment at `start`; gives the index after it. */
  #readMarkup(start: number, next: number): number {
    if (next === EXCLAMATION) return this.#skipDeclaration(start)
    if (next === QUESTION) return this.#after('>', start)
    if (next !== SLASH) return this.#readStartTag(start)
    const letter = this.#source.charCodeAt(start + 2)
    return isLetter(letter) ? this.#readEndTag(start) : this.#after('>', start)
  }

  /** Passes over a comment, a doctype or CDATA: the last two end at `>` in HTML (§13.2.5.42). */
  #skipDeclaration(start: number): number {
    if (!this.#source.startsWith('<!--', start)) return this.#after('>', start)
    this.#comments++
    return commentEnd(this.#source, start + 4)
  }

  #readStartTag(start: number): number {
    const tag = this.#tag
    tag.read(start + 1)
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
    if (kind.traits & VOID) this.#open.closeImplied(kind)
    else if (!(kind.traits & RAW_HIDDEN)) this.#open.open(kind, this.#declared(kind))
    if (this.#links.isOpen && !this.#open.isInsideLink) this.#links.end()
    this.#breakText(kind.traits, this.#open.rendering)
    this.#collect(kind.name)
  }

  #readEndTag(start: number): number {
    const tag = this.#tag
    tag.read(start + 2)
    if (tag.complete) this.#closeElement(tag.kind)
    return tag.end
  }

  /** Text after the end of body or html is still the body's (WHATWG HTML §13.2.6.4.19). */
  #closeElement(kind: ElementKind): void {
    const { name, traits } = kind
    if (traits & PAGE_ELEMENT) return
    const { rendering } = this.#open
    const ends = this.#open.close(kind) || name === 'p' || name === 'br'
    if (ends) this.#breakText(traits, rendering)
    if (name === 'form') this.#formIsOpen = false
    if (this.#links.isOpen && !this.#open.isInsideLink) this.#links.end()
  }

  /** Reads what is up to the end tag as text; gives the index of that end tag. */
  #readRawText({ name, traits }: ElementKind, start: number): number {
    const end = name === 'plaintext' ? this.#source.length : rawTextEnd(this.#source, name, start)
    if (traits & RAW_SHOWN) this.#addText(start, end, name === 'textarea')
    else if (name === 'title') this.#readTitle(start, end)
    else if (name === 'style') this.#readStyleSheet(start, end)
    else if (name === 'script') this.#readScript(start, end)
    return end
  }

  #readTitle(start: number, end: number): void {
    if (this.#title.length === 0) this.#title.append(this.#source, start, end, true)
  }

  #readStyleSheet(start: number, end: number): void {
    this.#styleCharacters += end - start
    this.#sheet.add(this.#source.slice(start, end))
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

  #addText(start: number, end: number, references: boolean): void {
    const { textHiddenBy, hider } = this.#open.rendering
    if (textHiddenBy === undefined) this.#visible.append(this.#source, start, end, references)
    else this.#addHiddenText(start, end, references, textHiddenBy, hider)
  }

  #addHiddenText(
    start: number,
    end: number,
    references: boolean,
    method: HidingMethod,
    hider: number,
  ): void {
    const before = this.#hidden.length
    if (hider !== this.#hider) this.#hidden.breakLine()
    this.#hidden.append(this.#source, start, end, references)
    if (this.#hidden.length === before) return
    this.#hidingMethods.add(method)
    if (hider !== this.#hider) this.#hiddenElements++
    this.#hider = hider
  }

  /** Parts the text before a tag from the text after it, where `traits` say so. */
  #breakText(traits: number, rendering: Rendering): void {
    if (!(traits & (BLOCK | CELL))) return
    if (!rendering.absent) breakOne(this.#visible, traits)
    if (rendering.textHiddenBy !== undefined) breakOne(this.#hidden, traits)
  }

  /** What the attributes and the style sheets declare; undefined when nothing that matters here. */
  #declared({ name, traits }: ElementKind): Declared | undefined {
    const tag = this.#tag
    let declared = traits & NOT_SHOWN ? HIDDEN_ELEMENT : NOTHING_DECLARED
    if (tag.hasAttributes) declared = cascade(declared, this.#presentation(name))
    if (!this.#sheet.isEmpty) {
      const rules = this.#sheet.declaredFor(name, tag.value('class'), tag.value('id'))
      declared = cascade(declared, rules)
    }
    if (tag.hasAttributes) declared = cascade(declared, this.#styleAttribute())
    return declared === NOTHING_DECLARED ? undefined : declared
  }

  /** Attributes that declare what CSS does: bgcolor, color, hidden (WHATWG HTML §15). */
  #presentation(name: string): Declared {
    const tag = this.#tag
    if (name === 'a') return tag.value('href') === undefined ? NOTHING_DECLARED : LINK_ELEMENT
    if (tag.value('hidden') !== undefined) return HIDDEN_ELEMENT
    const colour = colourOf(tag.value(name === 'body' ? 'text' : 'color'))
    const image = tag.value('background')
    const background = image ? 'unknown' : colourOf(tag.value('bgcolor'))
    const fontSize = name === 'font' && tag.value('size') !== undefined ? 'readable' : undefined
    if (colour === undefined && background === undefined && fontSize === undefined) {
      return NOTHING_DECLARED
    }
    return { ...NOTHING_DECLARED, colour, background, fontSize }
  }

  /** The style attribute; a mail repeats the same few in every cell, so each is read once. */
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

  /** Takes from a start tag what the document is asked for. */
  #collect(name: string): void {
    if (!this.#tag.hasAttributes && name !== 'form') return
    const itemtype = this.#tag.value('itemtype')
    if (itemtype !== undefined) this.#addSchemaTypes(microdataTypes(itemtype))
    if (name === 'a' || name === 'area') this.#startLink(name)
    else if (name === 'img') this.#addImage()
    else if (name === 'form') this.#addForm()
    else if (name === 'input') this.#addInput()
    else if (name === 'meta') this.#readMeta()
    else if (name === 'base') this.#base ??= this.#tag.value('href')?.trim()
  }

  #startLink(name: string): void {
    const href = this.#tag.value('href')?.trim()
    if (href === undefined) return
    const boxHidden = this.#open.rendering.boxHiddenBy !== undefined
    this.#links.start(href, boxHidden)
    if (name === 'area') this.#links.end()
  }

  #addImage(): void {
    this.#links.addImage()
    if (this.#images.length >= IMAGES_MAX) return
    const style = this.#styleAttribute()
    this.#images.push({
      src: (this.#tag.value('src') ?? '').trim().slice(0, LINK_LENGTH_MAX),
      alt: this.#tag.value('alt') ?? '',
      width: style.width ?? pixelsOf(this.#tag.value('width')),
      height: style.height ?? pixelsOf(this.#tag.value('height')),
    })
  }

  #addForm(): void {
    if (this.#forms.length >= FORMS_MAX) return
    const action = (this.#tag.value('action') ?? '').trim().slice(0, LINK_LENGTH_MAX)
    this.#forms.push({ action, password: false })
    this.#formIsOpen = true
  }

  /** A password field outside every form is noted as a form of its own. */
  #addInput(): void {
    if (this.#tag.value('type')?.trim().toLowerCase() !== 'password') return
    const form = this.#formIsOpen ? this.#forms.at(-1) : undefined
    if (form !== undefined) form.password = true
    else if (this.#forms.length < FORMS_MAX) this.#forms.push({ action: '', password: true })
  }

  #readMeta(): void {
    if (this.#tag.value('http-equiv')?.trim().toLowerCase() !== 'refresh') return
    this.#refresh ??= refreshTarget(this.#tag.value('content') ?? '')
  }
}

function breakOne(text: FoldedText, traits: number): void {
  if (traits & BLOCK) text.breakLine()
  else text.space()
}

function colourOf(value: string | undefined): Declared['colour'] {
  return value === undefined ? undefined : readColour(value)
}

/** Pixels of a width or height attribute; undefined for a percentage. */
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
