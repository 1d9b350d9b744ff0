/**
 * Patterns of the operator's rules: regular expressions in the syntax of RE2, without backtracking.
 *
 * Node's own expressions backtrack, so one careless pattern and one message take minutes. RE2 (Cox, Regular Expression
 * Matching Can Be Simple And Fast, 2007) takes a time that is at most the product of the lengths of pattern and text;
 * re2js is its port. Patterns and texts are compared in lower case.
 */
import { createRequire } from 'node:module'
import type { RE2Set } from 're2js'

/**
 * Instructions that a pattern may compile to; those of people have some 50. Where a text drives the engine to its
 * slowest, each takes 60 ns for each character: 200 over 20,000 characters take a quarter of a second.
 */
export const PATTERN_SIZE_MAX = 200

/** Bytes in which an engine keeps the states that it has seen, by its own reckoning; two hundred patterns keep 25 MB at most. */
const STATES_BYTES_MAX = 128 * 1024

export interface TextPattern {
  /** In instructions. */
  readonly size: number
  /** Whether it matches anywhere in `text`, which is in lower case. `^` and `$` are the beginning and end of a line. */
  readonly isIn: (text: string) => boolean
}

/** It is loaded with the first pattern: it takes 19 ms and 8 MB, and most services have none. */
let re2: typeof import('re2js') | undefined

/** @throws Error saying what is wrong with `pattern`. */
export function compilePattern(pattern: string): TextPattern {
  re2 ??= createRequire(import.meta.url)('re2js') as typeof import('re2js')
  const { RE2JS, RE2Set } = re2
  const lowered = loweredPattern(pattern)
  // A set of one: only sets have a bound for their states.
  const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.MULTILINE, STATES_BYTES_MAX)
  set.add(lowered)
  set.compile()
  const required = requiredText(lowered)
  return {
    size: set.prog.numInst(),
    isIn: (text) => text.includes(required) && matches(set, text),
  }
}

function matches(set: RE2Set, text: string): boolean {
  return set.match(text).length > 0
}

/**
 * `pattern` in lower case but for what has a meaning in upper case: a character after a backslash, the name of a class
 * of Unicode (`\p{Han}`), and what introduces a group (`(?P<name>`).
 */
function loweredPattern(pattern: string): string {
  let lowered = ''
  for (let at = 0; at < pattern.length; ) {
    const end = Math.max(at + 1, endOfEscape(pattern, at), endOfIntroduction(pattern, at))
    const piece = pattern.slice(at, end)
    lowered += end === at + 1 ? piece.toLowerCase() : piece
    at = end
  }
  return lowered
}

/** The end of the escape that begins at `at`; `at` where none does. */
function endOfEscape(pattern: string, at: number): number {
  if (pattern[at] !== '\\') return at
  const isClass = pattern[at + 1] === 'p' || pattern[at + 1] === 'P'
  if (isClass && pattern[at + 2] === '{') return endAfter(pattern, '}', at)
  return Math.min(pattern.length, at + (isClass ? 3 : 2))
}

/** The end of what follows the parenthesis of a group that begins at `at`; `at` where there is none. */
function endOfIntroduction(pattern: string, at: number): number {
  if (!pattern.startsWith('(?', at)) return at
  let end = at + 2
  while (/[a-zA-Z-]/.test(pattern[end] ?? '')) end++
  return end
}

function endAfter(pattern: string, sign: string, from: number): number {
  const found = pattern.indexOf(sign, from)
  return found < 0 ? pattern.length : found + 1
}

/** What repeats, or makes optional, what stands before it. */
const REPETITIONS = '*?+{'

/** What stands for no character by itself outside of groups, classes and escapes. */
const SIGNS = '.^$)'

/**
 * The longest text that stands in everything that `pattern` matches, as far as a look at it shows; '' where it shows
 * none. Most patterns name a word, and most texts do not have it: looking for it takes a hundredth of the time.
 *
 * Only what stands outside of groups, classes and escapes is looked at.
 */
export function requiredText(pattern: string): string {
  if (pattern.includes('\\Q')) return ''
  let longest = ''
  let run = ''
  const endRun = () => {
    if (run.length > longest.length) longest = run
    run = ''
  }
  for (let at = 0; at < pattern.length; ) {
    const sign = String.fromCodePoint(pattern.codePointAt(at)!)
    if (sign === '|') return ''
    let end = at + sign.length
    if (sign === '\\') {
      // What these stand for is not what is written.
      if (/[xC0-9]/.test(pattern[at + 1] ?? '')) return ''
      end = endOfEscape(pattern, at)
    } else if (sign === '[') end = endOfClass(pattern, at)
    else if (sign === '(') end = endOfGroup(pattern, at)
    else if (REPETITIONS.includes(sign)) {
      if (sign !== '+') run = withoutLast(run)
      end += /^\{\d{1,4}(?:,\d{0,4})?\}/.exec(pattern.slice(at))?.[0].slice(1).length ?? 0
    } else if (!SIGNS.includes(sign)) {
      run += sign
      at = end
      continue
    }
    endRun()
    at = end
  }
  endRun()
  return longest
}

function withoutLast(text: string): string {
  return Array.from(text).slice(0, -1).join('')
}

/** The end of the class in brackets that begins at `start`. */
function endOfClass(pattern: string, start: number): number {
  let at = start + (pattern[start + 1] === '^' ? 2 : 1)
  // A bracket that comes first is one of the characters.
  if (pattern[at] === ']') at++
  while (at < pattern.length && pattern[at] !== ']') {
    if (pattern[at] === '\\') at = endOfEscape(pattern, at)
    else if (pattern.startsWith('[:', at)) at = endAfter(pattern, ':]', at) + 1
    else at++
  }
  return at + 1
}

/** The end of the group that begins at `start`, with all that are in it. */
function endOfGroup(pattern: string, start: number): number {
  let depth = 0
  let at = start
  while (at < pattern.length) {
    const sign = pattern[at]
    if (sign === '\\') at = endOfEscape(pattern, at)
    else if (sign === '[') at = endOfClass(pattern, at)
    else {
      if (sign === '(') depth++
      at++
      if (sign === ')' && --depth === 0) return at
    }
  }
  return at
}
