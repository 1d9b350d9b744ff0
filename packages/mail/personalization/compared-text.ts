/**
 * The texts of a message that the operator's rules look into, and how: in lower case, with full-width and other
 * variants of letters resolved (NFKC, UAX #15), and without characters that are not seen. Each is bounded.
 */
import type { Message } from '../message/message.ts'
import { streamSafe } from '../signals/characters.ts'
import { linkTargets } from '../signals/link-targets.ts'
import { readerText, subjectOf, TEXT_LENGTH_MAX } from '../signals/text.ts'

/** Characters of each text: as much as is analysed of the visible text. */
const COMPARED_LENGTH_MAX = TEXT_LENGTH_MAX

/** Characters of the address of a link; of all there are COMPARED_LENGTH_MAX. */
const ADDRESS_LENGTH_MAX = 500

const NOT_ASCII = /[^\x00-\x7f]/

/** Soft hyphens, zero-width characters and the like (UAX #44): they split words without being seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

const LINE_END = /\r\n?/g
const LINE_BREAK = /[\r\n]/g
const WHITE_SPACE = /\s+/g

/** A text in the two forms in which it is compared. */
export interface ComparedText {
  /** For patterns: lines are lines. */
  readonly lines: string
  /** For words: all white space is one space. */
  readonly words: string
}

/** The texts of one message, each made when it is first asked for. Undefined where the message has none of the kind. */
export interface ComparedTexts {
  subject(): ComparedText
  text(): ComparedText
  /** The hosts of all links, and their addresses, each on a line. */
  links(): ComparedText | undefined
  /** The fields of that name, each on a line. @param name in lower case. */
  header(name: string): ComparedText | undefined
}

export function comparedTexts(message: Message): ComparedTexts {
  const headers = new Map<string, ComparedText | undefined>()
  return {
    subject: once(() => comparedText(subjectOf(message).replace(LINE_BREAK, ' '))),
    text: once(() => comparedText(readerText(message).replace(LINE_END, '\n'))),
    links: once(() => eachOnALine(linesOfLinks(message))),
    header: (name) => {
      if (!headers.has(name)) headers.set(name, eachOnALine(bodiesOf(message, name)))
      return headers.get(name)
    },
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Hosts come first: a rule is mostly about one, and they all have room before the longest addresses. */
function linesOfLinks(message: Message): string[] {
  const targets = linkTargets(message)
  const hosts = targets.map(({ host }) => host).filter((host) => host !== '')
  return [...new Set([...hosts, ...targets.map(({ href }) => href.slice(0, ADDRESS_LENGTH_MAX))])]
}

function bodiesOf({ fields }: Message, name: string): string[] {
  return fields
    .filter((field) => field.name === name)
    .map(({ body }) => body.slice(0, COMPARED_LENGTH_MAX))
}

function eachOnALine(lines: readonly string[]): ComparedText | undefined {
  if (lines.length === 0) return undefined
  return comparedText(lines.map((line) => line.replace(LINE_BREAK, ' ')).join('\n'))
}

function comparedText(text: string): ComparedText {
  const lines = compared(text.slice(0, COMPARED_LENGTH_MAX))
  return { lines, words: lines.replace(WHITE_SPACE, ' ') }
}

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

/** What a word is made of: beside another such character no word begins or ends. */
const OF_WORD = /[\p{L}\p{M}\p{N}_]/u

/** Scripts that write words without spaces between them: there each character may begin or end one. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether `words`, as comparedWords gives them, stand in `text` as whole words. */
export function containsWords({ words: text }: ComparedText, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length
    const begins = isBetweenWords(characterBefore(text, at), characterAt(words, 0))
    if (begins && isBetweenWords(characterBefore(words, words.length), characterAt(text, end))) {
      return true
    }
  }
  return false
}

function isBetweenWords(left: string, right: string): boolean {
  if (!OF_WORD.test(left) || !OF_WORD.test(right)) return true
  return UNSPACED.test(left) || UNSPACED.test(right)
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

function characterBefore(text: string, end: number): string {
  const isPair = /[\udc00-\udfff]/.test(text[end - 1] ?? '') && end > 1
  return text.slice(isPair ? end - 2 : Math.max(0, end - 1), end)
}
