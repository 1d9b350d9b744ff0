/**
 * Reads one start tag: its name, and the attributes that decide what is seen or where a link leads
 * (WHATWG HTML §13.2.5.8 and on).
 *
 * One reader serves all tags of a document, since a mail has hundreds. It notes where values stand and
 * cuts them out on demand, because most are never needed.
 */
import { decodeAttribute } from './character-references.ts'
import { type ElementKind, elementKind } from './html-elements.ts'
import { ATTRIBUTES_MAX, TAG_NAME_LENGTH_MAX } from './limits.ts'

const SPACE = 0x20
const SLASH = 0x2f
const GREATER = 0x3e
const EQUALS = 0x3d
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** The attributes that `value` can give. */
type AttributeName = (typeof ATTRIBUTES)[number]

const ATTRIBUTES = [
  'action',
  'alt',
  'background',
  'bgcolor',
  'class',
  'color',
  'content',
  'height',
  'hidden',
  'href',
  'http-equiv',
  'id',
  'itemtype',
  'open',
  'popover',
  'size',
  'src',
  'style',
  'text',
  'type',
  'value',
  'width',
] as const

/** Other attributes that are frequent in mail: listed so that a look-up by their spelling finds them. */
const OTHERS =
  'align border bordercolor cellpadding cellspacing colspan dir face lang link name nowrap ' +
  'onclick rel role rowspan summary target title valign vlink xmlns'

/** Attributes by name, in lower and in upper case. */
const attributeNames = new Map<string, AttributeName | 'other'>(
  OTHERS.split(' ').flatMap((name) => [
    [name, 'other'],
    [name.toUpperCase(), 'other'],
  ]),
)
for (const name of ATTRIBUTES) attributeNames.set(name, name).set(name.toUpperCase(), name)

/** Length of the longest of these names. */
const NAME_LENGTH_MAX = 10

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
  readonly #names: AttributeName[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #count = 0
  #read = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Reads the tag whose name begins at `start`, after `<` or `</`. */
  read(start: number): void {
    this.start = start
    this.#count = 0
    this.#read = 0
    this.eventHandlers = 0
    this.complete = false
    const nameEnd = this.#nameEnd(start)
    const tooLong = nameEnd - start > TAG_NAME_LENGTH_MAX
    this.kind = tooLong ? NAMELESS : elementKind(this.#source.slice(start, nameEnd))
    this.end = this.#readAttributes(nameEnd)
  }

  /** True when there is any attribute that `value` can give. */
  get hasAttributes(): boolean {
    return this.#count > 0
  }

  /** The value of an attribute, with character references resolved; '' when it has none; undefined without the attribute. */
  value(name: AttributeName): string | undefined {
    for (let index = 0; index < this.#count; index++) {
      if (this.#names[index] !== name) continue
      return decodeAttribute(this.#source.slice(this.#starts[index], this.#ends[index]))
    }
    return undefined
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
    if (end - start > NAME_LENGTH_MAX) return
    const name = attributeName(this.#source.slice(start, end))
    if (name === undefined || this.#has(name)) return
    this.#names[this.#count] = name
    this.#starts[this.#count] = valueStart
    this.#ends[this.#count] = valueEnd
    this.#count++
  }

  #has(name: AttributeName): boolean {
    for (let index = 0; index < this.#count; index++) {
      if (this.#names[index] === name) return true
    }
    return false
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

/** The attribute of that name, in any case; undefined when it is not among those listed. */
function attributeName(spelled: string): AttributeName | undefined {
  const name = attributeNames.get(spelled) ?? attributeNames.get(spelled.toLowerCase())
  return name === 'other' ? undefined : name
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
