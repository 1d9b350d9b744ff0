/**
 * Colour functions of CSS (CSS Color 4 and 5) as 0xRRGGBB and opacity: rgb, hsl, hwb, lab, lch, oklab,
 * oklch, color() and color-mix(). They are exact enough to tell which text can be read on which background.
 */

export interface FunctionColour {
  /** 0xRRGGBB. */
  readonly colour: number
  /** 0 to 1. */
  readonly opacity: number
}

/** Reads a colour inside a function, as color-mix() has them. */
export type ReadInner = (value: string) => FunctionColour | undefined

/** The colour of a function in lower case; undefined when it is malformed or not known. */
export function readColourFunction(text: string, readInner: ReadInner): FunctionColour | undefined {
  const open = text.indexOf('(')
  const name = text.slice(0, open)
  const inner = text.slice(open + 1, text.endsWith(')') ? -1 : undefined)
  if (name === 'color-mix') return mixOf(inner, readInner)
  if (name === 'light-dark') return readInner(inner.split(',', 1)[0]!.trim())
  const parts = inner.split(/[\s,/]+/, 8).filter((part) => part !== '')
  const [space, ...rest] = parts
  const channels = name === 'color' ? rest : parts
  const [first, second, third, fourth] = channels
  if (first === undefined || second === undefined || third === undefined) return undefined
  const rgb = toRgb(name === 'color' ? `color ${space}` : name, [first, second, third])
  const opacity = fourth === undefined ? 1 : fraction(fourth, 1)
  if (rgb === undefined || rgb.some(Number.isNaN) || Number.isNaN(opacity)) return undefined
  const [red, green, blue] = rgb.map(byteOf) as [number, number, number]
  return { colour: (red << 16) | (green << 8) | blue, opacity: Math.min(1, Math.max(0, opacity)) }
}

type Triple = readonly [number, number, number]

/** Red, green and blue from 0 to 1; undefined for a function that is not known. */
function toRgb(name: string, [a, b, c]: readonly [string, string, string]): Triple | undefined {
  switch (name) {
    case 'rgb':
    case 'rgba':
      return [fraction(a, 255) / 255, fraction(b, 255) / 255, fraction(c, 255) / 255]
    case 'hsl':
    case 'hsla':
      return fromHsl(degrees(a), hundredth(b), hundredth(c))
    case 'hwb':
      return fromHwb(degrees(a), hundredth(b), hundredth(c))
    case 'lab':
      return fromLab(fraction(a, 100), fraction(b, 125), fraction(c, 125))
    case 'lch':
      return fromPolar(fromLab, fraction(a, 100), fraction(b, 150), degrees(c))
    case 'oklab':
      return fromOklab(fraction(a, 1), fraction(b, 0.4), fraction(c, 0.4))
    case 'oklch':
      return fromPolar(fromOklab, fraction(a, 1), fraction(b, 0.4), degrees(c))
    case 'color srgb':
    case 'color display-p3':
      return [fraction(a, 1), fraction(b, 1), fraction(c, 1)]
    case 'color srgb-linear':
      return [encoded(fraction(a, 1)), encoded(fraction(b, 1)), encoded(fraction(c, 1))]
    default:
      return undefined
  }
}

/** A number as it is, or a percentage of `whole`; 'none' is 0. */
function fraction(text: string, whole: number): number {
  if (text === 'none') return 0
  const value = Number.parseFloat(text)
  return text.endsWith('%') ? (value / 100) * whole : value
}

/** A number from 0 to 1, written as '50%' or, in newer CSS, as '50'. */
function hundredth(text: string): number {
  return fraction(text, 100) / 100
}

function degrees(text: string): number {
  const amount = fraction(text, 360)
  if (text.endsWith('turn')) return amount * 360
  if (text.endsWith('grad')) return amount * 0.9
  return text.endsWith('rad') ? (amount * 180) / Math.PI : amount
}

