/**
 * Boundary delimiters (RFC 2046 §5.1.1) of all open multiparts, found in one pass.
 *
 * A delimiter is a line of "--" and the boundary. Some mail programs accept one with more text behind it, or after a bare CR.
 * Such places are found too and marked as not exact, so that the walk can open a second reading there.
 */
import { BOUNDARY_LENGTH_MAX, WINDOW_BYTES } from './limits.ts'
import type { Octets } from './octets.ts'

/** A boundary that may delimit what follows. */
export interface Boundary {
  /** Which open multipart it belongs to, 0 the outermost. */
  readonly frame: number
  /** In Latin-1; of one longer than BOUNDARY_LENGTH_MAX that beginning, which alone is compared. */
  readonly text: string
}

/** Boundaries by their text, of equal ones the innermost; `cut` are those of which the beginning is compared. */
export interface BoundaryTable {
  readonly byText: ReadonlyMap<string, Boundary>
  readonly cut: readonly Boundary[]
  /** The codes of their first characters, which rule out most lines. */
  readonly starts: ReadonlySet<number>
}

/** A place where a delimiter was found. */
export interface Delimiter {
  readonly boundary: Boundary
  /** Offset of its first dash. */
  readonly start: number
  /** Offset of the line after it. */
  readonly next: number
  /** True when "--" follows, which ends the multipart. */
  readonly final: boolean
  readonly exact: boolean
}

export const NO_BOUNDARIES = boundaryTable([])

/** The table for `boundaries`, which are given outermost first. */
export function boundaryTable(boundaries: readonly Boundary[]): BoundaryTable {
  const isCut = ({ text }: Boundary) => text.length > BOUNDARY_LENGTH_MAX
  return {
    byText: new Map(boundaries.map((boundary) => [boundary.text, boundary])),
    cut: boundaries
      .filter(isCut)
      .map(({ frame, text }) => ({ frame, text: text.slice(0, BOUNDARY_LENGTH_MAX) })),
    starts: new Set(boundaries.map(({ text }) => text.charCodeAt(0))),
  }
}

/** Characters of a line that are looked at: room for a boundary and some blanks. */
const LOOKED_AT_MAX = BOUNDARY_LENGTH_MAX + 64

/** The delimiter that `line` is, from its first character on. */
export function delimiterIn(
  line: string,
  { byText, cut, starts }: BoundaryTable,
): Pick<Delimiter, 'boundary' | 'final' | 'exact'> | undefined {
  if (!line.startsWith('--') || !starts.has(line.charCodeAt(2))) return undefined
  const content = line.slice(2, LOOKED_AT_MAX).replace(/[\r\n].*/s, '')
  const whole = content.trimEnd()
  const word = /^[^ \t]*/.exec(whole)![0]
  const long = cut.find(({ text }) => content.startsWith(text))
  return (
    delimiterOf(whole, byText, true) ??
    (long && { boundary: long, final: false, exact: true }) ??
    (word.length < whole.length ? delimiterOf(word, byText, false) : undefined)
  )
}

function delimiterOf(text: string, byText: BoundaryTable['byText'], exact: boolean) {
  const plain = byText.get(text)
  const ended = text.endsWith('--') ? byText.get(text.slice(0, -2)) : undefined
  const final = ended !== undefined && (plain === undefined || ended.frame > plain.frame)
  const boundary = final ? ended : plain
  return boundary && { boundary, final, exact }
}

const LINE_START = /[\r\n]--/g

/** The search for one delimiter after the other in `octets` up to `end`. It keeps the window that it has read. */
export class DelimiterSearch {
  readonly #octets: Octets
  readonly #end: number
  readonly #outOfTime: () => boolean
  #text = ''
  /** Offset of the first character of `#text`. */
  #base = 0

  constructor(octets: Octets, end: number, outOfTime: () => boolean) {
    this.#octets = octets
    this.#end = end
    this.#outOfTime = outOfTime
  }

  /** The first delimiter from `from`, the start of a line; undefined when there is none or the time is up. */
  next(from: number, table: BoundaryTable): Delimiter | undefined {
    if (from < this.#base || from >= this.#base + this.#text.length) this.#read(from)
    const first = this.#delimiterAt(from, true, table)
    if (first !== undefined) return first
    LINE_START.lastIndex = from - this.#base
    for (;;) {
      const found = LINE_START.exec(this.#text)
      const isLast = this.#base + this.#text.length === this.#end
      const tornFrom = this.#text.length - LOOKED_AT_MAX
      if (found === null || (found.index >= tornFrom && !isLast)) {
        if (isLast || this.#outOfTime()) return undefined
        this.#read(this.#base + Math.max(found?.index ?? 0, tornFrom))
        LINE_START.lastIndex = 0
        continue
      }
      const isExact = found[0].startsWith('\n')
      const delimiter = this.#delimiterAt(this.#base + found.index + 1, isExact, table)
      if (delimiter !== undefined) return delimiter
      LINE_START.lastIndex = found.index + 1
    }
  }

  #read(at: number): void {
    this.#base = at
    this.#text = this.#octets
      .slice(at, Math.min(at + WINDOW_BYTES + LOOKED_AT_MAX, this.#end))
      .toString('latin1')
  }

  #delimiterAt(start: number, isExact: boolean, table: BoundaryTable): Delimiter | undefined {
    const at = start - this.#base
    const found = delimiterIn(this.#text.slice(at, at + LOOKED_AT_MAX), table)
    if (found === undefined) return undefined
    const newline = this.#octets.indexOf('\n', start, this.#end)
    const next = newline < 0 ? this.#end : newline + 1
    return { ...found, start, next, exact: found.exact && isExact }
  }
}
