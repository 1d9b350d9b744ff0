/**
 * Which of the operator's rules have all their texts in a message. It is asked where the message is analysed, and the answer is
 * plain data.
 *
 * Texts and rules are compared in lower case, with full-width and other variants of letters resolved (NFKC, UAX #15), and
 * without characters that are not seen. Patterns are in the syntax of RE2, whose time is at most the product of the lengths of
 * pattern and text (Cox, Regular Expression Matching Can Be Simple And Fast, 2007): Node's own expressions backtrack, so one
 * careless pattern and one message would take minutes.
 */
import { createRequire } from 'node:module'
import type { Message } from '../message/message.ts'
import { streamSafe } from '../signals/characters.ts'
import { linkTargets } from '../signals/link-targets.ts'
import { readerText, subjectOf, TEXT_LENGTH_MAX } from '../signals/text.ts'
import type { Rule, TextCondition } from './rule.ts'

/** The texts of a rule that is to be compared with a message, and its place in the index. */
export interface TextRule extends Pick<Rule, 'texts'> {
  readonly at: number
}

export interface TextMatches {
  /** The places of the rules whose texts all stand in the message. */
  readonly held: readonly number[]
  /** True when the time was used up before all were compared. */
  readonly isCut?: true
}

/**
 * Milliseconds for the texts of one message: two hundred rules take 3, and 60 where each is a pattern that names no word.
 * Stops patterns, and a message that is slow to compare with them, from holding up other mail.
 */
const TEXTS_MS_MAX = 200

/** @param now a clock in milliseconds. */
export function textMatches(
  message: Message,
  rules: readonly TextRule[],
  now: () => number,
): TextMatches {
  const texts = new Map<string, ComparedText | undefined>()
  const stands = (condition: TextCondition) => {
    const name = `${condition.part} ${condition.field}`
    if (!texts.has(name)) texts.set(name, comparedText(message, condition))
    return standsIn(texts.get(name), condition)
  }
  const held: number[] = []
  const end = now() + TEXTS_MS_MAX
  for (const rule of rules) {
    let holds = true
    for (const condition of rule.texts) {
      // Before each condition, not each rule: a pattern may take a quarter of a second.
      if (now() > end) return { held, isCut: true }
      holds = stands(condition)
      if (!holds) break
    }
    if (holds) held.push(rule.at)
  }
  return { held }
}

/** A text in the two forms in which it is compared. */
interface ComparedText {
  /** For patterns: lines are lines. */
  readonly lines: string
  /** For words: all white space is one space. */
  readonly words: string
}

/** Characters of each text: as much as is analysed of the visible text. */
const COMPARED_LENGTH_MAX = TEXT_LENGTH_MAX

/** Characters of the address of a link; of all there are COMPARED_LENGTH_MAX. */
const ADDRESS_LENGTH_MAX = 500

/** The text that a condition is about, each link and each field on a line; undefined where the message has none of the kind. */
function comparedText(message: Message, { part, field }: TextCondition): ComparedText | undefined {
  const isBody = part === 'body'
  const found = isBody ? [readerText(message)] : unfoldedIn(message, part, field)
  if (found.length === 0) return undefined
  const text = isBody ? found[0]!.replace(/\r\n?/g, '\n') : found.join('\n')
  const lines = compared(text.slice(0, COMPARED_LENGTH_MAX))
  return { lines, words: lines.replace(WHITE_SPACE, ' ') }
}

function unfoldedIn(
  message: Message,
  part: Exclude<TextCondition['part'], 'body'>,
  field: string | undefined,
): string[] {
  const bodies = () => message.fields.filter(({ name }) => name === field).map(({ body }) => body)
  const found = {
    subject: () => [subjectOf(message)],
    link: () => addressesOf(message),
    header: bodies,
  }
  return found[part]().map((text) => text.slice(0, COMPARED_LENGTH_MAX).replace(/[\r\n]/g, ' '))
}

/** Hosts come first: a rule is mostly about one, and they all have room before the longest addresses. */
function addressesOf(message: Message): string[] {
  const targets = linkTargets(message)
  const hosts = targets.map(({ host }) => host).filter((host) => host !== '')
  return [...new Set([...hosts, ...targets.map(({ href }) => href.slice(0, ADDRESS_LENGTH_MAX))])]
}

