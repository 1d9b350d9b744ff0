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
import { readTable, requiredText, words } from '../data-table.ts'
import { type HidingMethod, isComputed, type Properties, readHiding } from './css-hiding.ts'
import { type Colour, FONT_SIZE_PX, readColour, readPixels, unitOf } from './css-values.ts'
import { STYLE_LENGTH_MAX } from './limits.ts'

/** A font size in CSS pixels, or relative to that of the element around. */
export type FontSize = { readonly px: number } | { readonly times: number }

/** Declarations of one element or rule; undefined where a property is not declared. */
export interface Declared {
  /** 'perhaps' where a rule that may or may not apply shows it. */
  readonly display: 'none' | 'shown' | 'perhaps' | undefined
  /** How the box hides its content, other than by `display`. */
  readonly box: HidingMethod | undefined
  /** What has hidden the box so far and may not any longer: bits of EFFECTS. */
  readonly undoes: number
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
  /** True when it may hide its content in a way that is not understood here. */
  readonly doubtful: boolean
}

export const NOTHING_DECLARED: Declared = {
  display: undefined,
  box: undefined,
  undoes: 0,
  comesBack: false,
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
  const isShownPerhaps = over.display === 'perhaps' && under.display === 'none'
  const isUndone = isBoxUndone(under, over)
  return {
    display:
      over.display === 'perhaps' && !isShownPerhaps
        ? under.display
        : (over.display ?? under.display),
    box: isUndone ? undefined : (over.box ?? under.box),
    undoes: over.undoes | under.undoes,
    comesBack: over.comesBack || under.comesBack,
    visibility: over.visibility ?? under.visibility,
    fontSize: over.fontSize ?? under.fontSize,
    colour: over.colour ?? under.colour,
    background: over.background ?? under.background,
    width: over.width ?? under.width,
    height: over.height ?? under.height,
    roomBefore: over.roomBefore || under.roomBefore,
    roomBehind: over.roomBehind || under.roomBehind,
    doubtful: over.doubtful || under.doubtful || isShownPerhaps || isUndone,
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
function inDoubt(declared: Declared): Declared {
  const { display, box, undoes, comesBack, visibility, fontSize, colour, background } = declared
  const hides = display === 'none' || box !== undefined || visibility === 'hidden'
  const shrinks = isSmall(fontSize)
  return {
    ...NOTHING_DECLARED,
    display: display === 'none' ? undefined : display && 'perhaps',
    undoes,
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

function isBoxUndone(under: Declared, over: Declared): boolean {
  return (
    under.box !== undefined && over.box === undefined && (over.undoes & EFFECTS[under.box]) !== 0
  )
}

/** `cascade` where either may be the one that counts: what one of them shows is not hidden, or in doubt. */
export function contested(one: Declared, other: Declared): Declared {
  if (one === NOTHING_DECLARED) return other
  if (other === NOTHING_DECLARED) return one
  const differs = (name: 'colour' | 'background') =>
    one[name] !== undefined && other[name] !== undefined && one[name] !== other[name]
  const isShown = one.display === 'shown' && other.display === 'none'
  const isVisible = one.visibility === 'visible' && other.visibility === 'hidden'
  const isLarge = one.fontSize !== undefined && !isSmall(one.fontSize) && isSmall(other.fontSize)
  const isUndone = isBoxUndone(other, one)
  const both = cascade(one, other)
  return {
    ...both,
    ...(isShown && { display: 'perhaps' }),
    ...(isVisible && { visibility: 'visible' }),
    ...(isLarge && { fontSize: one.fontSize }),
    ...(isUndone && { box: undefined }),
    ...(differs('colour') && { colour: 'unknown' }),
    ...(differs('background') && { background: 'unknown' }),
    doubtful: both.doubtful || isShown || isVisible || isLarge || isUndone,
  }
}

/** Declarations, and those of them that override later ones without the mark: `!important`. */
export interface Ruled {
  readonly declared: Declared
  readonly important: Declared
}

export const UNRULED: Ruled = { declared: NOTHING_DECLARED, important: NOTHING_DECLARED }

/** Reads the declarations in `css`, which is written as in a style attribute. */
export function readDeclarations(css: string): Ruled {
  const declared = declaredBy(readProperties(css, false))
  if (declared === NOTHING_DECLARED) return UNRULED
  const important = css.includes('!') ? declaredBy(readProperties(css, true)) : NOTHING_DECLARED
  const ruled = { declared, important }
  // What follows may undo what was read.
  return css.length > STYLE_LENGTH_MAX ? ruledInDoubt(ruled) : ruled
}

/** `ruled` as far as it holds when it may or may not apply. */
export function ruledInDoubt({ declared, important }: Ruled): Ruled {
  return {
    declared: inDoubt(declared),
    important: important === NOTHING_DECLARED ? important : inDoubt(important),
  }
}

function declaredBy(css: Declarations): Declared {
  const { properties } = css
  if (properties.size === 0) return NOTHING_DECLARED
  const hiding = css.mayHide ? readHiding(properties) : undefined
  const isBack = hiding === 'position' && css.shiftsBothWays
  const size = properties.get('font-size') ?? sizeInShorthand(properties.get('font'))
  const isUnknownSize = size?.includes('(') === true
  const fontSize = isUnknownSize ? { px: FONT_SIZE_PX } : readFontSize(size)
  const colour = properties.get('-webkit-text-fill-color') ?? properties.get('color')
  const read = readOptional(colour, readColour)
  const behind = properties.get('background-color') ?? properties.get('background')
  const display = properties.get('display')
  const visibility = properties.get('visibility')
  return {
    display: readDisplay(display),
    box: hiding === 'doubt' || isBack ? undefined : hiding,
    undoes: css.undoes,
    comesBack: css.comesBack,
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
      isBack ||
      isComputed(display) ||
      (visibility !== undefined && !/^(?:visible|hidden|collapse|initial)$/.test(visibility)) ||
      read === 'unknown' ||
      (behind !== undefined && COLOUR_FUNCTION.test(behind)) ||
      isUnknownSize,
  }
}

/** Colours that are not worked out: as a background, they may be that of the text. */
const COLOUR_FUNCTION = /(?:hsla?|hwb|lab|lch|color|color-mix|light-dark)\(/

/** What a property may do, as css-properties.tsv explains it: bits. */
const EFFECTS = {
  HIDING: 1,
  SHIFTING: 2,
  TALL: 4,
  MOVING: 8,
  opacity: 16,
  size: 32,
  position: 64,
  display: 128,
  colour: 0,
}
const { HIDING, SHIFTING, TALL, MOVING } = EFFECTS
const UNDOES_ANY = 16 | 32 | 64 | 128

type Effect = keyof typeof EFFECTS

const PROPERTIES = new Map(
  readTable(new URL('css-properties.tsv', import.meta.url), {
    property: requiredText,
    effects: (text) => words(text).reduce((bits, name) => bits | EFFECTS[name as Effect], 0),
    parts: words,
  }).map(({ property, ...rest }) => [property, rest]),
)

const FAR = /-|\d{4}|\(/
/** A far shift, and what may undo one. */
const FAR_AWAY = /-\d{3}/
const FAR_BACK = /(?<![-\d.])\d{3}|(?:calc|var|min|max|clamp)\(/
const TALL_VALUE = /\d{3}|\d(?:r?em|v[hbm]|in|cm)/

/** The declarations of a style attribute or rule, and which groups of properties occur in them. */
interface Declarations {
  readonly properties: Properties
  readonly mayHide: boolean
  readonly mayBeTall: boolean
  readonly undoes: number
  readonly comesBack: boolean
  /** True when one property moves the text far to one side, and another may move it back. */
  readonly shiftsBothWays: boolean
}

/** The properties in `css` that matter here; of each name the last with a value that it can have, `!important` first. */
function readProperties(css: string, importantOnly: boolean): Declarations {
  const properties = new Map<string, string>()
  const important: string[] = []
  let done = 0
  let shiftsAway = false
  let shiftsBack = false
  let comesBack = false
  for (const { name, value, isImportant } of writtenIn(css)) {
    if (!isImportant && (importantOnly || important.includes(name))) continue
    if (!isValid(name, value)) continue
    if (isImportant) important.push(name)
    properties.set(name, value)
    const { effects: bits, parts } = PROPERTIES.get(name)!
    for (const part of parts) {
      if (isImportant || !important.includes(part)) properties.delete(part)
    }
    done |= bits & UNDOES_ANY
    if (bits & HIDING && (!(bits & SHIFTING) || FAR.test(value))) done |= HIDING
    if (bits & TALL && TALL_VALUE.test(value)) done |= TALL
    if (bits & MOVING) {
      comesBack ||= movesBack(name, value)
      shiftsAway ||= FAR_AWAY.test(value)
      shiftsBack ||= FAR_BACK.test(value)
    }
  }
  return {
    properties,
    mayHide: (done & HIDING) !== 0,
    mayBeTall: (done & TALL) !== 0,
    undoes: done & UNDOES_ANY,
    comesBack,
    shiftsBothWays: shiftsAway && shiftsBack,
  }
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
  return found
}

function written(name: string, text: string): Written {
  const mark = text.lastIndexOf('!')
  const isImportant = mark >= 0 && text.slice(mark + 1).trim() === 'important'
  return { name, value: (isImportant ? text.slice(0, mark) : text).trim(), isImportant }
}

/** Another spelling of the same property. */
const PREFIX = /^-webkit-(?=transform$|filter$|clip-path$|mask)/

/** Whether a declaration may bring text back into sight that a box around it has moved away or cuts off. */
function movesBack(name: string, value: string): boolean {
  if (name === 'position') return /absolute|fixed/.test(value)
  if (name === 'text-indent') return true
  if (PROPERTIES.get(name)!.effects & SHIFTING) return FAR_BACK.test(value)
  return !/^(?:none|inherit|initial|unset|normal|1|)$/.test(value)
}

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

/** Values that any property can have (CSS Cascade 5, §7.3), and those that only a browser can work out. */
const OF_ANY = /^(?:inherit|initial|unset|revert|revert-layer)$/

const DISPLAYS =
  /^(?:none|contents|(?:(?:block|inline|run-in|flow|flow-root|table|flex|grid|ruby|math|list-item)(?: |$)){1,3}|inline-(?:block|table|flex|grid)|(?:-webkit-|-moz-|-ms-)(?:inline-)?(?:box|flex|flexbox|grid)|table-(?:row-group|header-group|footer-group|row|cell|column-group|column|caption)|ruby-(?:base|text|base-container|text-container))$/

/** Keywords among the values of the properties whose others are numbers, lengths and functions. */
const WORDS =
  /^(?:none|auto|normal|visible|hidden|clip|scroll|overlay|absolute|fixed|relative|static|sticky|-webkit-sticky|min-content|max-content|fit-content|-webkit-fill-available|-moz-available|stretch|content|each-line|hanging|border-box|content-box|padding-box|margin-box|view-box|fill-box|stroke-box|reset|[xyz])$/

/** A number with a unit or without. */
const AMOUNT = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:%|[a-z]{1,5})?$/

const FONT_WORDS = /^(?:(?:xx?-|xxx-)?(?:small|large)|medium|smaller|larger|math)$/

const FONTS = /^(?:caption|icon|menu|message-box|small-caption|status-bar)$/

const BACKGROUND_WORDS =
  /^(?:none|transparent|currentcolor|repeat|repeat-[xy]|no-repeat|space|round|scroll|fixed|local|left|right|top|bottom|center|cover|contain|auto|(?:border|padding|content)-box)$/

/** Properties of which any value is taken for valid: what leaves in doubt what it hides, and mere heights. */
const OF_ANY_VALUE = /^(?:background-image|animation|animation-name|filter|mask|border|flex)/

/** Whether a browser takes `value` for `name`; it ignores the whole declaration otherwise. */
function isValid(name: string, value: string): boolean {
  if (value === '' || value.includes('!')) return false
  if (OF_ANY.test(value) || isComputed(value)) return true
  switch (name) {
    case 'display':
      return DISPLAYS.test(value)
    case 'visibility':
      return /^(?:visible|hidden|collapse)$/.test(value)
    case 'content-visibility':
      return /^(?:visible|hidden|auto)$/.test(value)
    case 'color':
    case 'background-color':
    case '-webkit-text-fill-color':
      return value === 'currentcolor' || readColour(value) !== undefined
    case 'font-size':
      return FONT_WORDS.test(value) || (isAmount(value) && !value.startsWith('-'))
    case 'font':
      return FONTS.test(value) || sizeInShorthand(value) !== undefined
    case 'background':
      return piecesOf(value).every(
        (piece) =>
          BACKGROUND_WORDS.test(piece) || isAmount(piece) || readColour(piece) !== undefined,
      )
    default:
      return OF_ANY_VALUE.test(name) || piecesOf(value).every(isPlainValue)
  }
}

/** Values of one declaration that are looked at. */
const VALUES_MAX = 16

/** The values in a list of them; a function is one with all that is around it. */
function piecesOf(value: string): string[] {
  return value.includes('(') ? [value] : value.split(/[\s,/]+/, VALUES_MAX)
}

function isAmount(value: string): boolean {
  return value.includes('(') || AMOUNT.test(value)
}

function isPlainValue(value: string): boolean {
  return WORDS.test(value) || isAmount(value)
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

function readOptional<T>(value: string | undefined, read: (value: string) => T): T | undefined {
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

/** The largest length among the values, as in '1px solid #fff', '0 0 5000px' or 'calc(1px + 5000px)'. */
function heightIn(value: string | undefined): number {
  if (value === undefined || !/\d/.test(value)) return 0
  const lengths = value.includes('(') ? value.match(/\d[\d.]*[a-z]+/g) : value.split(/\s+/, 4)
  return Math.max(0, ...(lengths ?? []).map((length) => readPixels(length) ?? 0))
}

/** The value for one side in a shorthand for four sides, CSS Box Model 4 §3.2. */
function sideOf(shorthand: string | undefined, side: number): number {
  if (shorthand === undefined || !/\d{3}|\d(?:em|v)/.test(shorthand)) return 0
  const sides = shorthand.split(/\s+/, 4)
  return heightIn(sides[side] ?? sides[0])
}
