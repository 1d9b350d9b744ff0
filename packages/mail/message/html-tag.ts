/**
 * Where markup begins and ends: tags, comments and raw text (WHATWG HTML §13.2.5); and of a start tag its name
 * and the attributes that decide what is seen or where a link leads.
 *
 * One reader serves all tags of a document, since a mail has hundreds. It notes where values stand and
 * cuts them out on demand, because most are never needed.
 */
import { decodeHTMLAttribute } from 'entities/decode'
import { type ElementKind, elementKind, elementKindAt, NameTable } from './html-elements.ts'
import { ATTRIBUTES_MAX, TAG_NAME_LENGTH_MAX } from './limits.ts'

const SPACE = 0x20
const SLASH = 0x2f
const GREATER = 0x3e
const EQUALS = 0x3d
const EXCLAMATION = 0x21
const QUESTION = 0x3f
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** The attributes that `value` can give; the numbers are bits of a number, below 32. */
export const ATTRIBUTE = {
  action: 0,
  alt: 1,
  background: 2,
  bgcolor: 3,
  class: 4,
  color: 5,
  content: 6,
  formaction: 7,
  height: 8,
  hidden: 9,
  href: 10,
  httpEquiv: 11,
  id: 12,
  itemtype: 13,
  media: 14,
  open: 15,
  popover: 16,
  size: 17,
  src: 18,
  style: 19,
  text: 20,
  title: 21,
  type: 22,
  value: 23,
  width: 24,
  xlinkHref: 25,
} as const

type Attribute = (typeof ATTRIBUTE)[keyof typeof ATTRIBUTE]

const ATTRIBUTES = Object.keys(ATTRIBUTE).length

/** Those that are spelled differently. */
const SPELLED: Readonly<Record<string, string>> = {
  httpEquiv: 'http-equiv',
  xlinkHref: 'xlink:href',
}

const attributes = new NameTable<Attribute>(
  new Map(Object.entries(ATTRIBUTE).map(([name, attribute]) => [SPELLED[name] ?? name, attribute])),
)

const NAMELESS = elementKind('')

