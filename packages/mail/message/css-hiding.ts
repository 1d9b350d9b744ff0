/**
 * CSS properties that hide a whole box: opacity, clipping, transforms, filters, boxes of no size,
 * boxes off screen. A value that is not understood leaves it in doubt whether the box is seen.
 */
import { OPACITY_HIDDEN_MAX, readPixels } from './css-values.ts'

/** Ways in which markup hides text from the reader but not from a filter. */
export type HidingMethod = 'display' | 'size' | 'colour' | 'position' | 'opacity'

/** A box with hidden overflow shows no text up to this width or height, in CSS pixels. */
const BOX_HIDDEN_MAX_PX = 4

/** Text moved this far left or up is off screen, in CSS pixels: mail is laid out 600 wide ... */
const OFF_SCREEN_MAX_PX = -500

/** ... and text moved this far right, in a window of any width. */
const OFF_SCREEN_MIN_PX = 2_000

/** The opacity below which text may be overlooked. */
const OPACITY_DOUBTFUL_MAX = 0.25

/** Letters scaled to this are too small to read. */
const SCALE_HIDDEN_MAX = 0.25

/** The declared values by property name, in lower case, without the prefix -webkit-. */
export type Properties = ReadonlyMap<string, string>

/** How the box hides all that is in it; 'doubt' where it may, in a way not known here. */
export function readHiding(properties: Properties): HidingMethod | 'doubt' | undefined {
  let doubt = false
  for (const read of READERS) {
    const found = read(properties)
    if (found === 'doubt') doubt = true
    else if (found !== undefined) return found
  }
  return doubt ? 'doubt' : undefined
}