const NOT_ASCII = /[^\x00-\x7f]/

/** Soft hyphens, zero-width characters and the like (UAX #44): they split words without being seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

const WHITE_SPACE = /\s+/g

/** One of a few characters becomes many under NFKC, so the length is bounded before and after. */
function compared(text: string): string {
  const plain = NOT_ASCII.test(text)
    ? streamSafe(text.replace(INVISIBLE, '')).normalize('NFKC')
    : text
  return plain.toLowerCase().slice(0, COMPARED_LENGTH_MAX)
}

/** Words as a rule has them in the form in which a text is compared. */
export function comparedWords(words: string): string {
  return compared(words).replace(WHITE_SPACE, ' ').trim()
}

function standsIn(text: ComparedText | undefined, { words, pattern }: TextCondition): boolean {
  if (text === undefined) return false
  return words === undefined ? patternOf(pattern!).isIn(text.lines) : containsWords(text, words)
}

/** What a word is made of, in scripts that write spaces between words: between two such characters no word begins or ends. */
const OF_WORD =
  /[[\p{L}\p{M}\p{N}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]/v

/** Whether `words`, as comparedWords gives them, stand in `text` as whole words. */
function containsWords({ words: text }: ComparedText, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (isEdge(text, at) && isEdge(text, at + words.length)) return true
  }
  return false
}

/** Whether a word may begin or end before the character at `at`. */
function isEdge(text: string, at: number): boolean {
  const isPair = /[\udc00-\udfff]/.test(text[at - 1] ?? '') && at > 1
  const before = text.slice(isPair ? at - 2 : Math.max(0, at - 1), at)
  const after = at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ''
  return !OF_WORD.test(before) || !OF_WORD.test(after)
}

/** Compiled patterns that are kept: twice what two texts of rules may have, since a thread gets copies of rules. */
const PATTERNS_KEPT_MAX = 1_000

const compiled = new Map<string, TextPattern>()

function patternOf(text: string): TextPattern {
  const known = compiled.get(text)
  if (known !== undefined) return known
  if (compiled.size >= PATTERNS_KEPT_MAX) compiled.clear()
  const pattern = compilePattern(text)
  compiled.set(text, pattern)
  return pattern
}

/**
 * Instructions that a pattern may compile to; those of people have some 50. Where a text drives the engine to its
 * slowest, each takes 60 ns for each character: 200 over 20,000 characters take a quarter of a second.
 */
export const PATTERN_SIZE_MAX = 200

/** Bytes in which an engine keeps the states that it has seen, by its own reckoning; two hundred patterns keep 25 MB at most. */
const STATES_BYTES_MAX = 128 * 1024

interface TextPattern {
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
  const flags = RE2JS.MULTILINE | RE2JS.CASE_INSENSITIVE
  // A set of one: only sets have a bound for their states.
  const set = new RE2Set(RE2Set.UNANCHORED, flags, STATES_BYTES_MAX)
  set.add(pattern)
  set.compile()
  const required = requiredText(pattern)
  return {
    size: set.prog.numInst(),
    isIn: (text) => text.includes(required) && set.match(text).length > 0,
  }
}

/** What is not itself in what a pattern matches: classes, escapes, signs, and a character that is optional. Nothing is looked at from a group on. */
const NOT_ITSELF =
  /\\[pP](?:\{[^}]*\}|.)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|[[(].*|.(?:[*?]|\{[\d,]*\}?)|\{[\d,]*\}?|[.^$+*?]/su

/**
 * The longest text that stands in everything that `pattern` matches, in lower case, as far as a look at it shows; '' where it
 * shows none. Most patterns name a word, and most texts do not have it: looking for it takes a hundredth of the time.
 */
export function requiredText(pattern: string): string {
  // Alternatives, and escapes that stand for another character.
  if (/\||\\[QxC0-9]/.test(pattern)) return ''
  const texts = pattern.replace(/^\(\?[a-z]+\)/, '').split(NOT_ITSELF)
  const longest = texts.reduce((most, text) => (text.length > most.length ? text : most), '')
  return Array.from(longest, (character) => character.toLowerCase()).join('')
}
