/**
 * What the scanner has to know of each HTML element: how its content is read, whether it breaks
 * the line, and which elements its tags close (WHATWG HTML §13.2.6).
 *
 * The traits of each kind of element are bits of a number.
 */
import { oneOf, readTable, words } from '../data-table.ts'

/** Breaks the line before and after. */
export const BLOCK = 1
/** Has no content and no end tag. */
export const VOID = 2
/** Content is text up to the end tag, not shown. */
export const RAW_HIDDEN = 4
/** Content is text up to the end tag, shown. */
export const RAW_SHOWN = 8
/** Stays open when a block around it closes: the list of active formatting elements, §13.2.4.3. */
export const FORMATTING = 16
/** End tags inside do not reach out of it: "has an element in scope", §13.2.4.2. */
export const SCOPE = 32
/** Ends an open paragraph. */
export const CLOSES_PARAGRAPH = 64
/** A table cell: separated from its neighbours by a space. */
export const CELL = 128
/** Part of a table: its end tag reaches through everything but a table. */
export const TABLE_PART = 256
/** Content is markup that no one sees. */
export const NOT_SHOWN = 512
/** "Special" in §13.2.4.2: the end tag of an ordinary element does not reach out of it. */
export const SPECIAL = 1024
/** End tags of table parts do not reach out of it: "in table scope", §13.2.4.2. */
export const TABLE_SCOPE = 2048

/** Holds rows or cells and nothing else. */
export const ROWS = 4096
/** Around the whole document, so that its tags open and close nothing. */
export const PAGE_ELEMENT = 8192
/** May hide its content unless it is open: what is shown in place of a video, or only after a click. */
export const UNLESS_OPEN = 16384

const TRAITS = {
  BLOCK,
  VOID,
  RAW_HIDDEN,
  RAW_SHOWN,
  FORMATTING,
  SCOPE,
  CLOSES_PARAGRAPH,
  CELL,
  TABLE_PART,
  NOT_SHOWN,
  SPECIAL,
  TABLE_SCOPE,
  ROWS,
  PAGE_ELEMENT,
  UNLESS_OPEN,
}

const TRAIT_NAMES = Object.keys(TRAITS) as (keyof typeof TRAITS)[]

/** An element may be in several rows; it has the traits of all. */
const GROUPS = readTable(new URL('html-elements.tsv', import.meta.url), {
  traits: (text) =>
    words(text).reduce((bits, name) => bits | TRAITS[oneOf(...TRAIT_NAMES)(name)], 0),
  elements: words,
})

/** Which open elements a start tag closes, and which elements it looks for them in, both by ordinal. */
export interface ImpliedEnd {
  readonly closes: readonly number[]
  readonly within: readonly number[]
  /** True when it also closes everything that is open inside the element it stopped at (§13.2.6.4.9). */
  readonly clears: boolean
}

export interface ElementKind {
  /** Lower case. */
  readonly name: string
  /** Its position among the elements that HTML knows, below KNOWN_ELEMENTS; -1 for another element. */
  readonly ordinal: number
  /** Bits of the constants above; 0 for an element that HTML does not know. */
  readonly traits: number
  /** Undefined when a start tag closes nothing, except perhaps a paragraph or a link. */
  readonly impliedEnd: ImpliedEnd | undefined
}

const traitsByName = new Map<string, number>()
for (const { traits, elements } of GROUPS) {
  for (const name of elements) {
    traitsByName.set(name, (traitsByName.get(name) ?? 0) | traits)
  }
}

const names = [...traitsByName.keys()]

export const KNOWN_ELEMENTS = names.length

const TABLES = 'table template'
const LISTS = `ul ol dl dir menu td th ${TABLES}`
const ROW_GROUPS = 'tbody thead tfoot'
const cellEnd = impliedEnd('td th', `tr ${ROW_GROUPS} ${TABLES}`, true)
const rowEnd = impliedEnd('tr caption', `${ROW_GROUPS} ${TABLES}`, true)
const groupEnd = impliedEnd(`${ROW_GROUPS} caption`, TABLES, true)
const definitionEnd = impliedEnd('dt dd', LISTS, false)

const impliedEnds = new Map<string, ImpliedEnd>([
  ['td', cellEnd],
  ['th', cellEnd],
  ['tr', rowEnd],
  ['tbody', groupEnd],
  ['thead', groupEnd],
  ['tfoot', groupEnd],
  ['li', impliedEnd('li', LISTS, false)],
  ['dt', definitionEnd],
  ['dd', definitionEnd],
  ['option', impliedEnd('option', 'select datalist', false)],
])

function impliedEnd(closes: string, within: string, clears: boolean): ImpliedEnd {
  const ordinals = (elements: string) => elements.split(' ').map((name) => names.indexOf(name))
  return { closes: ordinals(closes), within: ordinals(within), clears }
}

const kinds = new Map<string, ElementKind>(
  names.map((name, ordinal) => [
    name,
    { name, ordinal, traits: traitsByName.get(name)!, impliedEnd: impliedEnds.get(name) },
  ]),
)
kinds.set('image', kinds.get('img')!)

/** The kind of element whose tag has the name `spelled`, in any case. */
export function elementKind(spelled: string): ElementKind {
  const known = kinds.get(spelled)
  if (known !== undefined) return known
  const name = spelled.toLowerCase()
  return kinds.get(name) ?? { name, ordinal: -1, traits: 0, impliedEnd: undefined }
}
