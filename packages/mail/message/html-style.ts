/**
 * CSS declarations that decide whether text is seen: `display:none`, `font-size:0`, `color:#fff`.
 *
 * Only properties that can hide text are read, each on its own, as a browser would cascade it. A
 * preheader is hidden in several of these ways at once, since no mail client obeys them all. A value
 * that cannot be worked out here (a variable, a mask) makes an element doubtful rather than seen.
 *
 * `mso-hide:all` is not among them: it hides text only in Outlook, where a conditional comment shows
 * the same text again. Buttons in honest mail have it.
 */
import { type Colour, readColour } from './colour.ts'
import {
  HIDING_PROPERTIES,
  type HidingMethod,
  isComputed,
  type Properties,
  readHiding,
} from './css-hiding.ts'
import { FONT_SIZE_PX, readPixels, unitOf } from './css-length.ts'
import { STYLE_LENGTH_MAX } from './limits.ts'

/** A font size in CSS pixels, or relative to that of the element around. */
export type FontSize = { readonly px: number } | { readonly times: number }

/** Declarations of one element or rule; undefined where a property is not declared. */
export interface Declared {
  readonly display: 'none' | 'shown' | undefined
  /** How the box hides its content, other than by `display`. */
  readonly box: HidingMethod | undefined
  readonly visibility: 'hidden' | 'visible' | undefined
  readonly fontSize: FontSize | undefined
  readonly colour: Colour | undefined
  readonly background: Colour | undefined
  /** In CSS pixels. */
  readonly width: number | undefined
  readonly height: number | undefined
  /** Height of the empty space before and after the content, in CSS pixels; 0 where it is less than a few lines. */
  readonly roomBefore: number
  readonly roomBehind: number
  /** True when it may hide its content in a way that is not understood here. */
  readonly doubtful: boolean
}

export const NOTHING_DECLARED: Declared = {
  display: undefined,
  box: undefined,
  visibility: undefined,
  fontSize: undefined,
  colour: undefined,
  background: undefined,
  width: undefined,
  height: undefined,
  roomBefore: 0,
  roomBehind: 0,
  doubtful: false,
}

/** Each property from `over` where that declares it, else from `under`. */
export function cascade(under: Declared, over: Declared): Declared {
  if (under === NOTHING_DECLARED) return over
  if (over === NOTHING_DECLARED) return under
  return {
    display: over.display ?? under.display,
    box: over.box ?? under.box,
    visibility: over.visibility ?? under.visibility,
    fontSize: over.fontSize ?? under.fontSize,
    colour: over.colour ?? under.colour,
    background: over.background ?? under.background,
    width: over.width ?? under.width,
    height: over.height ?? under.height,
    roomBefore: over.roomBefore || under.roomBefore,
    roomBehind: over.roomBehind || under.roomBehind,
    doubtful: over.doubtful || under.doubtful,
  }
}

/** Whether text inside is seen exactly as text outside, as when only a width and a height are declared. */
export function changesNothing(declared: Declared): boolean {
  return (
    declared === NOTHING_DECLARED ||
    (declared.display !== 'none' &&
      declared.fontSize === undefined &&
      declared.colour === undefined &&
      declared.background === undefined &&
      declared.box === undefined &&
      declared.visibility === undefined &&
      declared.roomBefore === 0 &&
      declared.roomBehind === 0 &&
      !declared.doubtful)
  )
}

/** `declared` as far as it holds when it may or may not apply. */
export function inDoubt(declared: Declared): Declared {
  const { display, box, visibility, fontSize, colour, background, doubtful } = declared
  const hides = display === 'none' || box !== undefined || visibility === 'hidden'
  const shrinks =
    fontSize !== undefined && ('px' in fontSize ? fontSize.px : fontSize.times * 16) < 6
  return {
    ...NOTHING_DECLARED,
    colour: colour === undefined ? undefined : 'unknown',
    background: background === undefined ? undefined : 'unknown',
    doubtful: doubtful || hides || shrinks || colour === 'transparent',
  }
}

/** Reads the declarations in `css`, which is written as in a style attribute. */
export function readDeclarations(css: string): Declared {
  return declaredBy(readProperties(css, false))
}

/** Reads only the declarations marked `!important`. */
export function readImportant(css: string): Declared {
  return css.includes('!') ? declaredBy(readProperties(css, true)) : NOTHING_DECLARED
}

