/**
 * Finds many phrases in a text at once, in one pass: the automaton of Aho and Corasick (1975).
 *
 * The phrases form a tree of letters. While the text is read, the state is the longest end of what
 * was read that begins some phrase; where the next letter does not continue it, the automaton
 * falls back to the next shorter one. That is worked out beforehand, so that every letter costs
 * two steps at most on average, however many phrases there are. Regular expressions with hundreds of
 * alternatives try them one after the other.
 *
 * A table of all states by all letters would have tens of megabytes, and nearly all of it empty. It is
 * made for the first states and the most frequent letters, where nearly all letters of a text lead: there
 * one costs a single look-up. The rows of all states, without fallbacks, are laid over each other, so that
 * each entry falls into a hole of the others (Tarjan and Yao, 1979).
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
  readonly atWordEnd: boolean
}

/** The class of all letters and digits that are in no phrase, and that of all other such characters. */
const OTHER_IN_WORD = 0
const OTHER = 1

/** The states of no phrase: between words and in a word, where no phrase of letters may begin. */
const BETWEEN_WORDS = 0
const IN_WORD = 1

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

/** Bits of a state in an entry. */
const STATE_BITS = 16
const STATE_MASK = 0xffff

/** States and classes for which next states are kept in a table: all beginnings of four letters, and the letters of which nearly all texts consist. 512 kB. */
const DENSE_STATES = 4_096
const DENSE_CLASSES = 64

interface Automaton {
  /** Class of each code unit. */
  readonly classes: Uint16Array
  /** Next state of the first states by the first classes. Shape (DENSE_STATES, DENSE_CLASSES). */
  readonly dense: Uint16Array
  /** Where the row of each state begins in `entries`. */
  readonly rows: Uint32Array
  /** The state to which an entry belongs in the upper half, its next state in the lower. */
  readonly entries: Uint32Array
  /** The state of the longest shorter end, by state. */
  readonly fallbacks: Uint16Array
  /** 1 for the states in which phrases end. */
  readonly isEnd: Uint8Array
  /** Phrases that end in each state; undefined for none. */
  readonly phrasesOf: readonly (readonly Phrase[] | undefined)[]
}

function scan(
  automaton: Automaton,
  text: string,
  onMatch: (group: number, match: PhraseMatch) => void,
): void {
  const { classes, dense, rows, entries, fallbacks, isEnd, phrasesOf } = automaton
  const units = codeUnits(text)
  const { length: textLength } = text
  let state = BETWEEN_WORDS
  for (let at = 0; at < textLength; at += 1) {
    const kind = classes[units[at]!]!
    if (state < DENSE_STATES && kind < DENSE_CLASSES) {
      state = dense[state * DENSE_CLASSES + kind]!
    } else {
      // Each fallback takes back a letter that was gone forward: two steps a letter at most.
      let entry = entries[rows[state]! + kind]!
      while (entry >>> STATE_BITS !== state) {
        state = fallbacks[state]!
        entry = entries[rows[state]! + kind]!
      }
      state = entry & STATE_MASK
    }
    if (isEnd[state] === 0) continue
    for (const { group, length, atWordEnd } of phrasesOf[state]!) {
      const end = at + 1
      if (atWordEnd && end < textLength && isWordUnit(units[end]!)) continue
      onMatch(group, { start: end - length, end })
    }
  }
}

function isWordUnit(unit: number): boolean {
  return scriptIndex(unit) !== 0 || (kindsOf(unit) & DIGIT) !== 0
}

/** Next states by class, for each state: those of its own row, without fallbacks. */
type Rows = readonly Map<number, number>[]

function buildAutomaton(groups: readonly (readonly string[])[]): Automaton {
  const { classes, representatives } = classify(groups.flat().join(''))
  const { children, phrasesOf } = growTree(groups, classes)
  completeRoots(children, representatives)
  const fallbacks = connect(children, representatives, phrasesOf)
  return {
    classes,
    dense: denseTable(children, fallbacks),
    ...layRows(children, representatives.length),
    fallbacks,
    isEnd: Uint8Array.from(phrasesOf, (phrases) => (phrases === undefined ? 0 : 1)),
    phrasesOf,
  }
}

/** The tree of the phrases, level by level, so that the first states are the shortest beginnings. */
function growTree(groups: readonly (readonly string[])[], classes: Uint16Array) {
  const children = [new Map<number, number>(), new Map<number, number>()]
  const phrasesOf: (Phrase[] | undefined)[] = [undefined, undefined]
  let growing = groups.flatMap((phrases, group) =>
    phrases.map((written) => {
      const atWordEnd = written.endsWith('|')
      return { group, letters: atWordEnd ? written.slice(0, -1) : written, atWordEnd, state: 0 }
    }),
  )
  for (let length = 1; growing.length > 0; length += 1) {
    for (const phrase of growing) {
      const kind = classes[phrase.letters.charCodeAt(length - 1)]!
      let child = children[phrase.state]!.get(kind)
      if (child === undefined) {
        child = children.push(new Map()) - 1
        phrasesOf.push(undefined)
        children[phrase.state]!.set(kind, child)
      }
      phrase.state = child
      if (phrase.letters.length > length) continue
      const { group, atWordEnd } = phrase
      phrasesOf[child] = [...(phrasesOf[child] ?? []), { group, length, atWordEnd }]
    }
    growing = growing.filter(({ letters }) => letters.length > length)
  }
  if (children.length > STATE_MASK) throw new RangeError(`${children.length} states of phrases`)
  return { children, phrasesOf }
}