export class TagReader {
  /** The kind of element; its name is '' when the tag's name is longer than any in HTML. */
  kind: ElementKind = NAMELESS
  /** Index of the first character of the tag's name. */
  start = 0
  /** Index after the tag, or the length of the source when it ends inside the tag. */
  end = 0
  /** False when the source ends inside the tag: a browser drops such a tag. */
  complete = false
  /** Number of attributes with names such as onclick. */
  eventHandlers = 0
  readonly #source: string
  /** The attributes that the tag has, as bits, and where the value of each stands. */
  #present = 0
  readonly #starts = new Array<number>(ATTRIBUTES).fill(0)
  readonly #ends = new Array<number>(ATTRIBUTES).fill(0)
  #read = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Reads the tag whose name begins at `start`, after `<` or `</`. */
  read(start: number): void {
    this.start = start
    this.#present = 0
    this.#read = 0
    this.eventHandlers = 0
    this.complete = false
    const nameEnd = this.#nameEnd(start)
    const tooLong = nameEnd - start > TAG_NAME_LENGTH_MAX
    this.kind = tooLong ? NAMELESS : elementKindAt(this.#source, start, nameEnd)
    this.end = this.#readAttributes(nameEnd)
  }

  /** True when there is any attribute that `value` can give. */
  get hasAttributes(): boolean {
    return this.#present !== 0
  }

  /** True when there is any of `set`, which `attributeSet` gives. */
  hasAnyOf(set: number): boolean {
    return (this.#present & set) !== 0
  }

  /** The value of an attribute, with character references resolved; '' when it has none; undefined without the attribute. */
  value(attribute: Attribute): string | undefined {
    if ((this.#present & (1 << attribute)) === 0) return undefined
    return decodeHTMLAttribute(this.#source.slice(this.#starts[attribute], this.#ends[attribute]))
  }

  /** Index of the character that ends the tag name at `start`. */
  #nameEnd(start: number): number {
    let at = start
    while (at < this.#source.length && !endsName(this.#source.charCodeAt(at))) at++
    return at
  }

  /** Reads attributes from `start`; returns the index after the tag. */
  #readAttributes(start: number): number {
    const source = this.#source
    let at = start
    while (at < source.length) {
      const code = source.charCodeAt(at)
      if (code === GREATER) {
        this.complete = true
        return at + 1
      }
      at = code <= SPACE || code === SLASH ? at + 1 : this.#readAttribute(at)
    }
    return source.length
  }

  #readAttribute(start: number): number {
    const source = this.#source
    let nameEnd = start + 1
    while (nameEnd < source.length && !endsAttributeName(source.charCodeAt(nameEnd))) nameEnd++
    const equals = skipSpace(source, nameEnd)
    if (source.charCodeAt(equals) !== EQUALS) {
      this.#keep(start, nameEnd, nameEnd, nameEnd)
      return equals
    }
    return this.#readValue(start, nameEnd, skipSpace(source, equals + 1))
  }

  #readValue(name: number, nameEnd: number, start: number): number {
    const quote = this.#source.charCodeAt(start)
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      const close = this.#source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", start + 1)
      if (close < 0) return this.#source.length
      this.#keep(name, nameEnd, start + 1, close)
      return close + 1
    }
    let end = start
    while (end < this.#source.length && !endsBareValue(this.#source.charCodeAt(end))) end++
    this.#keep(name, nameEnd, start, end)
    return end
  }

  /** Notes an attribute, unless the tag has it already (the first counts, §13.2.5.33). */
  #keep(start: number, end: number, valueStart: number, valueEnd: number): void {
    if (this.#read++ >= ATTRIBUTES_MAX) return
    if (this.#isEventHandler(start, end)) this.eventHandlers++
    const attribute = attributes.find(this.#source, start, end)
    if (attribute === undefined || (this.#present & (1 << attribute)) !== 0) return
    this.#present |= 1 << attribute
    this.#starts[attribute] = valueStart
    this.#ends[attribute] = valueEnd
  }

  #isEventHandler(start: number, end: number): boolean {
    const source = this.#source
    return (
      end - start > 3 &&
      (source.charCodeAt(start) | 0x20) === 0x6f &&
      (source.charCodeAt(start + 1) | 0x20) === 0x6e
    )
  }
}

/** The attributes as the bits of one number. */
export function attributeSet(...set: readonly Attribute[]): number {
  return set.reduce((bits: number, attribute) => bits | (1 << attribute), 0)
}

function skipSpace(source: string, start: number): number {
  let at = start
  while (at < source.length && source.charCodeAt(at) <= SPACE) at++
  return at
}

function endsName(code: number): boolean {
  return code <= SPACE || code === GREATER || code === SLASH
}

function endsAttributeName(code: number): boolean {
  return code <= SPACE || code === GREATER || code === SLASH || code === EQUALS
}

function endsBareValue(code: number): boolean {
  return code <= SPACE || code === GREATER
}

/** Index after the comment whose text begins at `start` (WHATWG HTML §13.2.5.43 and on). */
export function commentEnd(source: string, start: number): number {
  if (source.charCodeAt(start) === GREATER) return start + 1
  if (source.startsWith('->', start)) return start + 2
  let at = source.indexOf('--', start)
  while (at >= 0) {
    if (source.charCodeAt(at + 2) === GREATER) return at + 3
    if (source.startsWith('!>', at + 2)) return at + 4
    at = source.indexOf('--', at + 1)
  }
  return source.length
}

/** Index of the end tag that closes the raw text from `start` on; the length of `source` when there is none. */
export function rawTextEnd(source: string, name: string, start: number): number {
  let at = source.indexOf('</', start)
  while (at >= 0) {
    const end = at + 2 + name.length
    if (endsTagName(source.charCodeAt(end)) && equalsIgnoringCase(source, at + 2, name)) return at
    at = source.indexOf('</', at + 2)
  }
  return source.length
}

function equalsIgnoringCase(source: string, start: number, name: string): boolean {
  return source.slice(start, start + name.length).toLowerCase() === name
}

/** Whether a `<` before this character begins markup; otherwise it is text. */
export function opensMarkup(code: number): boolean {
  return code === SLASH || code === EXCLAMATION || code === QUESTION || isLetter(code)
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a && code < 0x80
}

function endsTagName(code: number): boolean {
  return code <= 0x20 || code === GREATER || code === SLASH
}
