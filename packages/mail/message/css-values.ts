/**
 * Colours and lengths as CSS and HTML write them (CSS Color 4, CSS Values 4), and whether text of one colour
 * can be read on another. Functions are not worked out, but for rgb(): what they say is unknown.
 *
 * A colour is 0xRRGGBB. A translucent colour also has, above these bits, how much it lets through, in
 * 255ths (`translucent`); `over` mixes it with what is behind.
 */

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

const NAMED =
  'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc ' +
  'bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a ' +
  'burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 ' +
  'cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b ' +
  'darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 ' +
  'darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc ' +
  'darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f ' +
  'darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff ' +
  'dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 ' +
  'forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 ' +
  'goldenrod daa520 gray 808080 grey 808080 green 008000 greenyellow adff2f honeydew f0fff0 ' +
  'hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa ' +
  'lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 ' +
  'lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 ' +
  'lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa ' +
  'lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 ' +
  'limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa ' +
  'mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 ' +
  'mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 ' +
  'midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead ' +
  'navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 ' +
  'orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 ' +
  'papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 ' +
  'purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 ' +
  'saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d ' +
  'silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa ' +
  'springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 ' +
  'turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 ' +
  'yellowgreen 9acd32 windowtext 000000 window ffffff'

const named = new Map(
  Array.from(NAMED.matchAll(/(\w+) (\w+)/g), ([, name, hexadecimal]) => [
    name as string,
    Number.parseInt(hexadecimal as string, 16),
  ]),
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
  return named.get(text) ?? readBareDigits(text) ?? readFunction(text)
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

/** The unit of transparency, above the bits of the colour itself. */
const CLEAR_UNIT = 2 ** 24

/** `colour` (0xRRGGBB) with that opacity, from 0 to 1. */
export function translucent(colour: number, opacity: number): Colour {
  if (opacity <= OPACITY_HIDDEN_MAX) return 'transparent'
  if (opacity >= 1 - OPACITY_HIDDEN_MAX) return colour
  return colour + CLEAR_UNIT * Math.round(255 * (1 - opacity))
}

/** What is seen of `colour` in front of `behind`; a number is 0xRRGGBB. */
export function over(colour: Colour, behind: Colour): Colour {
  if (colour === 'transparent') return behind
  if (colour === 'unknown' || colour < CLEAR_UNIT) return colour
  if (typeof behind !== 'number') return 'unknown'
  const clear = Math.floor(colour / CLEAR_UNIT) / 255
  const own = colour % CLEAR_UNIT
  const channel = (shift: number) =>
    Math.round(((own >> shift) & 255) * (1 - clear) + ((behind >> shift) & 255) * clear)
  return (channel(16) << 16) | (channel(8) << 8) | channel(0)
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

/** A plain number or a percentage: 0.5 for '50%'; undefined for anything else. */
export function readShare(value: string): number | undefined {
  const amount = Number.parseFloat(value)
  if (Number.isNaN(amount)) return undefined
  return value.endsWith('%') ? amount / 100 : amount
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
