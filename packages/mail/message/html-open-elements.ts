/**
 * The elements that are open at one place of a document, innermost last, and how tags open and
 * close them (WHATWG HTML §13.2.4.2, §13.2.6.4.7, the parts that decide what is hidden).
 *
 * Mail is seldom well-formed: paragraphs and cells end without end tags, formatting goes on across
 * blocks. A scanner that closes elements wrongly takes hidden text for seen, or the rest of a message
 * for hidden. Attackers nest hundreds of elements for that purpose, so depth is not limited: each
 * element knows where the next one of its name is and how far out an end tag can reach, so that the
 * stack is never searched.
 */
import type { HidingMethod } from './css-hiding.ts'
import { type Colour, FONT_SIZE_PX, isFaint, isUnreadable } from './css-values.ts'
import {
  CLOSES_PARAGRAPH,
  type ElementKind,
  elementKind,
  FORMATTING,
  type ImpliedEnd,
  KNOWN_ELEMENTS,
  PAGE_ELEMENT,
  ROWS,
  SCOPE,
  SPECIAL,
  TABLE_PART,
  TABLE_SCOPE,
} from './html-elements.ts'
import type { Declared, FontSize } from './html-style.ts'
import { REOPENED_MAX } from './limits.ts'

const PARAGRAPH = elementKind('p')
const LINK = elementKind('a')
const TABLE = elementKind('table')
const TEMPLATE = elementKind('template')

const NO_KEYS: readonly string[] = []

const NOWHERE = -1

/** An open element; `below`, `scope`, `special` and `tableScope` are indices, or NOWHERE. */
interface OpenElement {
  readonly kind: ElementKind
  /** Undefined when it declares nothing and is rendered like the element around it. */
  readonly declared: Declared | undefined
  /** Its name, classes and id, as far as selectors name them. */
  readonly keys: readonly string[]
  /** Number of visible pieces of text before it opened. */
  readonly textsBefore: number
  readonly rendering: Rendering
  /** The next element out that has the same name. */
  readonly below: number
  /** The innermost elements with these traits, this one included. */
  readonly scope: number
  readonly special: number
  readonly tableScope: number
}

export class OpenElements {
  readonly #elements: OpenElement[] = []
  /** Index of the innermost open element of each kind, by ordinal, and of those that HTML does not know, by name. */
  readonly #innermost = new Array<number>(KNOWN_ELEMENTS).fill(NOWHERE)
  readonly #innermostUnknown = new Map<string, number>()
  readonly #pages = new Set<ElementKind>()
  /** How text directly in html or body is rendered. */
  #page = PAGE
  /** How many open elements have each key; also has the keys of all elements so far. */
  readonly #openKeys = new Map<string, number>()
  #opened = 0
  #reopened = 0
  #texts = 0
  #room = 0

  get rendering(): Rendering {
    return this.#elements.at(-1)?.rendering ?? this.#page
  }

  get isInsideLink(): boolean {
    return this.#indexOf(LINK) !== NOWHERE
  }

  /** True in what is no part of the document. */
  get isInsideTemplate(): boolean {
    return this.#indexOf(TEMPLATE) !== NOWHERE
  }

  /** Height of the empty space since the last visible text, in CSS pixels. */
  get room(): number {
    return this.#room
  }

  noteText(): void {
    this.#texts++
    this.#room = 0
  }

  addRoom(pixels: number): void {
    this.#room += pixels
  }

  /** Whether an element with that key is open, and whether one has been opened. */
  readonly isInside = (key: string): boolean => (this.#openKeys.get(key) ?? 0) > 0
  readonly isAfter = (key: string): boolean => this.#openKeys.has(key)

  /** Notes an element without content that has these keys. */
  noteVoid(keys: readonly string[]): void {
    this.#countKeys(keys, 0)
  }

  /** False for a part of a table where no table is open: browsers drop its start tag (§13.2.6.4.7). */
  accepts(kind: ElementKind): boolean {
    return !(kind.traits & TABLE_PART) || kind === TABLE || this.#indexOf(TABLE) !== NOWHERE
  }

  open(kind: ElementKind, declared: Declared | undefined, keys: readonly string[] = NO_KEYS): void {
    if (kind.traits & PAGE_ELEMENT) {
      this.#openPage(kind, declared)
      this.#countKeys(keys, 1)
    } else {
      this.closeImplied(kind)
      this.#push(kind, declared, keys)
    }
  }

  /** Closes the elements that a start tag of that kind ends implicitly. */
  closeImplied(kind: ElementKind): void {
    if (kind.traits & CLOSES_PARAGRAPH) this.close(PARAGRAPH)
    else if (kind === LINK) this.close(LINK)
    if (kind.impliedEnd !== undefined) this.#closeOneOf(kind.impliedEnd)
  }

  /** Closes the innermost element of that kind if an end tag here reaches it; returns whether it did. */
  close(kind: ElementKind): boolean {
    const index = this.#indexOf(kind)
    if (index === NOWHERE || index < this.#reachOf(kind)) return false
    const { special } = this.#elements.at(-1) as OpenElement
    if (kind.traits & FORMATTING && special > index) this.#takeOut(index)
    else this.#closeFrom(index)
    return true
  }

  /** html and body are around everything, wherever their start tags stand; the first of each counts. */
  #openPage(kind: ElementKind, declared: Declared | undefined): void {
    if (declared && !this.#pages.has(kind)) {
      this.#page = renderInside(this.#page, declared, ++this.#opened)
    }
    this.#pages.add(kind)
  }

  #indexOf({ ordinal, name }: ElementKind): number {
    if (ordinal >= 0) return this.#innermost[ordinal]!
    return this.#innermostUnknown.get(name) ?? NOWHERE
  }

