/**
 * What CSS declarations say about being seen: `display:none`, `font-size:0`, `color:#fff`.
 *
 * Only what hides text is read, each property on its own, as a browser would cascade it. A
 * preheader is hidden in several of these ways at once, since no mail client obeys them all.
 *
 * `mso-hide:all` is not among them: it hides from Outlook alone, where a conditional comment
 * shows the same once more, so that buttons of honest mail have it.
 */
import { type Colour, OPACITY_HIDDEN_MAX, readColour } from './colour.ts'
import type { HidingMethod } from './html.ts'
import { STYLE_LENGTH_MAX } from './limits.ts'

/** Letters of this height, in CSS pixels, are not seen: 1px and 1pt (1.33 px), but not 2px. */
const FONT_SIZE_HIDDEN_MAX_PX = 1.5

/** A box that cuts off what overflows shows nothing at this width or height, in CSS pixels. */
const BOX_HIDDEN_MAX_PX = 1

/** As far left of or above its place text is off screen, in CSS pixels: mail is laid out 600 wide. */
const OFF_SCREEN_MAX_PX = -500

/** Size of the letters that em and % refer to where nothing else is known, in CSS pixels. */
const FONT_SIZE_PX = 16

/** Declarations of one element or rule; undefined where a property is not declared. */
export interface Declared {
  readonly display: 'none' | 'shown' | undefined
  /** How the box hides all that is in it, other than by `display`. */
  readonly box: HidingMethod | undefined
  readonly visibility: 'hidden' | 'visible' | undefined
  readonly fontSize: 'tiny' | 'readable' | undefined
  readonly colour: Colour | undefined
  readonly background: Colour | undefined
  /** In CSS pixels. */
  readonly width: number | undefined
  readonly height: number | undefined
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
}

/** `over` where it declares something, else `under`. */
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
  }
}

/** What the declarations in `css`, as in a style attribute, say about being seen. */
export function readDeclarations(css: string): Declared {
  const properties = readProperties(css.slice(0, STYLE_LENGTH_MAX).toLowerCase())
  if (properties.size === 0) return NOTHING_DECLARED
  return {
    display: readDisplay(properties.get('display')),
    box: readBox(properties),
    visibility: readVisibility(properties.get('visibility')),
    fontSize: readFontSize(properties.get('font-size')) ?? readFont(properties.get('font')),
    colour: readOptional(properties.get('color'), readColour),
    background: readBackground(properties),
    width: readOptional(properties.get('width'), readPixels),
    height: readOptional(properties.get('height'), readPixels),
  }
}

/** Length in CSS pixels; undefined for percentages, keywords and units that depend on the window. */
export function readPixels(value: string): number | undefined {
  const amount = Number.parseFloat(value)
  if (Number.isNaN(amount)) return undefined
  const unit = value.endsWith('rem') ? 'em' : value.slice(-2)
  const pixels = PIXELS.get(unit) ?? (isDigit(value.charCodeAt(value.length - 1)) ? 1 : undefined)
  return pixels === undefined ? undefined : amount * pixels
}

/** By unit; a number without one is in pixels, as in attributes. */
const PIXELS: ReadonlyMap<string, number> = new Map([
  ['px', 1],
  ['pt', 96 / 72],
  ['em', FONT_SIZE_PX],
  ['ex', FONT_SIZE_PX / 2],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['pc', 16],
])

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

type Properties = ReadonlyMap<string, string>

/** The properties that matter here. */
const READ = new Set(
  (
    'display visibility overflow overflow-x overflow-y height max-height width max-width opacity ' +
    'position left right top text-indent margin margin-left margin-top clip font font-size color ' +
    'background background-color background-image'
  ).split(' '),
)

/** The properties that matter here, of `css` in lower case; the last of a name counts. */
function readProperties(css: string): Properties {
  const properties = new Map<string, string>()
  let start = 0
  let colon = css.indexOf(':')
  while (colon >= 0) {
    const nameStart = Math.max(start, css.lastIndexOf(';', colon) + 1)
    const semicolon = css.indexOf(';', colon)
    const end = semicolon < 0 ? css.length : semicolon
    const name = css.slice(nameStart, colon).trim()
    if (READ.has(name)) properties.set(name, plainValue(css, colon + 1, end))
    start = end + 1
    colon = css.indexOf(':', start)
  }
  return properties
}

/** Without `!important`: rules and attributes that differ only in this are not told apart. */
function plainValue(css: string, start: number, end: number): string {
  const value = css.slice(start, end)
  const important = value.indexOf('!')
  return (important < 0 ? value : value.slice(0, important)).trim()
}

function readOptional<T>(value: string | undefined, read: (value: string) => T): T | undefined {
  return value === undefined ? undefined : read(value)
}

function readDisplay(value: string | undefined): Declared['display'] {
  if (value === undefined || value === '' || value === 'inherit') return undefined
  return value === 'none' ? 'none' : 'shown'
}

