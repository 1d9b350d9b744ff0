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
import { wordSet } from '../data-table.ts'
import { type HidingMethod, isComputed, type Properties, readHiding } from './css-hiding.ts'
import { type Colour, FONT_SIZE_PX, readColour, readPixels, unitOf } from './css-values.ts'
import { STYLE_LENGTH_MAX } from './limits.ts'

/** A font size in CSS pixels, or relative to that of the element around. */
export type FontSize = { readonly px: number } | { readonly times: number }

/** Declarations of one element or rule; undefined where a property is not declared. */
export interface Declared {
  /** 'perhaps' where it may be shown or not. */
  readonly display: 'none' | 'shown' | 'perhaps' | undefined
  /** How the box hides its content, other than by `display`. */
  readonly box: HidingMethod | undefined
  /** True when it sets a property by which a box is hidden: what has hidden it so far may not any longer. */
  readonly setsBox: boolean
  /** True when it may bring back into sight what a box around it cuts off or moves away. */
  readonly comesBack: boolean
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
  /** True when a declaration is marked `!important`, so that a rule may count for more than the style attribute. */
  readonly isImportant: boolean
  /** True when it may hide its content in a way that is not understood here. */
  readonly doubtful: boolean
}

export const NOTHING_DECLARED: Declared = {
  display: undefined,
  box: undefined,
  setsBox: false,
  comesBack: false,
  visibility: undefined,
  fontSize: undefined,
  colour: undefined,
  background: undefined,
  width: undefined,
  height: undefined,
  roomBefore: 0,
  roomBehind: 0,
  isImportant: false,
  doubtful: false,
}

/** Each property from `over` where that declares it, else from `under`. */
export function cascade(under: Declared, over: Declared): Declared {
  if (under === NOTHING_DECLARED) return over
  if (over === NOTHING_DECLARED) return under
  const isShownPerhaps = over.display === 'perhaps' && under.display === 'none'
  const isUndone = mayUndo(over, under)
  return {
    display: over.display ?? under.display,
    box: isUndone ? undefined : (over.box ?? under.box),
    setsBox: over.setsBox || under.setsBox,
    comesBack: over.comesBack || under.comesBack,
    visibility: over.visibility ?? under.visibility,
    fontSize: over.fontSize ?? under.fontSize,
    colour: over.colour ?? under.colour,
    background: over.background ?? under.background,
    width: over.width ?? under.width,
    height: over.height ?? under.height,
    roomBefore: over.roomBefore || under.roomBefore,
    roomBehind: over.roomBehind || under.roomBehind,
    isImportant: over.isImportant || under.isImportant,
    doubtful: over.doubtful || under.doubtful || isShownPerhaps || isUndone,
  }
}

/** Whether `declared` may show the box that `other` hides. */
function mayUndo(declared: Declared, other: Declared): boolean {
  return other.box !== undefined && declared.box === undefined && declared.setsBox
}

/** `cascade` where either may be the one that counts: what they say differently is in doubt. */
export function contested(one: Declared, other: Declared): Declared {
  if (one === NOTHING_DECLARED) return other
  if (other === NOTHING_DECLARED) return one
  const both = cascade(one, other)
  const differs = (name: 'display' | 'visibility' | 'colour' | 'background') =>
    one[name] !== undefined && other[name] !== undefined && one[name] !== other[name]
  const isSeenPerhaps = differs('display') && (one.display === 'none' || other.display === 'none')
  const isResized =
    one.fontSize !== undefined &&
    other.fontSize !== undefined &&
    isSmall(one.fontSize) !== isSmall(other.fontSize)
  const isUndone = mayUndo(one, other) || mayUndo(other, one)
  return {
    ...both,
    display: differs('display') ? 'perhaps' : both.display,
    box: isUndone ? undefined : both.box,
    visibility: differs('visibility') ? 'visible' : both.visibility,
    fontSize: isResized && isSmall(other.fontSize) ? one.fontSize : both.fontSize,
    colour: differs('colour') ? 'unknown' : both.colour,
    background: differs('background') ? 'unknown' : both.background,
    doubtful: both.doubtful || isSeenPerhaps || differs('visibility') || isResized || isUndone,
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
      !declared.comesBack &&
      declared.visibility === undefined &&
      declared.roomBefore === 0 &&
      declared.roomBehind === 0 &&
      !declared.doubtful)
  )
}