function declaredBy(css: Declarations): Declared {
  const { properties } = css
  if (properties.size === 0) return NOTHING_DECLARED
  const hiding = css.mayHide ? readHiding(properties) : undefined
  const size = properties.get('font-size') ?? sizeInShorthand(properties.get('font'))
  const fontSize = readFontSize(size)
  const colour = properties.get('-webkit-text-fill-color') ?? properties.get('color')
  const read = readOptional(colour, readColour)
  const display = properties.get('display')
  const visibility = properties.get('visibility')
  return {
    display: readDisplay(display),
    box: hiding === 'doubt' ? undefined : hiding,
    visibility: readVisibility(visibility),
    fontSize,
    colour: read,
    background: readBackground(properties),
    width: readOptional(properties.get('width'), readPixels),
    height: readOptional(properties.get('height'), readPixels),
    roomBefore: css.mayBeTall ? roomOf(properties, BEFORE) : 0,
    roomBehind: css.mayBeTall ? roomOf(properties, BEHIND) : 0,
    doubtful:
      hiding === 'doubt' ||
      isComputed(display) ||
      isComputed(visibility) ||
      read === 'unknown' ||
      (fontSize === undefined && size?.includes('(') === true),
  }
}

/** Hides a box. */
const HIDING = 1
/** Hides text only by a negative length or a length of four digits. */
const SHIFTING = 2
/** Makes empty space. */
const TALL = 4

const FAR = /-|\d{4}|\(/
const TALL_VALUE = /\d{3}|\d(?:r?em|v[hbm]|in|cm)/

const EXTENTS = 'height max-height width max-width'.split(' ')

/** The properties that matter here, and what they may do as bits of the constants above. */
const PROPERTIES: ReadonlyMap<string, number> = propertyTable([
  // An extent hides text only together with hidden overflow.
  [HIDING, HIDING_PROPERTIES.split(' ').filter((name) => !EXTENTS.includes(name))],
  [0, EXTENTS],
  [SHIFTING, 'left right top margin margin-left margin-top z-index'.split(' ')],
  [
    TALL,
    (
      'height min-height line-height flex padding padding-top padding-bottom margin margin-top ' +
      'margin-bottom border-top border-bottom border-top-width border-bottom-width row-gap gap top'
    ).split(' '),
  ],
  [0, 'display visibility font font-size color -webkit-text-fill-color'.split(' ')],
  [0, 'background background-color background-image'.split(' ')],
])

function propertyTable(groups: readonly (readonly [number, readonly string[]])[]) {
  const table = new Map<string, number>()
  for (const [bits, names] of groups) {
    for (const name of names) table.set(name, (table.get(name) ?? 0) | bits)
  }
  return table
}

/** The declarations of a style attribute or rule, and which groups of properties occur in them. */
interface Declarations {
  readonly properties: Properties
  readonly mayHide: boolean
  readonly mayBeTall: boolean
}

/** The properties in `css` that matter here; the last of a name counts. */
function readProperties(css: string, importantOnly: boolean): Declarations {
  const text = plainCss(css.slice(0, STYLE_LENGTH_MAX).toLowerCase())
  const properties = new Map<string, string>()
  let mayHide = false
  let mayBeTall = false
  let colon = text.indexOf(':')
  for (let start = 0; colon >= 0; ) {
    const semicolon = text.indexOf(';', start)
    const end = semicolon < 0 ? text.length : semicolon
    if (colon > end) {
      start = end + 1
      continue
    }
    const name = text.slice(start, colon).trim()
    const bits = PROPERTIES.get(name)
    if (bits !== undefined) {
      const written = text.slice(colon + 1, end)
      const mark = written.indexOf('!')
      if (mark >= 0 || !importantOnly) {
        const value = (mark < 0 ? written : written.slice(0, mark)).trim()
        properties.set(name, value)
        if (bits & HIDING) mayHide ||= !(bits & SHIFTING) || FAR.test(value)
        if (bits & TALL) mayBeTall ||= TALL_VALUE.test(value)
      }
    }
    start = end + 1
    colon = text.indexOf(':', start)
  }
  return { properties, mayHide, mayBeTall }
}

/** `css` without comments and with its escapes resolved (CSS Syntax 3, §4.3.7). */
function plainCss(css: string): string {
  const text = css.includes('/*') ? withoutComments(css) : css
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/g, (_, digits, character) => {
    if (digits === undefined) return character
    const code = Number.parseInt(digits, 16)
    return code === 0 || code > 0x10ffff ? '' : String.fromCodePoint(code).toLowerCase()
  })
}

/** `css` with a space in place of each comment. */
export function withoutComments(css: string): string {
  let open = css.indexOf('/*')
  if (open < 0) return css
  let kept = ''
  let start = 0
  while (open >= 0) {
    kept += `${css.slice(start, open)} `
    const close = css.indexOf('*/', open + 2)
    start = close < 0 ? css.length : close + 2
    open = css.indexOf('/*', start)
  }
  return kept + css.slice(start)
}

function readOptional<T>(value: string | undefined, read: (value: string) => T): T | undefined {
  return value === undefined ? undefined : read(value)
}

