/**
 * Boundary delimiters (RFC 2046 §5.1.1) of all open multiparts, found in one pass.
 *
 * A delimiter is a line of "--" and the boundary. Mail programs differ on the rest: some accept a
 * delimiter inside a line, or with more text after it. Such places are found too and marked as not
 * exact, so that the walk can open a second reading there.
 *
 * The pass goes, window by window, from one line with two dashes in it to the next, and compares
 * boundaries at the two places of a line where a delimiter can be: its end and its beginning. Time
 * grows with the number of lines, not with the dashes in them.
 */
import { BOUNDARY_LENGTH_MAX, WINDOW_BYTES } from './limits.ts'
import type { Octets } from './octets.ts'

/** A boundary that may delimit what follows. */
export interface Boundary {
  /** Which open multipart it belongs to, 0 the outermost. */
  readonly frame: number
  /** At most BOUNDARY_LENGTH_MAX characters of Latin-1. */
  readonly text: string
  /** True for a boundary of dashes only: with more dashes beside it, it is another boundary. */
  readonly dashes: boolean
  /** True when the boundary is longer; then only its beginning is compared, at the start of lines. */
  readonly cut: boolean
}

/** Boundaries prepared for the search: a place in a line is compared with all boundaries of one length at once. */
export interface BoundaryTable {
  /** The boundaries by length, ascending; of equal boundaries the innermost. */
  readonly lengths: readonly {
    readonly length: number
    readonly byText: ReadonlyMap<string, Boundary>
  }[]
  readonly cut: readonly Boundary[]
  /** The length of the shortest boundary. */
  readonly lengthMin: number
  /** 1 at the place (`endPlace`) of the last two characters of each delimiter, dashes included. */
  readonly ends: Uint8Array
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
  /** False when it stands inside a line or more text follows. */
  readonly exact: boolean
}

/** A delimiter within one window: offsets count from the window's start. */
type LocalDelimiter = Omit<Delimiter, 'next'>

/** A line, or a stretch of a line that ends in a bare CR, from its first two dashes on. */
interface Piece {
  readonly text: string
  readonly start: number
  /** Offset of the line end, or of the end of the text. */
  readonly end: number
  /** Where the blanks before `end` begin; `start` where the end is not known. */
  readonly contentEnd: number
  readonly startsLine: boolean
}

const DASH = 0x2d
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09

/** Places for the last two characters of delimiters. A power of two. */
const END_PLACES = 4_096

/** Characters that are looked at one by one for two dashes, which is quicker than the call of a search. */
const NEAR_CHARACTERS = 32

/** Characters kept when a line is longer than a window: room for a delimiter at its end, and some white space. */
const OVERLAP = 2 * (BOUNDARY_LENGTH_MAX + 64)

export function newBoundary(text: string, frame: number): Boundary {
  const cut = text.length > BOUNDARY_LENGTH_MAX
  return {
    frame,
    text: cut ? text.slice(0, BOUNDARY_LENGTH_MAX) : text,
    dashes: /^-*$/.test(text),
    cut,
  }
}

/** That of no boundaries. */
export const NO_BOUNDARIES = boundaryTable([])

/** The table for `boundaries`, which are given outermost first. */
export function boundaryTable(boundaries: readonly Boundary[]): BoundaryTable {
  const byLength = Map.groupBy(
    boundaries.filter(({ cut }) => !cut),
    ({ text }) => text.length,
  )
  const ends = new Uint8Array(END_PLACES)
  for (const { text } of boundaries) ends[endPlace(`--${text}`, text.length + 2)] = 1
  return {
    lengths: [...byLength]
      .map(([length, alike]) => ({
        length,
        byText: new Map(alike.map((boundary) => [boundary.text, boundary])),
      }))
      .sort((a, b) => a.length - b.length),
    cut: boundaries.filter(({ cut }) => cut),
    lengthMin: boundaries.reduce(
      (least, { text }) => Math.min(least, text.length),
      BOUNDARY_LENGTH_MAX,
    ),
    ends,
  }
}

/** Where in `ends` the two characters before `end` are. */
function endPlace(text: string, end: number): number {
  return ((text.charCodeAt(end - 2) << 5) ^ text.charCodeAt(end - 1)) & (END_PLACES - 1)
}

/** Whether `line`, a whole line, holds a delimiter of the table; inexact ones count only if `inexact`. */
export function isDelimiterLine(line: string, table: BoundaryTable, inexact: boolean): boolean {
  const found = searchWindow(line, 0, true, true, table)
  return typeof found !== 'number' && (found.exact || inexact)
}

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
    for (let at = from; at < this.#end; ) {
      const isLast = this.#base + this.#text.length === this.#end
      const found = searchWindow(this.#text, at - this.#base, at === from, isLast, table)
      if (typeof found !== 'number') return this.#placed(found)
      if (isLast || this.#outOfTime()) return undefined
      at = this.#base + found
      this.#read(at)
    }
    return undefined
  }

  /** Reads a window from `at` on, and the character before it, which tells whether a line begins at `at`. */
  #read(at: number): void {
    this.#base = Math.max(0, at - 1)
    const stop = Math.min(at + WINDOW_BYTES, this.#end)
    this.#text = this.#octets.slice(this.#base, stop).toString('latin1')
  }

  #placed(local: LocalDelimiter): Delimiter {
    const newline = this.#text.indexOf('\n', local.start)
    return {
      boundary: local.boundary,
      start: this.#base + local.start,
      final: local.final,
      exact: local.exact,
      next: newline < 0 ? this.#afterLine(local.start) : this.#base + newline + 1,
    }
  }

  #afterLine(localStart: number): number {
    const newline = this.#octets.indexOf('\n', this.#base + localStart, this.#end)
    return newline < 0 ? this.#end : newline + 1
  }
}