/** CSS Color 4, §7.1. */
function fromHsl(hue: number, saturation: number, lightness: number): Triple {
  const channel = (n: number) => {
    const k = (((n + hue / 30) % 12) + 12) % 12
    const reach = saturation * Math.min(lightness, 1 - lightness)
    return lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  return [channel(0), channel(8), channel(4)]
}

/** CSS Color 4, §8.1. */
function fromHwb(hue: number, white: number, black: number): Triple {
  if (white + black >= 1) {
    const grey = white / (white + black)
    return [grey, grey, grey]
  }
  return fromHsl(hue, 1, 0.5).map((it) => it * (1 - white - black) + white) as unknown as Triple
}

function fromPolar(
  from: (lightness: number, a: number, b: number) => Triple,
  lightness: number,
  chroma: number,
  hue: number,
): Triple {
  const angle = (hue * Math.PI) / 180
  return from(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle))
}

/** CIE Lab with the white of D50 (CSS Color 4, §9.1), to XYZ and linear sRGB. */
function fromLab(lightness: number, a: number, b: number): Triple {
  const y = (lightness + 16) / 116
  const cubed = (t: number) => (t > 6 / 29 ? t ** 3 : 3 * (6 / 29) ** 2 * (t - 4 / 29))
  const x = 0.9643 * cubed(y + a / 500)
  const z = 0.8251 * cubed(y - b / 200)
  const lum = cubed(y)
  return [
    encoded(3.1342 * x - 1.6174 * lum - 0.4907 * z),
    encoded(-0.9788 * x + 1.9162 * lum + 0.0335 * z),
    encoded(0.072 * x - 0.2291 * lum + 1.4057 * z),
  ]
}

/** Oklab (Ottosson 2020; CSS Color 4, §9.3), to linear sRGB. */
function fromOklab(lightness: number, a: number, b: number): Triple {
  const l = (lightness + 0.3963 * a + 0.2158 * b) ** 3
  const m = (lightness - 0.1056 * a - 0.0639 * b) ** 3
  const s = (lightness - 0.0895 * a - 1.2915 * b) ** 3
  return [
    encoded(4.0767 * l - 3.3077 * m + 0.231 * s),
    encoded(-1.2684 * l + 2.6098 * m - 0.3413 * s),
    encoded(-0.0042 * l - 0.7034 * m + 1.7076 * s),
  ]
}

/** Linear light to sRGB (IEC 61966-2-1). */
function encoded(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}

function byteOf(share: number): number {
  return Math.min(255, Math.max(0, Math.round(share * 255)))
}

/** The colour of `in srgb, white 98%, black`, always mixed in sRGB, whatever space is named. */
function mixOf(inner: string, readInner: ReadInner): FunctionColour | undefined {
  const [, first = '', second = ''] = splitOutsideBrackets(inner)
  const one = partOf(first, readInner)
  const other = partOf(second, readInner)
  if (one === undefined || other === undefined) return undefined
  const share = one.share ?? (other.share === undefined ? 0.5 : 1 - other.share)
  const total = share + (other.share ?? 1 - share)
  const mix = (of: (colour: FunctionColour) => number) =>
    total === 0 ? 0 : (of(one) * share + of(other) * (total - share)) / total
  const channel = (shift: number) => Math.round(mix(({ colour }) => (colour >> shift) & 255))
  return {
    colour: (channel(16) << 16) | (channel(8) << 8) | channel(0),
    opacity: mix(({ opacity }) => opacity),
  }
}

/** Splits at the commas outside brackets. */
function splitOutsideBrackets(text: string): string[] {
  const pieces: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === ',' && depth === 0) {
      pieces.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...pieces, text.slice(start).trim()]
}

/** A colour, and its share where one is given before or after it. */
function partOf(
  text: string,
  readInner: ReadInner,
): (FunctionColour & { readonly share: number | undefined }) | undefined {
  const named = /(?:^|\s)(\d{1,3}(?:\.\d{1,8})?)%\s?$/.exec(text)
  const value = named === null ? text : text.slice(0, named.index)
  const colour = readInner(value.trim())
  if (colour === undefined) return undefined
  return { ...colour, share: named === null ? undefined : Number(named[1]) / 100 }
}