/** True for a value that only a browser can work out: var(), env(), attr(). */
export function isComputed(value: string | undefined): boolean {
  return value?.includes('(') === true && /\b(?:var|env|attr|if)\(/.test(value)
}

/** True for a value with a function, which is not worked out: calc(), min(), var(). */
function hasFunction(value: string | undefined): boolean {
  return value?.includes('(') === true
}

type Reader = (properties: Properties) => HidingMethod | 'doubt' | undefined

const READERS: readonly Reader[] = [
  readOpacity,
  readCutOff,
  readTransform,
  readOffScreen,
  readOthers,
]

function readOpacity(properties: Properties): HidingMethod | 'doubt' | undefined {
  const value = properties.get('opacity')
  if (value === undefined) return undefined
  const amount = Number.parseFloat(value)
  const share = value.endsWith('%') ? amount / 100 : amount
  if (share <= OPACITY_HIDDEN_MAX) return 'opacity'
  return share >= OPACITY_DOUBTFUL_MAX ? undefined : 'doubt'
}

const OVERFLOWS = ['overflow', 'overflow-x', 'overflow-y']
const EXTENTS = ['height', 'max-height', 'width', 'max-width']

/** A box of one pixel at most, as text for screen readers has it. */
const CLIPPED_AWAY = /^rect\( ?[01](?:px)?(?:[ ,]{1,3}[01](?:px)?){3} ?\)/

/** `clip` applies to boxes that are out of the flow alone. */
function isTakenOut(properties: Properties): boolean {
  return /^(?:absolute|fixed)$/.test(properties.get('position') ?? '')
}

function readCutOff(properties: Properties): HidingMethod | 'doubt' | undefined {
  if (properties.get('content-visibility') === 'hidden') return 'display'
  const inset = /^inset\((\d{1,3})%/.exec(properties.get('clip-path') ?? '')?.[1]
  if (Number(inset) >= 50) return 'size'
  if (CLIPPED_AWAY.test(properties.get('clip') ?? '') && isTakenOut(properties)) return 'position'
  if (!OVERFLOWS.some((name) => isCutting(properties.get(name)))) return undefined
  if (EXTENTS.some((name) => (pixelsOf(properties, name) ?? Infinity) <= BOX_HIDDEN_MAX_PX)) {
    return 'size'
  }
  const indent = properties.get('text-indent')
  if (indent !== undefined && isOutOfBox(indent)) return 'position'
  return hasFunction(indent) || EXTENTS.some((name) => hasFunction(properties.get(name)))
    ? 'doubt'
    : undefined
}

function isCutting(overflow: string | undefined): boolean {
  return overflow !== undefined && /hidden|clip|auto|scroll/.test(overflow)
}

function isOutOfBox(indent: string): boolean {
  if (indent.endsWith('%')) return Number.parseFloat(indent) >= 100
  return (readPixels(indent) ?? 0) >= -OFF_SCREEN_MAX_PX
}

const TRANSFORM = /^(?:(?:-ms-)?transform|scale|zoom|translate|rotate)$/

/** What moves, scales and turns, as functions: of properties that do one of these by themselves the name is that of the function. */
function readTransform(properties: Properties): HidingMethod | 'doubt' | undefined {
  let doubt = false
  for (const [property, value] of properties) {
    if (!TRANSFORM.test(property) || STILL.test(value)) continue
    const written = property.endsWith('transform') ? value : `${property}(${value})`
    for (const [, name, inner] of written.matchAll(/([a-z0-9]{1,16})\(([^()]{0,128})/g)) {
      const values = inner!.split(/[\s,]+/, 4)
      if (/^(?:scale|zoom)/.test(name!)) {
        if (values.some(isScaledAway)) return 'size'
      } else if (name!.startsWith('translate')) {
        if (values.some(isMovedAway)) return 'position'
      } else if (!/^rotatez?$/.test(name!) || /^[xy]\s/.test(inner!)) doubt = true
    }
    if (/\([^()]*\(/.test(written)) doubt = true
  }
  return doubt ? 'doubt' : undefined
}

function isScaledAway(value: string): boolean {
  const scale = Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1)
  return Math.abs(scale) <= SCALE_HIDDEN_MAX
}

function isMovedAway(value: string): boolean {
  if (value.endsWith('%')) return Math.abs(Number.parseFloat(value)) >= 300
  return isFarOff(value) || isFarRight(value)
}

const PLACES = ['left', 'right', 'top']
const SHIFTS = ['text-indent', 'margin-left', 'margin-top']
const SHIFTS_AND_MARGIN = [...SHIFTS, 'margin']
const PLACES_AND_INSET = [...PLACES, 'inset', 'z-index']

function readOffScreen(properties: Properties): HidingMethod | 'doubt' | undefined {
  if (SHIFTS.some((name) => isFarOff(properties.get(name)))) return 'position'
  if (isFarRight(properties.get('margin-left'))) return 'position'
  const margin = properties.get('margin')
  if (margin?.includes('-') && topAndLeft(margin).some(isFarOff)) return 'position'
  const doubt = SHIFTS_AND_MARGIN.some((name) => hasFunction(properties.get(name)))
    ? 'doubt'
    : undefined
  const position = properties.get('position')
  if (position === undefined || position === 'static') return doubt
  if (PLACES.some((name) => isFarOff(properties.get(name)))) return 'position'
  if (isFarRight(properties.get('left'))) return 'position'
  const inset = properties.get('inset')
  if (inset !== undefined && topAndLeft(inset).some(isFarOff)) return 'position'
  if (PLACES_AND_INSET.some((name) => hasFunction(properties.get(name)))) return 'doubt'
  return properties.get('z-index')?.startsWith('-') ? 'doubt' : doubt
}

function isFarOff(length: string | undefined): boolean {
  return length !== undefined && (readPixels(length) ?? 0) <= OFF_SCREEN_MAX_PX
}

function isFarRight(length: string | undefined): boolean {
  return length !== undefined && (readPixels(length) ?? 0) >= OFF_SCREEN_MIN_PX
}

/** The two sides of the shorthand (CSS Box Model 4, §3.2) that can move text out of sight. */
function topAndLeft(shorthand: string): (string | undefined)[] {
  const sides = shorthand.split(/\s+/, 4)
  return [sides[0], sides[3] ?? sides[1] ?? sides[0]]
}

/** What may hide anything, but for the values that `harmless` matches: filters, masks, animations. */
const OTHERS: readonly { readonly name: RegExp; readonly harmless: RegExp }[] = [
  {
    name: /^filter$/,
    // Those that change colours alone, and those that only Internet Explorer knew.
    harmless:
      /^(?:alpha\(|progid|(?:(?:drop-shadow|grayscale|sepia|hue-rotate|saturate)\([^()]*\)\s*)+$)/,
  },
  { name: /^(?:clip-path|mask|mask-image|mask-size|animation|animation-name)$/, harmless: /^$/ },
  { name: /^clip$/, harmless: /^auto$/ },
]

const STILL = /^(?:none|inherit|initial|unset|)$/

function readOthers(properties: Properties): 'doubt' | undefined {
  for (const [property, value] of properties) {
    const other = OTHERS.find(({ name }) => name.test(property))
    if (other !== undefined && !STILL.test(value) && !other.harmless.test(value)) return 'doubt'
  }
  return undefined
}

function pixelsOf(properties: Properties, name: string): number | undefined {
  const value = properties.get(name)
  return value === undefined ? undefined : readPixels(value)
}
