/**
 * CSS properties that hide a whole box: opacity, clipping, transforms, filters, boxes of no size,
 * boxes off screen. A value that is not understood leaves it in doubt whether the box is seen.
 */
import { OPACITY_HIDDEN_MAX, readPixels, readShare } from './css-values.ts'

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
  readClip,
  readTransform,
  readScale,
  readOffScreen,
  readOthers,
]

function readOpacity(properties: Properties): HidingMethod | 'doubt' | undefined {
  const value = properties.get('opacity')
  if (value === undefined) return undefined
  const share = readShare(value)
  if (share === undefined) return hasFunction(value) ? 'doubt' : undefined
  if (share <= OPACITY_HIDDEN_MAX) return 'opacity'
  return share < OPACITY_DOUBTFUL_MAX ? 'doubt' : undefined
}

const OVERFLOWS = ['overflow', 'overflow-x', 'overflow-y']
const EXTENTS = ['height', 'max-height', 'width', 'max-width']

function readCutOff(properties: Properties): HidingMethod | 'doubt' | undefined {
  if (properties.get('content-visibility') === 'hidden') return 'display'
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

function readClip(properties: Properties): HidingMethod | 'doubt' | undefined {
  const inset = /^inset\((\d{1,3})%/.exec(properties.get('clip-path') ?? '')?.[1]
  if (Number(inset) >= 50) return 'size'
  const position = properties.get('position')
  const clip = properties.get('clip')
  if (!clip?.startsWith('rect(') || (position !== 'absolute' && position !== 'fixed')) return
  const edges = clip.slice('rect('.length)
  if (isClippedAway(edges)) return 'position'
  return hasFunction(edges) ? 'doubt' : undefined
}

/** Whether the edges of rect() are all within a pixel: text for screen readers only. */
function isClippedAway(edges: string): boolean {
  return edges.split(/[\s,)]+/, 8).every((edge) => edge === '' || (readPixels(edge) ?? 2) <= 1)
}

const STILL = /^(?:none|inherit|initial|unset|)$/

function readTransform(properties: Properties): HidingMethod | 'doubt' | undefined {
  const value = properties.get('transform') ?? properties.get('-ms-transform')
  if (value === undefined || STILL.test(value)) return undefined
  let doubt = false
  for (const [, name, inner] of value.matchAll(/([a-z0-9]{1,16})\(([^()]{0,128})/g)) {
    const found = byFunction(name!, inner!.split(/[\s,]+/, 4))
    if (found === 'doubt') doubt = true
    else if (found !== undefined) return found
  }
  return doubt || /\([^()]*\(/.test(value) ? 'doubt' : undefined
}

function byFunction(name: string, values: readonly string[]): HidingMethod | 'doubt' | undefined {
  if (name.startsWith('scale')) return values.some(isScaledAway) ? 'size' : undefined
  if (name.startsWith('translate')) return values.some(isMovedAway) ? 'position' : undefined
  return name === 'rotate' || name === 'rotatez' ? undefined : 'doubt'
}

function isScaledAway(value: string): boolean {
  const scale = readShare(value)
  return scale !== undefined && Math.abs(scale) <= SCALE_HIDDEN_MAX
}

function isMovedAway(value: string): boolean {
  if (value.endsWith('%')) return Math.abs(Number.parseFloat(value)) >= 300
  return isFarOff(value) || isFarRight(value)
}

/** The properties that do by themselves what transform does, and zoom. */
function readScale(properties: Properties): HidingMethod | 'doubt' | undefined {
  for (const name of ['scale', 'zoom']) {
    const value = properties.get(name)
    if (value === undefined) continue
    if (value.split(/\s+/, 3).some(isScaledAway)) return 'size'
    if (hasFunction(value)) return 'doubt'
  }
  const translate = properties.get('translate')
  if (translate?.split(/\s+/, 3).some(isMovedAway)) return 'position'
  const rotate = properties.get('rotate')
  return hasFunction(translate) || (rotate !== undefined && /^[xy]\s|\(/.test(rotate))
    ? 'doubt'
    : undefined
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

/** Filters that change colours but hide nothing, and those that only Internet Explorer knew. */
const HARMLESS_FILTERS =
  /^(?:alpha\(|progid|(?:(?:drop-shadow|grayscale|sepia|hue-rotate|saturate)\([^()]*\)\s*)+$)/

const OTHERS = [
  'filter',
  'clip-path',
  'mask',
  'mask-image',
  'mask-size',
  'animation',
  'animation-name',
]

/** Filters and masks may hide anything, and an animation may begin or end out of sight. */
function readOthers(properties: Properties): 'doubt' | undefined {
  const mayHide = OTHERS.some((name) => {
    const value = properties.get(name)
    return value !== undefined && !STILL.test(value) && !HARMLESS_FILTERS.test(value)
  })
  return mayHide ? 'doubt' : undefined
}

function pixelsOf(properties: Properties, name: string): number | undefined {
  const value = properties.get(name)
  return value === undefined ? undefined : readPixels(value)
}
