/**
 * Boundary delimiters (RFC 2046 §5.1.1) of all open multiparts, found in one pass.
 *
 * A delimiter is a line of "--" and the boundary. Readers differ on the rest: some take one that
 * does not begin its line, or one with more text after it. Such a place is found too, marked as
 * not exact, so that the walk can open a second reading there.
 *
 * The pass goes from one run of dashes to the next, in windows, and compares boundaries only
 * there: its time grows with the bytes, not with the nesting.
 */
import { BOUNDARY_LENGTH_MAX, WINDOW_BYTES } from './limits.ts'
import type { Octets } from './octets.ts'

/** A boundary that may delimit what follows. */
export interface Boundary {
  /** Which open multipart it belongs to, 0 the outermost. */
  readonly frame: number
  /** Dashes with which the boundary itself begins. */
  readonly dashes: number
  /** What follows these dashes, at most BOUNDARY_LENGTH_MAX characters of Latin-1. */
  readonly rest: string
  /** Code of the last character of `rest`: most places are told apart by it alone. */
  readonly last: number
  /** True when the boundary is longer and only its beginning is compared. */
  readonly cut: boolean
}

/** A place where a boundary stands. */
export interface Delimiter {
  readonly boundary: Boundary
  /** Offset of its first dash. */
  readonly start: number
  /** Offset of the line after it. */
  readonly next: number
  /** True for the one that ends the multipart: "--" follows. */
  readonly final: boolean
  /** False when it stands inside a line or more text follows. */
  readonly exact: boolean
}

/** A delimiter within one window: offsets count from the window's start. */
type LocalDelimiter = Omit<Delimiter, 'next'> & { readonly end: number }

const DASH = 0x2d
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09

/** Characters that must be in view after a run of dashes: a boundary, "--" and some white space. */
const LOOKAHEAD = BOUNDARY_LENGTH_MAX + 64

export function newBoundary(text: string, frame: number): Boundary {
  const cut = text.length > BOUNDARY_LENGTH_MAX
  const compared = cut ? text.slice(0, BOUNDARY_LENGTH_MAX) : text
  const dashes = leadingDashes(compared, 0)
  const last = compared.charCodeAt(compared.length - 1)
  return { frame, dashes, rest: compared.slice(dashes), last, cut }
}

/** True when `line` delimits one of `boundaries`. */
export function isDelimiterLine(line: string, boundaries: readonly Boundary[]): boolean {
  return delimiterAt(line, 0, leadingDashes(line, 0), true, boundaries)?.exact === true
}

/**
 * The first delimiter from `from`, the start of a line, up to `end`; undefined when there is none
 * or the time is up.
 */
export function nextDelimiter(
  octets: Octets,
  from: number,
  end: number,
  boundaries: readonly Boundary[],
  outOfTime: () => boolean,
): Delimiter | undefined {
  for (let at = from; at < end && (at === from || !outOfTime()); ) {
    const lead = at > from ? 1 : 0
    const base = at - lead
    const stop = Math.min(at + WINDOW_BYTES, end)
    const text = octets.slice(base, stop).toString('latin1')
    const found = searchWindow(text, lead, stop === end, boundaries)
    if (typeof found !== 'number') return placed(octets, found, base, end)
    at = stop === end ? end : base + found
  }
  return undefined
}

function placed(octets: Octets, local: LocalDelimiter, base: number, end: number): Delimiter {
  const newline = octets.indexOf('\n', base + local.end, end)
  return {
    boundary: local.boundary,
    start: base + local.start,
    next: newline < 0 ? end : newline + 1,
    final: local.final,
    exact: local.exact,
  }
}

/**
 * The first delimiter in `text`, or the offset from which the next window goes on. `text` begins
 * a line when `lead` is 0; else its first character is there only to tell.
 */
function searchWindow(
  text: string,
  lead: number,
  isLast: boolean,
  boundaries: readonly Boundary[],
): LocalDelimiter | number {
  let run = text.indexOf('--', lead)
  while (run >= 0) {
    const runEnd = run + leadingDashes(text, run)
    if (!isLast && runEnd + LOOKAHEAD > text.length) {
      return Math.max(run, text.length - 2 * LOOKAHEAD)
    }
    const startsLine = run === 0 ? lead === 0 : text.charCodeAt(run - 1) === LF
    const found = delimiterAt(text, run, runEnd, startsLine, boundaries)
    if (found !== undefined) return found
    run = text.indexOf('--', runEnd)
  }
  return text.length - 1
}

/** The delimiter at a run of dashes; an exact one is preferred, then the innermost. */
function delimiterAt(
  text: string,
  run: number,
  runEnd: number,
  startsLine: boolean,
  boundaries: readonly Boundary[],
): LocalDelimiter | undefined {
  let inexact: LocalDelimiter | undefined
  for (let index = boundaries.length - 1; index >= 0; index--) {
    const found = matched(text, run, runEnd, startsLine, boundaries[index]!)
    if (found?.exact) return found
    inexact ??= found
  }
  return inexact
}

function matched(
  text: string,
  run: number,
  runEnd: number,
  startsLine: boolean,
  boundary: Boundary,
): LocalDelimiter | undefined {
  if (boundary.rest === '') return matchedDashes(text, run, runEnd, startsLine, boundary)
  const end = runEnd + boundary.rest.length
  if (text.charCodeAt(end - 1) !== boundary.last) return undefined
  const start = runEnd - boundary.dashes - 2
  if (start < run || !text.startsWith(boundary.rest, runEnd)) return undefined
  const final = text.startsWith('--', end)
  return shaped(text, boundary, start, final ? end + 2 : end, final, startsLine && start === run)
}

/** A boundary of nothing but dashes: the whole run is the delimiter. */
function matchedDashes(
  text: string,
  run: number,
  runEnd: number,
  startsLine: boolean,
  boundary: Boundary,
): LocalDelimiter | undefined {
  const extra = runEnd - run - 2 - boundary.dashes
  if (extra !== 0 && extra !== 2) return undefined
  return shaped(text, boundary, run, runEnd, extra === 2, startsLine)
}

/** Decides by what stands around a match whether it is exact, inexact, or none. */
function shaped(
  text: string,
  boundary: Boundary,
  start: number,
  end: number,
  final: boolean,
  startsLine: boolean,
): LocalDelimiter | undefined {
  const endsLine = boundary.cut || isBlankToLineEnd(text, end)
  const exact = startsLine && endsLine
  if (!exact && !endsLine && !(startsLine && isBlank(text.charCodeAt(end)))) return undefined
  return { boundary, start, end, final, exact }
}

function isBlankToLineEnd(text: string, from: number): boolean {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at >= text.length || text.charCodeAt(at) === LF || text.charCodeAt(at) === CR
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

function leadingDashes(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) === DASH) at++
  return at - from
}