  #setIndex({ ordinal, name }: ElementKind, index: number): void {
    if (ordinal >= 0) this.#innermost[ordinal] = index
    else this.#innermostUnknown.set(name, index)
  }

  /** Index of the element that an end tag of that kind does not reach out of. */
  #reachOf({ traits }: ElementKind): number {
    const { tableScope, scope, special } = this.#elements.at(-1) as OpenElement
    if (traits & TABLE_PART) return tableScope
    return traits & (SPECIAL | FORMATTING) ? scope : special
  }

  #closeOneOf({ closes, within, clears }: ImpliedEnd): void {
    const index = this.#innermostOf(closes)
    const limit = this.#innermostOf(within)
    if (index > limit) this.#closeFrom(index)
    else if (clears) this.#removeFrom(limit + 1)
  }

  #innermostOf(ordinals: readonly number[]): number {
    let innermost = NOWHERE
    for (const ordinal of ordinals) innermost = Math.max(innermost, this.#innermost[ordinal]!)
    return innermost
  }

  /** Closes the element at `index` and everything inside; formatting inside goes on after it. */
  #closeFrom(index: number): void {
    const { kind } = this.#elements[index] as OpenElement
    const inside = kind.traits & (SCOPE | TABLE_PART) ? [] : this.#elements.slice(index + 1)
    this.#removeFrom(index)
    this.#pushAgain(inside.filter(({ kind }) => kind.traits & FORMATTING))
  }

  /** Closes only the element at `index`: what is inside stays open. */
  #takeOut(index: number): void {
    if (this.#reopened + this.#elements.length - index - 1 > REOPENED_MAX) return
    const inside = this.#elements.slice(index + 1)
    this.#removeFrom(index)
    this.#pushAgain(inside)
  }

  #push(kind: ElementKind, declared: Declared | undefined, keys: readonly string[]): void {
    const { traits } = kind
    this.#room += declared?.roomBefore ?? 0
    this.#countKeys(keys, 1)
    const index = this.#elements.length
    const around = this.#elements[index - 1]
    const place = this.#renderingAround(kind)
    this.#elements.push({
      kind,
      declared,
      keys,
      textsBefore: this.#texts,
      rendering: declared ? renderInside(place, declared, ++this.#opened) : place,
      below: this.#indexOf(kind),
      scope: traits & SCOPE ? index : (around?.scope ?? NOWHERE),
      special: traits & SPECIAL ? index : (around?.special ?? NOWHERE),
      tableScope: traits & TABLE_SCOPE ? index : (around?.tableScope ?? NOWHERE),
    })
    this.#setIndex(kind, index)
  }

  /** The rendering around a new element: an element in a table but not in a cell stands before the table (§13.2.6.1). */
  #renderingAround(kind: ElementKind): Rendering {
    const around = this.#elements.at(-1)
    if (around === undefined) return this.#page
    if (!(around.kind.traits & ROWS) || kind.traits & TABLE_PART) return around.rendering
    return this.#elements[this.#indexOf(TABLE) - 1]?.rendering ?? this.#page
  }

  #pushAgain(elements: readonly OpenElement[]): void {
    for (const { kind, declared, keys } of elements) {
      if (++this.#reopened <= REOPENED_MAX) this.#push(kind, declared, keys)
    }
  }

  #removeFrom(index: number): void {
    while (this.#elements.length > index) {
      const { kind, below, keys, declared, textsBefore } = this.#elements.pop() as OpenElement
      this.#setIndex(kind, below)
      this.#countKeys(keys, -1)
      if (declared?.roomBehind) this.#endRoom(declared.roomBehind, textsBefore)
    }
  }

  #countKeys(keys: readonly string[], by: number): void {
    for (const key of keys) this.#openKeys.set(key, (this.#openKeys.get(key) ?? 0) + by)
  }

  /** Counts the height of an element as empty space if it has no visible text. */
  #endRoom(pixels: number, textsBefore: number): void {
    const empty = textsBefore === this.#texts
    this.#room = empty ? this.#room + pixels : Math.max(this.#room, pixels)
  }
}