/** `declared` as far as it holds when it may or may not apply: it hides nothing, and undoes hiding. */
export function inDoubt(declared: Declared): Declared {
  const { display, box, setsBox, comesBack, visibility, fontSize, colour, background } = declared
  const hides = display === 'none' || box !== undefined || visibility === 'hidden'
  const shrinks = isSmall(fontSize)
  return {
    ...NOTHING_DECLARED,
    display: display === 'none' ? undefined : display && 'perhaps',
    setsBox,
    comesBack,
    visibility: visibility === 'visible' ? 'visible' : undefined,
    fontSize: fontSize !== undefined && 'px' in fontSize && !shrinks ? fontSize : undefined,
    colour: colour === undefined ? undefined : 'unknown',
    background: background === undefined ? undefined : 'unknown',
    doubtful: declared.doubtful || hides || shrinks || colour === 'transparent',
  }
}

function isSmall(fontSize: FontSize | undefined): boolean {
  return (
    fontSize !== undefined &&
    ('px' in fontSize ? fontSize.px : fontSize.times * FONT_SIZE_PX) < FONT_SIZE_SEEN_PX
  )
}

/** Letters of this height can be read, in CSS pixels. */
const FONT_SIZE_SEEN_PX = 6

/** Reads the declarations in `css`, which is written as in a style attribute. */
export function readDeclarations(css: string): Declared {
  const written = writtenIn(css)
  if (written.length === 0) return NOTHING_DECLARED
  const layers = layersOf(written)
  const declared = layers.map(declaredBy).reduce((under, over) => ({
    ...contested(under, over),
    colour: over.colour ?? under.colour,
  }))
  // What is not read may undo what was.
  const isCut = css.length > STYLE_LENGTH_MAX || layers.length > LAYERS_MAX
  const read = isCut ? inDoubt(declared) : declared
  return written.some(({ isImportant }) => isImportant) ? { ...read, isImportant: true } : read
}

/** Different values of one property that are read. Real mail has two. */
const LAYERS_MAX = 8

/**
 * The values by property name. A property that is declared again, or of which a part has been declared, goes to a layer of its own: a
 * browser ignores a value that a property cannot have, and which it can is not known here.
 */
function layersOf(written: readonly Written[]): Properties[] {
  const important = new Set(written.filter((each) => each.isImportant).map(({ name }) => name))
  const layers = [new Map<string, string>()]
  for (const { name, value, isImportant } of written) {
    if (important.has(name) && !isImportant) continue
    const parts = `${name}-`
    const hasRoom = (layer: Properties) =>
      (layer.get(name) ?? value) === value &&
      !(SHORTHANDS.has(name) && [...layer.keys()].some((each) => each.startsWith(parts)))
    const layer = layers.find(hasRoom)
    if (layer !== undefined) layer.set(name, value)
    else if (layers.push(new Map([[name, value]])) > LAYERS_MAX) break
  }
  return layers
}

function declaredBy(properties: Properties): Declared {
  const hiding = readHiding(properties)
  // One far shift undoes another.
  const isBack = hiding === 'position' && some(properties, shiftsBack)
  const size = properties.get('font-size') ?? sizeInShorthand(properties.get('font'))
  const isUnknownSize = size?.includes('(') === true
  const colour = readOptional(
    properties.get('-webkit-text-fill-color') ?? properties.get('color'),
    readColour,
  )
  const behind = properties.get('background-color') ?? properties.get('background') ?? ''
  const display = properties.get('display')
  const visibility = properties.get('visibility')
  const isDoubtful =
    hiding === 'doubt' ||
    isBack ||
    isComputed(display) ||
    (visibility !== undefined && !/^(?:visible|hidden|collapse|initial)$/.test(visibility)) ||
    colour === 'unknown' ||
    COLOUR_FUNCTION.test(behind) ||
    isUnknownSize
  return {
    display: readDisplay(display),
    box: hiding === 'doubt' || isBack ? undefined : hiding,
    setsBox: some(properties, (name) => BOX.test(name)),
    comesBack: some(properties, comesBack),
    visibility: readVisibility(visibility),
    fontSize: isUnknownSize ? { px: FONT_SIZE_PX } : readFontSize(size),
    colour,
    background: readBackground(properties),
    width: readOptional(properties.get('width'), readPixels),
    height: readOptional(properties.get('height'), readPixels),
    roomBefore: roomOf(properties, BEFORE),
    roomBehind: roomOf(properties, BEHIND),
    isImportant: false,
    doubtful: isDoubtful,
  }
}

