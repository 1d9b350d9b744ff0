/**
 * Lengths as CSS writes them (CSS Values 4), in CSS pixels: `12px`, `.5em`, `calc(4px - 4px)`,
 * `min(1px, 2vw)`. Lengths that depend on the window are worked out for a window of common size.
 */

/** The font size that em and % refer to where nothing else is known, in CSS pixels. */
export const FONT_SIZE_PX = 16

/** The width assumed for the window that a message is read in, in CSS pixels: neither the smallest nor the largest. */
export const WINDOW_WIDTH_PX = 1_000
export const WINDOW_HEIGHT_PX = 800

/** Characters of an expression that are read; generated ones have under 40. Stops calc() of megabytes. */
const EXPRESSION_LENGTH_MAX = 128

/** How deep brackets may nest in an expression. Stops recursion. */
const EXPRESSION_DEPTH_MAX = 8

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

/** The length that `value` (in lower case) writes; undefined for percentages other than 0 %, keywords and anything else. */
export function readPixels(value: string): number | undefined {
  if (value.includes('(')) return readExpression(value)
  const amount = Number.parseFloat(value)
  if (Number.isNaN(amount)) return undefined
  const unit = unitOf(value)
  if (unit === '%') return amount === 0 ? 0 : undefined
  const pixels = PIXELS.get(unit)
  return pixels === undefined ? undefined : amount * pixels
}

/** A plain number or a percentage, or an expression of these: 0.5 for '50%'; undefined for anything else. */
export function readShare(value: string): number | undefined {
  if (value.includes('(')) return readExpression(value)
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

/** The value of calc(), min(), max() and clamp() of constants; undefined for an expression with another function. */
function readExpression(value: string): number | undefined {
  if (value.length > EXPRESSION_LENGTH_MAX) return undefined
  const tokens = value.match(/[a-z-]*\(|\)|,|[-+]?(?:\d+\.?\d*|\.\d+)(?:%|[a-z]+)?|[-+*/]/g) ?? []
  const result = new Expression(tokens).value(0)
  return Number.isFinite(result) ? result : undefined
}

/** Evaluates an expression token by token; NaN for what is not understood. */
class Expression {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  /** A sum of products, up to a comma, a closing bracket or the end. */
  value(depth: number): number {
    let sum = this.#product(depth)
    for (;;) {
      const sign = this.#tokens[this.#at]
      if (sign === '+' || sign === '-') {
        this.#at++
        sum += (sign === '+' ? 1 : -1) * this.#product(depth)
      } else if (sign !== undefined && /^[-+][\d.]/.test(sign)) sum += this.#product(depth)
      else return sum
    }
  }

  #product(depth: number): number {
    let product = this.#operand(depth)
    for (;;) {
      const sign = this.#tokens[this.#at]
      if (sign !== '*' && sign !== '/') return product
      this.#at++
      const factor = this.#operand(depth)
      product = sign === '*' ? product * factor : product / factor
    }
  }

  #operand(depth: number): number {
    const token = this.#tokens[this.#at++]
    if (token === undefined || depth > EXPRESSION_DEPTH_MAX) return Number.NaN
    if (!token.endsWith('(')) return readPixels(token) ?? Number.NaN
    const values = this.#arguments(depth)
    switch (token) {
      case '(':
      case 'calc(':
        return values.length === 1 ? values[0]! : Number.NaN
      case 'min(':
        return Math.min(...values)
      case 'max(':
        return Math.max(...values)
      case 'clamp(':
        return Math.max(values[0] ?? Number.NaN, Math.min(values[1] ?? NaN, values[2] ?? NaN))
      default:
        return Number.NaN
    }
  }

  #arguments(depth: number): number[] {
    const values = [this.value(depth + 1)]
    while (this.#tokens[this.#at] === ',') {
      this.#at++
      values.push(this.value(depth + 1))
    }
    if (this.#tokens[this.#at++] !== ')') return [Number.NaN]
    return values
  }
}