// How an element is rendered inside another: what CSS inherits, and what it does not.
//
// `display` and opacity hide everything inside, whatever is declared there. Visibility, font size and
// colours can be reset by elements further in. What is cut off or off screen may come back where an
// element further in moves: it is in doubt.

/** Letters up to this height, in CSS pixels, cannot be read: the smallest print in honest mail has 6. */
const FONT_SIZE_HIDDEN_MAX_PX = 4

export interface Rendering {
  /** How the box of this element or of one around it hides everything inside. */
  readonly boxHiddenBy: HidingMethod | undefined
  /** True when there is no box at all, not even an empty one. */
  readonly absent: boolean
  readonly invisible: boolean
  readonly fontSize: number
  readonly colour: Colour
  readonly background: Colour
  /** The last known background colour: what is seen until a background image has loaded. */
  readonly backdrop: number
  /** True when this element or one around it may hide its content in a way that is not understood here. */
  readonly boxDoubtful: boolean
  /** How text here is hidden; undefined when it is, or may be, visible. */
  readonly textHiddenBy: HidingMethod | undefined
  /** True when text here may be hidden in a way that is not understood here. */
  readonly textDoubtful: boolean
  /** The number of the outermost element that hides text here; 0 when none does. */
  readonly hider: number
}

const WHITE = 0xffffff

/** Black on white, as a mail client shows a message that declares nothing. */
const PAGE: Rendering = {
  boxHiddenBy: undefined,
  absent: false,
  invisible: false,
  fontSize: FONT_SIZE_PX,
  colour: 0x000000,
  background: WHITE,
  backdrop: WHITE,
  boxDoubtful: false,
  textHiddenBy: undefined,
  textDoubtful: false,
  hider: 0,
}

/** How an element with these declarations is rendered inside `parent`. `ordinal` is the element's number. */
function renderInside(parent: Rendering, declared: Declared, ordinal: number): Rendering {
  const absent = parent.absent || declared.display === 'none'
  const background =
    declared.background === undefined || declared.background === 'transparent'
      ? parent.background
      : declared.background
  const own = absent ? 'display' : declared.box
  const comesBack = declared.comesBack && CAN_BE_LEFT.has(parent.boxHiddenBy)
  // One far shift undoes another.
  const left = own === 'position' ? undefined : own
  const boxHiddenBy = comesBack ? left : (parent.boxHiddenBy ?? own)
  const invisible = declared.visibility ? declared.visibility === 'hidden' : parent.invisible
  const fontSize = sizeInside(parent.fontSize, declared.fontSize)
  const colour = declared.colour ?? parent.colour
  const backdrop = typeof background === 'number' ? background : parent.backdrop
  const boxDoubtful = parent.boxDoubtful || declared.doubtful || comesBack
  const textHiddenBy =
    boxHiddenBy ?? (invisible ? 'display' : methodOf(fontSize, colour, background))
  return {
    boxHiddenBy,
    absent,
    invisible,
    fontSize,
    colour,
    background,
    backdrop,
    boxDoubtful,
    textHiddenBy,
    textDoubtful: textHiddenBy === undefined && (boxDoubtful || mayBeUnseen(colour, backdrop)),
    hider: textHiddenBy === undefined ? 0 : parent.hider || ordinal,
  }
}

/** The ways in which a box hides what does not move out of it. */
const CAN_BE_LEFT: ReadonlySet<HidingMethod | undefined> = new Set(['size', 'position'])

function sizeInside(around: number, declared: FontSize | undefined): number {
  if (declared === undefined) return around
  return 'px' in declared ? declared.px : declared.times * around
}

/** How text in a box that is shown is hidden. */
function methodOf(fontSize: number, colour: Colour, background: Colour): HidingMethod | undefined {
  if (fontSize <= FONT_SIZE_HIDDEN_MAX_PX) return 'size'
  return isUnseen(colour, background) ? 'colour' : undefined
}

function isUnseen(colour: Colour, background: Colour): boolean {
  if (colour === 'transparent') return true
  return (
    typeof colour === 'number' && typeof background === 'number' && isUnreadable(colour, background)
  )
}

/** Whether text that is not certainly hidden may be hidden by a colour that is nearly that of what is behind it. */
function mayBeUnseen(colour: Colour, backdrop: number): boolean {
  return typeof colour === 'number' && isFaint(colour, backdrop)
}