/** Gives the states of no phrase a next state for every class, so that all fallbacks end there. */
function completeRoots(children: Rows, representatives: readonly number[]): void {
  representatives.forEach((unit, kind) => {
    const none = rootBehind(unit)
    const first = children[BETWEEN_WORDS]!.get(kind) ?? none
    children[BETWEEN_WORDS]!.set(kind, first)
    children[IN_WORD]!.set(kind, beginsWord(unit) ? none : first)
  })
}

function rootBehind(unit: number): number {
  return isWordUnit(unit) ? IN_WORD : BETWEEN_WORDS
}

/** Scripts that put no space between words have no beginning of a word to look for. */
function beginsWord(unit: number): boolean {
  return scriptIndex(unit) !== 0 && unit < FIRST_UNSPACED
}

/** From here on lie Thai, kana, Han and Hangul; the alphabets with word spaces before it. */
const FIRST_UNSPACED = 0xe00

/** Every character of `letters` in a class of its own, with its capital, the most frequent first; white space in one. */
function classify(letters: string): { classes: Uint16Array; representatives: number[] } {
  const classes = Uint16Array.from({ length: 0x10000 }, (_, unit) =>
    isWordUnit(unit) ? OTHER_IN_WORD : OTHER,
  )
  /** One code unit of each class, for the first two any letter and what is none. */
  const representatives = [LETTER_A, 0]
  for (const letter of mostFrequentFirst(letters)) {
    const unit = letter.charCodeAt(0)
    const kind = representatives.push(unit) - 1
    classes[unit] = kind
    const capital = letter.toUpperCase()
    // The capital of 'ı' is that of 'i'.
    if (capital.toLowerCase() === letter) classes[capital.charCodeAt(0)] = kind
    if (letter === ' ') {
      for (let space = 0; space < classes.length; space += 1) {
        if ((kindsOf(space) & SPACE) !== 0) classes[space] = kind
      }
    }
    if (letter === "'") classes[0x2019] = kind
  }
  return { classes, representatives }
}

const LETTER_A = 0x61

function mostFrequentFirst(letters: string): string[] {
  const counts = new Map<string, number>()
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!)
}

/** The fallback of each state; phrases that end others are added to those. */
function connect(
  children: Rows,
  representatives: readonly number[],
  phrasesOf: (Phrase[] | undefined)[],
): Uint16Array {
  const fallbacks = new Uint16Array(children.length)
  for (const [kind, first] of children[BETWEEN_WORDS]!) {
    if (first > IN_WORD) fallbacks[first] = rootBehind(representatives[kind]!)
  }
  for (let state = IN_WORD + 1; state < children.length; state += 1) {
    for (const [kind, child] of children[state]!) {
      let shorter = fallbacks[state]!
      while (!children[shorter]!.has(kind)) shorter = fallbacks[shorter]!
      const fallback = children[shorter]!.get(kind)!
      fallbacks[child] = fallback
      const endings = phrasesOf[fallback]
      if (endings !== undefined) phrasesOf[child] = [...(phrasesOf[child] ?? []), ...endings]
    }
  }
  return fallbacks
}

/** A fallback leads to an earlier state, whose row is there. */
function denseTable(children: Rows, fallbacks: Uint16Array): Uint16Array {
  const dense = new Uint16Array(DENSE_STATES * DENSE_CLASSES)
  children.slice(0, DENSE_STATES).forEach((next, state) => {
    const row = state * DENSE_CLASSES
    const fallen = fallbacks[state]! * DENSE_CLASSES
    dense.copyWithin(row, fallen, fallen + DENSE_CLASSES)
    for (const [kind, child] of next) if (kind < DENSE_CLASSES) dense[row + kind] = child
  })
  return dense
}

/** Lays the row of each state over the others where all of its entries fall into holes, the fullest first. */
function layRows(children: Rows, classCount: number): Pick<Automaton, 'rows' | 'entries'> {
  const rows = new Uint32Array(children.length)
  const owned = new Map<number, number>()
  // No entry lies before it, so that no row begins before 0.
  let firstHole = classCount
  let last = 0
  for (const state of fullestFirst(children)) {
    const kinds = [...children[state]!.keys()]
    if (kinds.length === 0) continue
    while (owned.has(firstHole)) firstHole += 1
    let row = firstHole - Math.min(...kinds)
    while (kinds.some((kind) => owned.has(row + kind))) row += 1
    rows[state] = row
    last = Math.max(last, row)
    for (const [kind, child] of children[state]!) {
      owned.set(row + kind, state * (STATE_MASK + 1) + child)
    }
  }
  const entries = Uint32Array.from({ length: last + classCount }, (_, at) => owned.get(at) ?? 0)
  return { rows, entries }
}

function fullestFirst(children: Rows): number[] {
  return [...children.keys()].sort((a, b) => children[b]!.size - children[a]!.size)
}