function some(properties: Properties, is: (name: string, value: string) => boolean): boolean {
  for (const [name, value] of properties) if (is(name, value)) return true
  return false
}

/** Colours that are not worked out: as a background, they may be that of the text. */
const COLOUR_FUNCTION = /(?:hsla?|hwb|lab|lch|color|color-mix|light-dark)\(/

/** The properties that may hide text or make empty space, without the prefix -webkit-. */
const PROPERTIES = wordSet(`
  overflow overflow-x overflow-y opacity position left right top inset text-indent margin margin-left margin-top margin-bottom
  clip clip-path transform -ms-transform scale rotate translate zoom filter mask mask-image mask-size content-visibility z-index
  animation animation-name height max-height width max-width padding padding-left padding-top padding-bottom border-left
  border-left-width border-top border-bottom border-top-width border-bottom-width min-height line-height flex row-gap gap
  display visibility font font-size color -webkit-text-fill-color background background-color background-image
`)

/** Those that set others of PROPERTIES, whose names begin alike. */
const SHORTHANDS = wordSet('overflow margin padding mask font background')

/** Those by which a box is hidden. */
const BOX =
  /^(?:overflow|opacity|position|left|right|top|inset|text-indent|margin(?:-left|-top)?$|clip|transform|-ms-transform|scale|rotate|translate|zoom|filter|content-visibility|(?:max-)?(?:height|width))/

/** Those that move what is inside a box out of it, or back into sight. */
const MOVING =
  /^(?:left|right|top|inset|margin(?:-left|-top)?$|padding(?:-left)?$|border-left|transform|-ms-transform|scale|rotate|translate|zoom)/

const FAR_BACK = /(?<![-\d.])\d{3}|(?:calc|var|min|max|clamp)\(/

/** Whether a declaration may move text that another one has moved far away. */
function shiftsBack(name: string, value: string): boolean {
  return MOVING.test(name) && FAR_BACK.test(value)
}

/** Whether a declaration may bring text back into sight that a box around it has moved away or cuts off. */
function comesBack(name: string, value: string): boolean {
  if (name === 'position') return /absolute|fixed/.test(value)
  if (name === 'text-indent' || shiftsBack(name, value)) return true
  return (
    /^(?:-ms-)?transform|^scale|^zoom/.test(name) && !/^(?:none|normal|initial|1|)$/.test(value)
  )
}

/** A declaration as it is written. */
interface Written {
  readonly name: string
  readonly value: string
  readonly isImportant: boolean
}

/** The declarations of PROPERTIES in `css`, in order. */
function writtenIn(css: string): Written[] {
  const text = plainCss(css.slice(0, STYLE_LENGTH_MAX).toLowerCase())
  const hasBrackets = /["'([{]/.test(text)
  const found: Written[] = []
  let colon = text.indexOf(':')
  for (let start = 0; colon >= 0; ) {
    const end = hasBrackets ? declarationEnd(text, start) : endOr(text.indexOf(';', start), text)
    if (colon < start) colon = text.indexOf(':', start)
    if (colon >= start && colon < end) {
      const spelled = text.slice(start, colon).trim()
      const name = spelled.startsWith('-') ? spelled.replace(PREFIX, '') : spelled
      if (PROPERTIES.has(name)) found.push(written(name, text.slice(colon + 1, end)))
    }
    start = end + 1
  }
  return found.filter(({ value }) => value !== '' && !value.includes('!'))
}

function written(name: string, text: string): Written {
  const mark = text.lastIndexOf('!')
  const isImportant = mark >= 0 && text.slice(mark + 1).trim() === 'important'
  return { name, value: (isImportant ? text.slice(0, mark) : text).trim(), isImportant }
}

/** Another spelling of the same property. */
const PREFIX = /^-webkit-(?=transform$|filter$|clip-path$|mask)/

function endOr(index: number, text: string): number {
  return index < 0 ? text.length : index
}

/** Index of the semicolon that ends the declaration at `start`, outside of strings and brackets (CSS Syntax 3, §5.4.4). */
function declarationEnd(css: string, start: number): number {
  let depth = 0
  for (let at = start; at < css.length; at++) {
    const sign = css[at]!
    if (sign === ';' && depth === 0) return at
    if (sign === '"' || sign === "'") {
      const close = css.indexOf(sign, at + 1)
      if (close < 0) return css.length
      at = close
    } else if (sign === '(' || sign === '[' || sign === '{') depth++
    else if (depth > 0 && (sign === ')' || sign === ']' || sign === '}')) depth--
  }
  return css.length
}

/** `css` without comments and with its escapes resolved (CSS Syntax 3, §4.3.7). */
function plainCss(css: string): string {
  const text = css.includes('/*') ? withoutComments(css) : css
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/g, (_, digits, character) => {
    const code = digits === undefined ? character.charCodeAt(0) : Number.parseInt(digits, 16)
    const letter = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toLowerCase() : ''
    // An escaped sign or digit is a letter of a name like any other.
    return /^[a-z-]$/.test(letter) ? letter : '_'
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

export function readOptional<T>(
  value: string | undefined,
  read: (value: string) => T,
): T | undefined {
  return value === undefined ? undefined : read(value)
}

function readDisplay(value: string | undefined): Declared['display'] {
  if (value === undefined) return undefined
  if (value === 'inherit' || isComputed(value)) return 'perhaps'
  return value === 'none' ? 'none' : 'shown'
}

function readVisibility(value: string | undefined): Declared['visibility'] {
  if (value === undefined) return undefined
  return value === 'hidden' || value === 'collapse' ? 'hidden' : 'visible'
}

/** That of the element around. */
const SAME_SIZE: FontSize = { times: 1 }

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
  ['inherit', SAME_SIZE],
  ['unset', SAME_SIZE],
  ['revert', SAME_SIZE],
  ['revert-layer', SAME_SIZE],
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

/** The size in the shorthand: the first length that is not a weight, as in '0/0 a' or 'bold 1px/1 arial'; all of `font` where it has a function. */
function sizeInShorthand(font: string | undefined): string | undefined {
  if (font?.includes('(')) return font
  return font?.split(/[\s/]+/, 8).find((part) => /^(\.?\d.*[a-z%]|0+)$/.test(part))
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

const BEFORE = /^(?:margin|padding|border|top)(?:-top)?(?:-width)?$/
const BEHIND =
  /^(?:(?:margin|padding|border)(?:-bottom)?(?:-width)?|(?:min-|line-)?height|flex|(?:row-)?gap)$/

/** Height of the empty space that the declarations make before or after the content: the largest length of each, in CSS pixels. */
function roomOf(properties: Properties, names: RegExp): number {
  let room = 0
  for (const [name, value] of properties) {
    if (!names.test(name) || !TALL_VALUE.test(value)) continue
    const lengths = value.match(LENGTH) ?? []
    room += Math.max(0, ...lengths.map((length) => readPixels(length) ?? 0))
  }
  return room < ROOM_MIN_PX ? 0 : room
}

/** With a unit, which neither a colour nor a factor has. */
const LENGTH = /(?<![-#\w.])\d[\d.]*[a-z]+/g

const TALL_VALUE = /\d{3}|\d(?:r?em|v[hbm]|in|cm)/
