/**
 * Finds many phrases in a text at once, in one pass: the automaton of Aho and Corasick (1975).
 *
 * The phrases form a tree of letters. While the text is read, the state is the longest end of what
 * was read that begins some phrase; where the next letter does not continue it, the automaton
 * falls back to the next shorter one. That is worked out beforehand, so that every letter costs
 * two steps on average, however many phrases there are. Regular expressions with hundreds of
 * alternatives try them one after the other.
 *
 * A table of all states by all letters would have tens of megabytes, and nearly all of it empty. The
 * rows are laid over each other, so that each entry falls into a hole of the others (Tarjan and Yao, 1979).
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
  readonly classes: Uint16Array
  /** State behind the first letter of a phrase, by code unit; 0 where none begins so. */
  readonly firsts: Uint32Array
  /** Where the row of each state but 0 begins in `owners` and `targets`. */
  readonly rows: Uint32Array
  /** State to which an entry belongs, NOBODY for a hole. */
  readonly owners: Int32Array
  /** Next state of each entry. */
  readonly targets: Uint32Array
  /** The state of the longest shorter end, by state; 0 for that of none. */
  readonly fallbacks: Uint32Array
  /** 1 for the states in which phrases end. */
  readonly isEnd: Uint8Array
  /** Phrases that end in each state; undefined for none. */
  readonly phrasesOf: readonly (readonly Phrase[] | undefined)[]
}

const NOBODY = -1

function scan(
  automaton: Automaton,
  text: string,
  onMatch: (group: number, match: PhraseMatch) => void,
): void {
  const { classes, firsts, rows, owners, targets, fallbacks, isEnd, phrasesOf } = automaton
  const units = codeUnits(text)
  let state = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = units[at]!
    let entry = 0
    // Each fallback takes back a letter that was gone forward: two steps a letter at most.
    while (state !== 0) {
      entry = rows[state]! + classes[unit]!
      if (owners[entry] === state) break
      state = fallbacks[state]!
    }
    if (state !== 0) state = targets[entry]!
    else {
      state = firsts[unit]!
      if (state === 0) continue
      if (beginsWord(unit) && at > 0 && isWordUnit(units[at - 1]!)) {
        state = 0
        continue
      }
    }
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
  const { classes, representatives } = classify(groups.flat().join(''))
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
      const ending = {
        group,
        length: phrase.length,
        atWordStart: beginsWord(phrase.charCodeAt(0)),
        atWordEnd,
      }
      phrasesOf[state] = [...(phrasesOf[state] ?? []), ending]
    }
  })
  const fallbacks = connect(children, representatives, phrasesOf)
  const isEnd = Uint8Array.from(phrasesOf, (phrases) => (phrases === undefined ? 0 : 1))
  const firsts = Uint32Array.from(classes, (kind) => children[0]!.get(kind) ?? 0)
  const rows = layRows(children, representatives.length)
  return { classes, firsts, ...rows, fallbacks, isEnd, phrasesOf }
}

/** Scripts that put no space between words have no beginning of a word to look for. */
function beginsWord(unit: number): boolean {
  return scriptIndex(unit) !== 0 && unit < FIRST_UNSPACED
}

/** From here on lie Thai, kana, Han and Hangul; the alphabets with word spaces before it. */
const FIRST_UNSPACED = 0xe00

/** Every character of `letters` in a class of its own, with its capital; white space in one. */
function classify(letters: string): { classes: Uint16Array; representatives: number[] } {
  const classes = new Uint16Array(0x10000).fill(OTHER)
  /** One code unit of each class. */
  const representatives = [OTHER]
  for (const letter of new Set(letters)) {
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

/**
 * The fallback of each state, breadth first; phrases that end others are added to those. An end that
 * begins in the middle of a word is passed over, where no phrase may begin.
 */
function connect(
  children: readonly ReadonlyMap<number, number>[],
  representatives: readonly number[],
  phrasesOf: (Phrase[] | undefined)[],
): Uint32Array {
  const fallbacks = new Uint32Array(children.length)
  const queue = [...children[0]!].map(([kind, state]) => ({ kind, state }))
  for (const { kind: last, state } of queue) {
    for (const [kind, child] of children[state]!) {
      queue.push({ kind, state: child })
      let shorter = fallbacks[state]!
      while (shorter !== 0 && !children[shorter]!.has(kind)) shorter = fallbacks[shorter]!
      const isInWord = beginsWord(representatives[kind]!) && isWordUnit(representatives[last]!)
      const fallback = shorter === 0 && isInWord ? 0 : (children[shorter]!.get(kind) ?? 0)
      fallbacks[child] = fallback
      const endings = phrasesOf[fallback]
      if (endings !== undefined) phrasesOf[child] = [...(phrasesOf[child] ?? []), ...endings]
    }
  }
  return fallbacks
}

/** Lays the row of each state but 0 over the others where all of its entries fall into holes, the fullest first. */
function layRows(
  children: readonly ReadonlyMap<number, number>[],
  classCount: number,
): Pick<Automaton, 'rows' | 'owners' | 'targets'> {
  const rows = new Uint32Array(children.length)
  const owners = new Map<number, number>()
  const targets = new Map<number, number>()
  // No entry lies before it, so that no row begins before 0.
  let firstHole = classCount
  let last = 0
  for (const state of fullestFirst(children)) {
    const entries = [...children[state]!]
    if (state === 0 || entries.length === 0) continue
    while (owners.has(firstHole)) firstHole += 1
    let row = firstHole - Math.min(...entries.map(([kind]) => kind))
    while (entries.some(([kind]) => owners.has(row + kind))) row += 1
    rows[state] = row
    last = Math.max(last, row)
    for (const [kind, child] of entries) {
      owners.set(row + kind, state)
      targets.set(row + kind, child)
    }
  }
  const length = last + classCount
  return {
    rows,
    owners: Int32Array.from({ length }, (_, entry) => owners.get(entry) ?? NOBODY),
    targets: Uint32Array.from({ length }, (_, entry) => targets.get(entry) ?? 0),
  }
}

function fullestFirst(children: readonly ReadonlyMap<number, number>[]): number[] {
  return [...children.keys()].sort((a, b) => children[b]!.size - children[a]!.size)
}