/**
 * The first delimiter in `text` from `from` on, or the offset from which the next window goes on.
 *
 * @param isLast false where more follows `text`.
 */
function searchWindow(
  text: string,
  from: number,
  fromStartsLine: boolean,
  isLast: boolean,
  table: BoundaryTable,
): LocalDelimiter | number {
  let end = from
  for (;;) {
    const start = dashesFrom(text, end)
    if (start < 0) return text.length - 1
    end = pieceEnd(text, start)
    const isTorn = end === text.length && !isLast
    if (isTorn && start > 1) return start
    if (end - start - 2 < table.lengthMin) continue
    const startsLine = (start === from && fromStartsLine) || isLineStart(text, start)
    // The end of a torn line is still to come: only the start of a line longer than a window is known.
    const contentEnd = isTorn ? start : contentEndOf(text, start, end)
    const found = delimiterIn({ text, start, end, contentEnd, startsLine }, table)
    if (found !== undefined) return found
    if (isTorn) return text.length - OVERLAP
  }
}

/** Where two dashes next stand in `text`, at `from` or after; -1 when nowhere. */
function dashesFrom(text: string, from: number): number {
  const near = Math.min(from + NEAR_CHARACTERS, text.length - 1)
  for (let at = from; at < near; at++) if (isDashes(text, at)) return at
  return text.indexOf('--', near)
}

function isLineStart(text: string, at: number): boolean {
  return at > 0 && text.charCodeAt(at - 1) === LF
}

function pieceEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== LF && text.charCodeAt(at) !== CR) at++
  return at
}

function contentEndOf(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isBlank(text.charCodeAt(at - 1))) at--
  return at
}

/**
 * The delimiter in a piece: an exact one before others, then the first, then the innermost.
 *
 * Most pieces have none, and a message can have millions of them with 32 lengths to try: what one
 * or two characters rule out is ruled out before anything is called.
 */
function delimiterIn(piece: Piece, table: BoundaryTable): LocalDelimiter | undefined {
  const { text, start, end, contentEnd, startsLine } = piece
  const { lengths, cut, ends } = table
  const room = end - start - 2
  const mayEnd = ends[endPlace(text, contentEnd)] === 1
  const mayBeFinal =
    contentEnd >= start + 4 &&
    isDashes(text, contentEnd - 2) &&
    ends[endPlace(text, contentEnd - 2)] === 1
  if (!mayEnd && !mayBeFinal && !startsLine) return undefined
  let best: LocalDelimiter | undefined
  for (const { length, byText } of lengths) {
    if (length > room) break
    if (mayEnd && text.charCodeAt(contentEnd - length - 2) === DASH) {
      best = better(best, ending(piece, contentEnd, length, byText, false))
    }
    if (mayBeFinal) best = better(best, ending(piece, contentEnd - 2, length, byText, true))
    if (startsLine && mayEndAt(text, start + 2 + length)) {
      best = better(best, beginning(piece, length, byText))
    }
  }
  for (const boundary of cut) best = better(best, beginningCut(piece, boundary))
  return best
}

/** Whether a boundary that ends at `at` can be followed by a blank: by one, or by dashes before it. */
function mayEndAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === DASH || isBlank(code)
}

function better(
  one: LocalDelimiter | undefined,
  other: LocalDelimiter | undefined,
): LocalDelimiter | undefined {
  if (one === undefined || other === undefined) return one ?? other
  if (one.exact !== other.exact) return one.exact ? one : other
  if (one.start !== other.start) return one.start < other.start ? one : other
  return one.boundary.frame > other.boundary.frame ? one : other
}

/** The delimiter that ends at `end`, for a boundary of that length. */
function ending(
  piece: Piece,
  end: number,
  length: number,
  byText: ReadonlyMap<string, Boundary>,
  final: boolean,
): LocalDelimiter | undefined {
  const { text } = piece
  const start = end - length - 2
  if (start < piece.start || !isDashes(text, start)) return undefined
  const boundary = byText.get(text.slice(start + 2, end))
  if (boundary === undefined) return undefined
  const begins = start === piece.start
  if (boundary.dashes && !begins && text.charCodeAt(start - 1) === DASH) return undefined
  return { boundary, start, final, exact: begins && piece.startsLine }
}

/** The delimiter at the beginning of its line, for a boundary of that length, followed by a blank and more text. */
function beginning(
  { text, start }: Piece,
  length: number,
  byText: ReadonlyMap<string, Boundary>,
): LocalDelimiter | undefined {
  const end = start + 2 + length
  const final = isDashes(text, end)
  if (!isBlank(text.charCodeAt(final ? end + 2 : end))) return undefined
  const boundary = byText.get(text.slice(start + 2, end))
  return boundary && { boundary, start, final, exact: false }
}

function beginningCut(piece: Piece, boundary: Boundary): LocalDelimiter | undefined {
  const { text, start, startsLine } = piece
  if (!startsLine || !text.startsWith(boundary.text, start + 2)) return undefined
  return { boundary, start, final: false, exact: true }
}

function isDashes(text: string, at: number): boolean {
  return text.charCodeAt(at) === DASH && text.charCodeAt(at + 1) === DASH
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}
