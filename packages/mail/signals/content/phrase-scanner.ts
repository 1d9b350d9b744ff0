/**
 * Finds many phrases in a text at once, in one pass: the automaton of Aho and Corasick (1975).
 *
 * The phrases form a tree of letters. While the text is read, the state is the longest end of what
 * was read that begins some phrase; where the next letter does not continue it, the automaton
 * falls back to the next shorter one. All that is worked out beforehand, so that every letter
 * costs one look-up in a table, however many phrases there are. Regular expressions with
 * hundreds of alternatives try them one after the other.
 *
 * A phrase is written in lower case and found in any case; a space in it stands for any one white
 * space. A phrase that begins with a letter is found only where a word begins. A phrase that ends
 * with `|` is found only where a word ends.
 */
import { DIGIT, kindsOf, SPACE, scriptIndex } from '../characters.ts'
import { codeUnits } from '../code-units.ts'

export interface PhraseMatch {
  readonly start: number
  /** Behind the last character. */
  readonly end: number
}

/** Matches kept of one group. What a group says, it says by then. */
const MATCHES_MAX = 20

interface Phrase {
  readonly group: number
  readonly length: number
  readonly atWordStart: boolean
  readonly atWordEnd: boolean
}

/** The class of all characters that are in no phrase. */
const OTHER = 0

/** A function that finds the phrases of each group in a text: group -> matches in order of their ends. */
export function phraseScanner<Group extends string>(
  groups: Readonly<Record<Group, readonly string[]>>,
): (text: string) => ReadonlyMap<Group, readonly PhraseMatch[]> {
  const names = Object.keys(groups) as Group[]
  const automaton = buildAutomaton(names.map((name) => groups[name]))
  return (text) => {
    const found = new Map<Group, PhraseMatch[]>()
    scan(automaton, text, (group, match) => {
      const name = names[group]!
      const matches = found.get(name)
      if (matches === undefined) found.set(name, [match])
      else if (matches.length < MATCHES_MAX) matches.push(match)
    })
    return found
  }
}

interface Automaton {
  /** Class of each code unit. */
  readonly classes: Uint8Array
  readonly classCount: number
  /** Next state by state and class. Shape (states, classCount). */
  readonly next: Uint16Array
  /** 1 for the states in which phrases end. */
  readonly isEnd: Uint8Array
  /** Phrases that end in each state; undefined for none. */
  readonly phrasesOf: readonly (readonly Phrase[] | undefined)[]
}

function scan(
  { classes, classCount, next, isEnd, phrasesOf }: Automaton,
  text: string,
  onMatch: (group: number, match: PhraseMatch) => void,
): void {
  const units = codeUnits(text)
  let state = 0
  for (let at = 0; at < text.length; at += 1) {
    state = next[state * classCount + classes[units[at]!]!]!
    if (isEnd[state] === 0) continue
    for (const phrase of phrasesOf[state]!) {
      const end = at + 1
      const start = end - phrase.length
      if (phrase.atWordStart && start > 0 && isWordUnit(units[start - 1]!)) continue
      if (phrase.atWordEnd && end < text.length && isWordUnit(units[end]!)) continue
      onMatch(phrase.group, { start, end })
    }
  }
}

function isWordUnit(unit: number): boolean {
  return scriptIndex(unit) !== 0 || (kindsOf(unit) & DIGIT) !== 0
}

function buildAutomaton(groups: readonly (readonly string[])[]): Automaton {
  const { classes, classCount } = classify(groups.flat().join(''))
  const children: Map<number, number>[] = [new Map()]
  const phrasesOf: (Phrase[] | undefined)[] = [undefined]

  groups.forEach((phrases, group) => {
    for (const written of phrases) {
      const atWordEnd = written.endsWith('|')
      const phrase = atWordEnd ? written.slice(0, -1) : written
      let state = 0
      for (let at = 0; at < phrase.length; at += 1) {
        const kind = classes[phrase.charCodeAt(at)]!
        let child = children[state]!.get(kind)
        if (child === undefined) {
          child = children.push(new Map()) - 1
          phrasesOf.push(undefined)
          children[state]!.set(kind, child)
        }
        state = child
      }
      const ending = { group, length: phrase.length, atWordStart: beginsWord(phrase), atWordEnd }
      phrasesOf[state] = [...(phrasesOf[state] ?? []), ending]
    }
  })
  const next = connect(children, phrasesOf, classCount)
  const isEnd = Uint8Array.from(phrasesOf, (phrases) => (phrases === undefined ? 0 : 1))
  return { classes, classCount, next, isEnd, phrasesOf }
}

/** Scripts that put no space between words have no beginning of a word to look for. */
function beginsWord(phrase: string): boolean {
  const unit = phrase.charCodeAt(0)
  return scriptIndex(unit) !== 0 && unit < FIRST_UNSPACED
}

/** From here on lie Thai, kana, Han and Hangul; the alphabets with word spaces before it. */
const FIRST_UNSPACED = 0xe00

/** Every character of `letters` in a class of its own, with its capital; white space in one. */
function classify(letters: string): { classes: Uint8Array; classCount: number } {
  const classes = new Uint8Array(0x10000).fill(OTHER)
  let classCount = 1
  for (const letter of new Set(letters)) {
    const unit = letter.charCodeAt(0)
    const kind = classCount
    classCount += 1
    classes[unit] = kind
    const capital = letter.toUpperCase()
    if (capital.length === 1) classes[capital.charCodeAt(0)] = kind
    if (letter === ' ') {
      for (let space = 0; space < classes.length; space += 1) {
        if ((kindsOf(space) & SPACE) !== 0) classes[space] = kind
      }
    }
    if (letter === "'") classes[0x2019] = kind
  }
  if (classCount > 0x100) throw new RangeError(`${classCount} different characters in phrases`)
  return { classes, classCount }
}

/** The table of next states, breadth first; phrases that end others are added to those. */
function connect(
  children: readonly Map<number, number>[],
  phrasesOf: (Phrase[] | undefined)[],
  classCount: number,
): Uint16Array {
  if (children.length > 0x10000) throw new RangeError(`${children.length} states of phrases`)
  const next = new Uint16Array(children.length * classCount)
  const fallback = new Uint16Array(children.length)
  const queue = [0]
  for (const state of queue) {
    const other = fallback[state]!
    for (let kind = 0; kind < classCount; kind += 1) {
      const child = children[state]!.get(kind)
      const fallen = state === 0 ? 0 : next[other * classCount + kind]!
      next[state * classCount + kind] = child ?? fallen
      if (child === undefined) continue
      fallback[child] = fallen
      const endings = phrasesOf[fallen]
      if (endings !== undefined) phrasesOf[child] = [...(phrasesOf[child] ?? []), ...endings]
      queue.push(child)
    }
  }
  return next
}
