/**
 * Colours and lengths as CSS and HTML write them (CSS Color 4, CSS Values 4), and whether text of one colour
 * can be read on another. Functions are not worked out, but for rgb(): what they say is unknown.
 *
 * A colour is 0xRRGGBB.
 */
import { readTable, requiredText } from '../data-table.ts'

/** Text on a background is invisible when no channel (0 to 255) differs by more: #efefef on white is, #eeeeee is not. */
const CHANNEL_DIFFERENCE_MAX = 16

/** Text is hard to make out up to this difference: #d0d0d0 on white is. */
const CHANNEL_DIFFERENCE_FAINT_MAX = 48

/** Opacity, from 0 to 1, up to which nothing can be made out. */
export const OPACITY_HIDDEN_MAX = 0.05

/** What a colour value says: a colour, none at all, or one that is not known here (a gradient, a variable, another colour space). */
export type Colour = number | 'transparent' | 'unknown'

/** Longest colour value read; 'rgba(255, 255, 255, 0.12345678)' has 32 characters. */
const COLOUR_LENGTH_MAX = 64

const NAMED: ReadonlyMap<string, number> = new Map(
  readTable(
    new URL('css-colours.tsv', import.meta.url),
    { name: requiredText, hexadecimal: (text) => Number.parseInt(requiredText(text), 16) },
    { unique: 'name' },
  ).map(({ name, hexadecimal }) => [name, hexadecimal]),
)

/**
 * The colour that `value` writes, in any case; undefined when it is none, so that a browser
 * would ignore it. Six digits without `#` are a colour too, as browsers have it in old markup.
 */
export function readColour(value: string): Colour | undefined {
  if (value.length > COLOUR_LENGTH_MAX) return 'unknown'
  const text = value.trim().toLowerCase()
  if (text.startsWith('#')) return readHexadecimal(text, 1)
  if (text === 'transparent') return 'transparent'
  return NAMED.get(text) ?? readBareDigits(text) ?? readFunction(text)
}

/** Whether text of one colour cannot be told from the other behind it. */
export function isUnreadable(text: number, background: number): boolean {
  return difference(text, background) <= CHANNEL_DIFFERENCE_MAX
}

/** Whether text of one colour can hardly be told from the other behind it. */
export function isFaint(text: number, background: number): boolean {
  return difference(text, background) <= CHANNEL_DIFFERENCE_FAINT_MAX
}

/** The difference in the channel that differs most. */
function difference(one: number, other: number): number {
  return Math.max(
    Math.abs((one >> 16) - (other >> 16)),
    Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)),
    Math.abs((one & 255) - (other & 255)),
  )
}

/** The digits of `text` from `start` on: rgb, rgba, rrggbb or rrggbbaa. */
function readHexadecimal(text: string, start: number): Colour | undefined {
  const count = text.length - start
  if (count !== 3 && count !== 4 && count !== 6 && count !== 8) return undefined
  let value = 0
  for (let at = start; at < text.length; at++) {
    const digit = hexadecimalDigit(text.charCodeAt(at))
    if (digit < 0) return undefined
    value = count < 6 ? value * 256 + digit * 17 : value * 16 + digit
  }
  if (count === 3 || count === 6) return value
  return translucent(Math.floor(value / 256), (value % 256) / 255)
}

/** The value of a digit, whose letters are in lower case; -1 for anything else. */
function hexadecimalDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1
}

function readBareDigits(text: string): Colour | undefined {
  return text.length === 6 ? readHexadecimal(text, 0) : undefined
}

/** `colour` (0xRRGGBB) with that opacity, from 0 to 1: as it is unless more than half of what is behind shows through. */
function translucent(colour: number, opacity: number): Colour {
  if (opacity <= OPACITY_HIDDEN_MAX) return 'transparent'
  return opacity >= 0.5 ? colour : 'unknown'
}

/** The colour of rgb() or rgba() (CSS Color 4, §5); 'unknown' for another function, and for one inside it. */
function readFunction(text: string): Colour | undefined {
  const [, name, inner = ''] = /^([a-z-]+)\((.*?)\)?$/.exec(text) ?? []
  if (name === undefined) return undefined
  if (!/^rgba?$/.test(name) || inner.includes('(')) return 'unknown'
  const [red, green, blue, opacity = 1] = inner
    .split(/[\s,/]+/, 8)
    .filter((part) => part !== '')
    .map((part, index) => fraction(part, index < 3 ? 255 : 1))
  if (red === undefined || green === undefined || blue === undefined) return undefined
  const colour = (byteOf(red) << 16) | (byteOf(green) << 8) | byteOf(blue)
  return Number.isNaN(red + green + blue + opacity) ? undefined : translucent(colour, opacity)
}

/** A number as it is, or a percentage of `whole`; 'none' is 0. */
function fraction(text: string, whole: number): number {
  if (text === 'none') return 0
  const value = Number.parseFloat(text)
  return text.endsWith('%') ? (value / 100) * whole : value
}

function byteOf(value: number): number {
  return Math.min(255, Math.max(0, Math.round(value)))
}

/** The font size that em and % refer to where nothing else is known, in CSS pixels. */
export const FONT_SIZE_PX = 16

/** The width assumed for the window that a message is read in, in CSS pixels: neither the smallest nor the largest. */
const WINDOW_WIDTH_PX = 1_000
const WINDOW_HEIGHT_PX = 800

/** Pixels by unit; a number without a unit is in pixels, as in attributes. */
const PIXELS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 96 / 72],
  ['em', FONT_SIZE_PX],
  ['rem', FONT_SIZE_PX],
  ['ex', FONT_SIZE_PX / 2],
  ['ch', FONT_SIZE_PX / 2],
  ['lh', FONT_SIZE_PX * 1.2],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['q', 96 / 101.6],
  ['pc', 16],
  ...['vw', 'vi', 'svw', 'lvw', 'dvw', 'cqw'].map((unit) => [unit, WINDOW_WIDTH_PX / 100] as const),
  ...['vh', 'vb', 'svh', 'lvh', 'dvh', 'cqh'].map(
    (unit) => [unit, WINDOW_HEIGHT_PX / 100] as const,
  ),
  ...['vmin', 'vmax'].map((unit) => [unit, WINDOW_HEIGHT_PX / 100] as const),
])

/** The length that `value` (in lower case) writes; undefined for percentages other than 0 %, keywords, functions and anything else. */
export function readPixels(value: string): number | undefined {
  const amount = Number.parseFloat(value)
  if (Number.isNaN(amount)) return undefined
  const unit = unitOf(value)
  if (unit === '%') return amount === 0 ? 0 : undefined
  const pixels = PIXELS.get(unit)
  return pixels === undefined ? undefined : amount * pixels
}

/** The letters or the percent sign at the end of `value`. */
export function unitOf(value: string): string {
  if (value.endsWith('%')) return '%'
  let start = value.length
  while (start > 0 && isLetter(value.charCodeAt(start - 1))) start--
  return value.slice(start)
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}
