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
import { codeUnits, DIGIT, kindsOf, SPACE, scriptIndex } from '../characters.ts'

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

/** An entry of no state. */
const HOLE = 0xffff_ffff

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

/** The states and where each leads, without fallbacks. Flat numbers: maps of maps took half of the time in which `mail` loads. */
interface Tree {
  /** The next state, by state * classCount + class. */
  readonly next: Map<number, number>
  readonly classCount: number
  /** For each state the classes that lead on. */
  readonly kinds: number[][]
  /** For each state, the state before it and the class between them. */
  readonly parents: number[]
  readonly lasts: number[]
  readonly phrasesOf: (Phrase[] | undefined)[]
}

function buildAutomaton(groups: readonly (readonly string[])[]): Automaton {
  const { classes, representatives } = classify(groups.flat().join(''))
  const tree = growTree(groups, classes, representatives.length)
  completeRoots(tree, representatives)
  const fallbacks = connect(tree, representatives)
  return {
    classes,
    dense: denseTable(tree, fallbacks),
    ...layRows(tree),
    fallbacks,
    isEnd: Uint8Array.from(tree.phrasesOf, (phrases) => (phrases === undefined ? 0 : 1)),
    phrasesOf: tree.phrasesOf,
  }
}

/** The tree of the phrases, level by level, so that the first states are the shortest beginnings. */
function growTree(
  groups: readonly (readonly string[])[],
  classes: Uint16Array,
  classCount: number,
): Tree {
  const next = new Map<number, number>()
  const kinds: number[][] = [[], []]
  const parents = [0, 0]
  const lasts = [0, 0]
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
      let child = next.get(phrase.state * classCount + kind)
      if (child === undefined) {
        child = kinds.push([]) - 1
        parents.push(phrase.state)
        lasts.push(kind)
        phrasesOf.push(undefined)
        next.set(phrase.state * classCount + kind, child)
        kinds[phrase.state]!.push(kind)
      }
      phrase.state = child
      if (phrase.letters.length > length) continue
      const { group, atWordEnd } = phrase
      phrasesOf[child] = [...(phrasesOf[child] ?? []), { group, length, atWordEnd }]
    }
    growing = growing.filter(({ letters }) => letters.length > length)
  }
  if (kinds.length > STATE_MASK) throw new RangeError(`${kinds.length} states of phrases`)
  return { next, classCount, kinds, parents, lasts, phrasesOf }
}

/** Gives the states of no phrase a next state for every class, so that all fallbacks end there. */
function completeRoots({ next, classCount, kinds }: Tree, representatives: readonly number[]) {
  representatives.forEach((unit, kind) => {
    const none = rootBehind(unit)
    const first = next.get(BETWEEN_WORDS * classCount + kind) ?? none
    next.set(BETWEEN_WORDS * classCount + kind, first)
    next.set(IN_WORD * classCount + kind, beginsWord(unit) ? none : first)
  })
  kinds[BETWEEN_WORDS] = kinds[IN_WORD] = [...representatives.keys()]
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
  const classes = new Uint16Array(0x10000).map((_, unit) =>
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
function connect(tree: Tree, representatives: readonly number[]): Uint16Array {
  const { next, classCount, parents, lasts, phrasesOf } = tree
  const fallbacks = new Uint16Array(parents.length)
  for (let state = IN_WORD + 1; state < parents.length; state += 1) {
    const parent = parents[state]!
    const kind = lasts[state]!
    if (parent === BETWEEN_WORDS) {
      fallbacks[state] = rootBehind(representatives[kind]!)
      continue
    }
    let shorter = fallbacks[parent]!
    while (!next.has(shorter * classCount + kind)) shorter = fallbacks[shorter]!
    const fallback = next.get(shorter * classCount + kind)!
    fallbacks[state] = fallback
    const endings = phrasesOf[fallback]
    if (endings !== undefined) phrasesOf[state] = [...(phrasesOf[state] ?? []), ...endings]
  }
  return fallbacks
}

/** A fallback leads to an earlier state, whose row is there. */
function denseTable({ next, classCount, kinds }: Tree, fallbacks: Uint16Array): Uint16Array {
  const dense = new Uint16Array(DENSE_STATES * DENSE_CLASSES)
  for (let state = 0; state < Math.min(DENSE_STATES, kinds.length); state += 1) {
    const row = state * DENSE_CLASSES
    const fallen = fallbacks[state]! * DENSE_CLASSES
    dense.copyWithin(row, fallen, fallen + DENSE_CLASSES)
    for (const kind of kinds[state]!) {
      if (kind < DENSE_CLASSES) dense[row + kind] = next.get(state * classCount + kind)!
    }
  }
  return dense
}

/** Lays the row of each state over the others where all of its entries fall into holes, the fullest first. */
function layRows({ next, classCount, kinds }: Tree): Pick<Automaton, 'rows' | 'entries'> {
  const rows = new Uint32Array(kinds.length)
  let entries = withRoom(new Uint32Array(2 * classCount).fill(HOLE))
  // No entry lies before it, so that no row begins before 0.
  let firstHole = classCount
  let end = 0
  for (const state of [...kinds.keys()].sort((a, b) => kinds[b]!.length - kinds[a]!.length)) {
    const its = kinds[state]!
    if (its.length === 0) break
    if (end + 2 * classCount > entries.length) entries = withRoom(entries)
    while (entries[firstHole] !== HOLE) firstHole += 1
    let row = firstHole - Math.min(...its)
    while (!fits(entries, row, its)) row += 1
    rows[state] = row
    end = Math.max(end, row + classCount)
    for (const kind of its) {
      entries[row + kind] = state * (STATE_MASK + 1) + next.get(state * classCount + kind)!
    }
  }
  return { rows, entries: entries.slice(0, end) }
}

/** Twice as long, with holes. */
function withRoom(entries: Uint32Array): Uint32Array {
  const longer = new Uint32Array(2 * entries.length).fill(HOLE)
  longer.set(entries)
  return longer
}

function fits(entries: Uint32Array, row: number, kinds: readonly number[]): boolean {
  for (const kind of kinds) if (entries[row + kind] !== HOLE) return false
  return true
}