function readDisplay(value: string | undefined): Declared['display'] {
  if (value === undefined || value === '' || value === 'inherit' || isComputed(value)) {
    return undefined
  }
  return value === 'none' ? 'none' : 'shown'
}

function readVisibility(value: string | undefined): Declared['visibility'] {
  if (value === 'hidden' || value === 'collapse') return 'hidden'
  return value === 'visible' ? 'visible' : undefined
}

/** The keywords of CSS Fonts 4, §2.5, in pixels. */
const FONT_SIZES: ReadonlyMap<string, FontSize> = new Map<string, FontSize>([
  ['xx-small', { px: 9 }],
  ['x-small', { px: 10 }],
  ['small', { px: 13 }],
  ['medium', { px: 16 }],
  ['large', { px: 18 }],
  ['x-large', { px: 24 }],
  ['xx-large', { px: 32 }],
  ['initial', { px: 16 }],
  ['smaller', { times: 5 / 6 }],
  ['larger', { times: 6 / 5 }],
])

function readFontSize(value: string | undefined): FontSize | undefined {
  if (value === undefined) return undefined
  const keyword = FONT_SIZES.get(value)
  if (keyword !== undefined) return keyword
  const unit = unitOf(value)
  if (unit === '%') return timesOf(Number.parseFloat(value) / 100)
  const px = readPixels(value)
  if (px === undefined) return undefined
  return unit === 'em' || unit === 'ex' ? timesOf(px / FONT_SIZE_PX) : { px }
}

function timesOf(times: number): FontSize | undefined {
  return Number.isNaN(times) ? undefined : { times }
}

/** The size in the shorthand: the first length that is not a weight, as in '0/0 a' or 'bold 1px/1 arial'. */
function sizeInShorthand(font: string | undefined): string | undefined {
  return font?.split(/[\s/]+/, 8).find((part) => /^(\.?\d.*[a-z%]|0+|\w{1,8}\(.*\))$/.test(part))
}

function readBackground(properties: Properties): Colour | undefined {
  const image = properties.get('background-image')
  if (image !== undefined && image !== 'none') return 'unknown'
  const shorthand = properties.get('background')
  if (shorthand !== undefined && /url\(|gradient\(|var\(/.test(shorthand)) return 'unknown'
  const colour = readOptional(properties.get('background-color'), readColour)
  return colour ?? readOptional(shorthand, readShorthandColour)
}

/** The colour among the values of `background`; 'transparent' for a shorthand without one. */
function readShorthandColour(value: string): Colour | undefined {
  if (value.includes('('))
    return readColour(value.slice(0, value.lastIndexOf(')') + 1)) ?? 'unknown'
  const colours = value.split(' ', 16).map((part) => readColour(part))
  return colours.find((colour) => colour !== undefined) ?? 'transparent'
}

/** Less empty space than this, in CSS pixels, is an ordinary distance between paragraphs or rows. */
export const ROOM_MIN_PX = 100

const BEFORE = { sides: ['margin-top', 'padding-top', 'border-top', 'border-top-width'], side: 0 }
const BEHIND = {
  sides: [
    'margin-bottom',
    'padding-bottom',
    'border-bottom',
    'border-bottom-width',
    'row-gap',
    'gap',
  ],
  side: 2,
}

/** Properties that set the height of an element, whatever is in it. */
const HEIGHTS = ['height', 'min-height', 'line-height', 'flex']

/** Height of the empty space that the declarations make before or after the content, in CSS pixels. */
function roomOf(properties: Properties, { sides, side }: typeof BEFORE): number {
  let room = 0
  for (const name of sides) room += heightIn(properties.get(name))
  for (const name of ['margin', 'padding']) room += sideOf(properties.get(name), side)
  if (side === 0) {
    const position = properties.get('position')
    if (position !== undefined && position !== 'static') room += heightIn(properties.get('top'))
  } else {
    for (const name of HEIGHTS) room += heightIn(properties.get(name))
  }
  return room < ROOM_MIN_PX ? 0 : room
}

/** The largest length among the values, as in '1px solid #fff' or '0 0 5000px'. */
function heightIn(value: string | undefined): number {
  if (value === undefined || !/\d/.test(value)) return 0
  if (!value.includes(' ')) return Math.max(0, readPixels(value) ?? 0)
  return Math.max(0, ...value.split(/\s+/, 4).map((part) => readPixels(part) ?? 0))
}

/** The value for one side in a shorthand for four sides, CSS Box Model 4 §3.2. */
function sideOf(shorthand: string | undefined, side: number): number {
  if (shorthand === undefined || !/\d{3}|\d(?:em|v)/.test(shorthand)) return 0
  const sides = shorthand.split(/\s+/, 4)
  return Math.max(0, readPixels(sides[side] ?? sides[0]!) ?? 0)
}