function readVisibility(value: string | undefined): Declared['visibility'] {
  if (value === 'hidden' || value === 'collapse') return 'hidden'
  return value === 'visible' ? 'visible' : undefined
}

function readBox(properties: Properties): HidingMethod | undefined {
  if (isClear(properties.get('opacity'))) return 'opacity'
  if (isCutOff(properties)) return 'size'
  return isOffScreen(properties) ? 'position' : undefined
}

function isClear(opacity: string | undefined): boolean {
  if (opacity === undefined) return false
  const value = Number.parseFloat(opacity)
  return (opacity.endsWith('%') ? value / 100 : value) <= OPACITY_HIDDEN_MAX
}

const OVERFLOWS = ['overflow', 'overflow-x', 'overflow-y']
const EXTENTS = ['height', 'max-height', 'width', 'max-width']

function isCutOff(properties: Properties): boolean {
  if (!OVERFLOWS.some((name) => /hidden|clip/.test(properties.get(name) ?? ''))) return false
  return EXTENTS.some((name) => (pixelsOf(properties, name) ?? Infinity) <= BOX_HIDDEN_MAX_PX)
}

function isOffScreen(properties: Properties): boolean {
  const position = properties.get('position')
  if (position === 'absolute' || position === 'fixed') {
    if (isClippedAway(properties.get('clip'))) return true
    if (PLACES.some((name) => isFarOff(properties.get(name)))) return true
  }
  if (SHIFTS.some((name) => isFarOff(properties.get(name)))) return true
  const margin = properties.get('margin')
  return margin?.includes('-') ? topAndLeft(margin).some(isFarOff) : false
}

const PLACES = ['left', 'right', 'top']
const SHIFTS = ['text-indent', 'margin-left', 'margin-top']

function isFarOff(length: string | undefined): boolean {
  return length !== undefined && (readPixels(length) ?? 0) <= OFF_SCREEN_MAX_PX
}

/** rect() whose edges are all within a pixel: text for screen readers only. */
function isClippedAway(clip: string | undefined): boolean {
  if (!clip?.startsWith('rect(')) return false
  const edges = clip.slice(5).split(/[\s,)]+/)
  return edges.every((edge) => edge === '' || (readPixels(edge) ?? 2) <= BOX_HIDDEN_MAX_PX)
}

/** The two sides of the shorthand (CSS Box Model 4, §3.2) that can move text out of sight. */
function topAndLeft(margin: string): (string | undefined)[] {
  const sides = margin.split(/\s+/, 4)
  return [sides[0], sides[3] ?? sides[1] ?? sides[0]]
}

function pixelsOf(properties: Properties, name: string): number | undefined {
  return readOptional(properties.get(name), readPixels)
}

const FONT_SIZE_KEYWORDS = new Set(
  'xx-small x-small small medium large x-large xx-large initial'.split(' '),
)

/** Sizes relative to that of the parent say nothing, unless they are tiny. */
function readFontSize(value: string | undefined): Declared['fontSize'] {
  if (value === undefined) return undefined
  if (FONT_SIZE_KEYWORDS.has(value)) return 'readable'
  const pixels = value.endsWith('%') ? percentOfFont(value) : readPixels(value)
  if (pixels === undefined) return undefined
  if (pixels <= FONT_SIZE_HIDDEN_MAX_PX) return 'tiny'
  return isRelative(value) ? undefined : 'readable'
}

function isRelative(size: string): boolean {
  return size.endsWith('%') || size.endsWith('ex') || (size.endsWith('em') && !size.endsWith('rem'))
}

function percentOfFont(value: string): number | undefined {
  const percent = Number.parseFloat(value)
  return Number.isNaN(percent) ? undefined : (percent / 100) * FONT_SIZE_PX
}

/** The size in the shorthand: the first length that is no weight, '0/0 a' or 'bold 1px/1 arial'. */
function readFont(value: string | undefined): Declared['fontSize'] {
  const size = value?.split(/[\s/]+/, 8).find((part) => /^(\.?\d.*[a-z%]|0+)$/.test(part))
  return readFontSize(size)
}

function readBackground(properties: Properties): Colour | undefined {
  const image = properties.get('background-image')
  if (image !== undefined && image !== 'none') return 'unknown'
  const shorthand = properties.get('background')
  if (shorthand !== undefined && /url\(|gradient\(|var\(/.test(shorthand)) return 'unknown'
  const colour = readOptional(properties.get('background-color'), readColour)
  return colour ?? readOptional(shorthand, readShorthandColour)
}

/** The colour among the values of `background`; 'transparent' for the shorthand that has none. */
function readShorthandColour(value: string): Colour | undefined {
  if (value.includes('(')) return readColour(value.slice(0, value.indexOf(')') + 1)) ?? 'unknown'
  const colours = value.split(' ', 16).map((part) => readColour(part))
  return colours.find((colour) => colour !== undefined) ?? 'transparent'
}
