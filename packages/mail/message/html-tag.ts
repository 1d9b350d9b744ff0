/**
 * Where markup begins and ends: tags, comments and raw text (WHATWG HTML §13.2.5); and of a start tag its name
 * and the attributes that decide what is seen or where a link leads.
 */
import { decodeHTMLAttribute } from 'entities/decode'
import { wordSet } from '../data-table.ts'
import { type ElementKind, elementKind } from './html-elements.ts'
import { ATTRIBUTES_MAX, TAG_NAME_LENGTH_MAX } from './limits.ts'

const SPACE = 0x20
const SLASH = 0x2f
const EQUALS = 0x3d
const GREATER = 0x3e
const EXCLAMATION = 0x21
const QUESTION = 0x3f

/** The attributes that are kept. */
const ATTRIBUTES = wordSet(`
  action alt background bgcolor class color content formaction height hidden href http-equiv id itemtype media open popover size
  src style text title type value width xlink:href
`)

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

export class Tag {
  /** The name of the kind is '' when the tag's name is longer than any in HTML. */
  readonly kind: ElementKind
  /** Index after the tag, or the length of the source when it ends inside the tag. */
  readonly end: number
  /** False when the source ends inside the tag: a browser drops such a tag. */
  readonly complete: boolean
  /** Number of attributes with names such as onclick. */
  readonly eventHandlers: number
  readonly #attributes: ReadonlyMap<string, string>

  /** The tag in `source` whose name begins at `start`, after `<` or `</`. */
  constructor(source: string, start: number) {
    let at = start
    while (!endsTagName(source.charCodeAt(at)) && at < source.length) at++
    const name = source.slice(start, at)
    let eventHandlers = 0
    let attributes: Map<string, string> | undefined
    for (let read = 0; ; read++) {
      at = skipSpace(source, at, SLASH)
      if (at >= source.length || source.charCodeAt(at) === GREATER) break
      const nameStart = at++
      while (at < source.length && !endsAttributeName(source.charCodeAt(at))) at++
      const nameEnd = at
      at = skipSpace(source, at)
      let valueStart = at
      let valueEnd = at
      if (source.charCodeAt(at) === EQUALS) {
        valueStart = skipSpace(source, at + 1)
        const quote = source[valueStart]
        if (quote === '"' || quote === "'") {
          valueStart++
          valueEnd = source.indexOf(quote, valueStart)
          if (valueEnd < 0) valueEnd = source.length
          at = valueEnd + 1
        } else {
          at = valueStart
          while (at < source.length && !endsBareValue(source.charCodeAt(at))) at++
          valueEnd = at
        }
      }
      if (read >= ATTRIBUTES_MAX) continue
      const attribute = source.slice(nameStart, nameEnd).toLowerCase()
      if (attribute.startsWith('on') && attribute.length > 3) eventHandlers++
      // The first of two with one name counts (§13.2.5.33).
      else if (ATTRIBUTES.has(attribute) && !attributes?.has(attribute)) {
        attributes ??= new Map()
        attributes.set(attribute, source.slice(valueStart, valueEnd))
      }
    }
    this.#attributes = attributes ?? NO_ATTRIBUTES
    this.complete = at < source.length
    this.end = Math.min(at + 1, source.length)
    this.kind = elementKind(name.length > TAG_NAME_LENGTH_MAX ? '' : name)
    this.eventHandlers = eventHandlers
  }

  get hasAttributes(): boolean {
    return this.#attributes.size > 0
  }

  hasAnyOf(names: ReadonlySet<string>): boolean {
    for (const name of this.#attributes.keys()) if (names.has(name)) return true
    return false
  }

  /** The value of an attribute, with character references resolved; '' when it has none; undefined without the attribute. */
  value(attribute: string): string | undefined {
    const written = this.#attributes.get(attribute)
    return written?.includes('&') ? decodeHTMLAttribute(written) : written
  }
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
  return code <= SPACE || code === GREATER || code === SLASH
}

function endsAttributeName(code: number): boolean {
  return code === EQUALS || endsTagName(code)
}

function endsBareValue(code: number): boolean {
  return code <= SPACE || code === GREATER
}

/** Index of the first character from `at` on that is neither white space, a control character nor `also`. */
function skipSpace(source: string, at: number, also = SPACE): number {
  let end = at
  while (
    end < source.length &&
    (source.charCodeAt(end) <= SPACE || source.charCodeAt(end) === also)
  )
    end++
  return end
}
