/**
 * Finds many phrases in a text at once: from each place where one may begin, down a tree of their letters.
 *
 * Regular expressions with hundreds of alternatives try them one after the other. The tree is one hash table of its
 * edges, and nearly all places leave it within four letters.
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

/** A phrase that ends at a node. */
interface Ending {
  readonly group: number
  readonly atWordEnd: boolean
}

/** Bits of an edge's class of letters, the lower half of its key; its node is the upper. */
const KIND_BITS = 16

/** A look at the first three letters leaves one place in ten to begin at. 64 kB. */
const BEGINNING_BITS = 16

/** Fibonacci hashing (Knuth): 2^32 / golden ratio. */
const HASH_FACTOR = 0x9e3779b1

/** A function that finds the phrases of each group in a text: group -> matches in order of their ends. */
export function phraseScanner(
  groups: Readonly<Record<string, readonly string[]>>,
): (text: string) => ReadonlyMap<string, readonly PhraseMatch[]> {
  const names = Object.keys(groups)
  const tree = new Tree(Object.values(groups))
  return (text) => {
    const found = new Map<string, PhraseMatch[]>()
    tree.scan(text, (group, match) => {
      const name = names[group]!
      const matches = found.get(name)
      if (matches === undefined) found.set(name, [match])
      else matches.push(match)
    })
    for (const [name, matches] of found) {
      found.set(name, matches.sort((a, b) => a.end - b.end).slice(0, MATCHES_MAX))
    }
    return found
  }
}

class Tree {
  /** The class of each code unit, 0 for what is in no phrase: a letter with its capital, all white space. */
  readonly #kinds: Uint16Array
  /** Node and class of each edge in an open hash table, 0 where it is empty: no edge has class 0. */
  readonly #edges: Uint32Array
  /** The node to which the edge leads, in step. */
  readonly #children: Uint16Array
  /** 1 for what three letters that begin a phrase hash to. */
  readonly #beginnings = new Uint8Array(2 ** BEGINNING_BITS)
  /** 1 for the classes with which shorter phrases begin. */
  readonly #shortBeginnings = new Uint8Array(0x10000)
  /** Phrases that end at each node. */
  readonly #endings: (Ending[] | undefined)[] = [undefined]

  constructor(groups: readonly (readonly string[])[]) {
    const letters = groups.flat().join('')
    this.#kinds = kindsOfLetters(letters)
    // At most half full.
    const size = 2 ** Math.ceil(Math.log2(2 * letters.length + 2))
    this.#edges = new Uint32Array(size)
    this.#children = new Uint16Array(size)
    groups.forEach((phrases, group) => {
      for (const phrase of phrases) this.#add(phrase, group)
    })
  }

  #add(phrase: string, group: number): void {
    const atWordEnd = phrase.endsWith('|')
    const letters = (atWordEnd ? phrase.slice(0, -1) : phrase).split('')
    const kinds = letters.map((letter) => this.#kinds[letter.charCodeAt(0)]!)
    const [first = 0, second = 0, third] = kinds
    if (third === undefined) this.#shortBeginnings[first] = 1
    else this.#beginnings[beginningOf(first, second, third)] = 1
    let node = 0
    for (const kind of kinds) {
      const slot = this.#slotOf(node, kind)
      if (this.#edges[slot] === 0) {
        this.#edges[slot] = (node << KIND_BITS) | kind
        this.#children[slot] = this.#endings.push(undefined) - 1
      }
      node = this.#children[slot]!
    }
    this.#endings[node] = [...(this.#endings[node] ?? []), { group, atWordEnd }]
    if (this.#endings.length > 2 ** KIND_BITS) throw new RangeError('too many letters of phrases')
  }

  /** Where the edge from `node` for letters of `kind` is, or would be. */
  #slotOf(node: number, kind: number): number {
    const edges = this.#edges
    const mask = edges.length - 1
    const key = ((node << KIND_BITS) | kind) >>> 0
    let slot = (Math.imul(key, HASH_FACTOR) >>> 8) & mask
    while (edges[slot] !== key && edges[slot] !== 0) slot = (slot + 1) & mask
    return slot
  }

  scan(text: string, onMatch: (group: number, match: PhraseMatch) => void): void {
    const units = codeUnits(text)
    const kinds = this.#kinds
    const edges = this.#edges
    const beginnings = this.#beginnings
    const shortBeginnings = this.#shortBeginnings
    const { length } = text
    let before = 0
    for (let start = 0; start < length; start += 1) {
      const place = PLACES[units[start]!]!
      const isWithin = (before & IN_WORD) !== 0 && (place & BEGINS_WORD) !== 0
      before = place
      if (isWithin) continue
      const first = kinds[units[start]!]!
      const beginning = beginningOf(first, kinds[units[start + 1]!]!, kinds[units[start + 2]!]!)
      if (beginnings[beginning] === 0 && shortBeginnings[first] === 0) continue
      let node = 0
      for (let at = start; at < length; at += 1) {
        const kind = kinds[units[at]!]!
        if (kind === 0) break
        const slot = this.#slotOf(node, kind)
        if (edges[slot] === 0) break
        node = this.#children[slot]!
        const endings = this.#endings[node]
        if (endings === undefined) continue
        const end = at + 1
        const isWordEnd = end >= length || (PLACES[units[end]!]! & IN_WORD) === 0
        for (const { group, atWordEnd } of endings) {
          if (isWordEnd || !atWordEnd) onMatch(group, { start, end })
        }
      }
    }
  }
}

function beginningOf(first: number, second: number, third: number): number {
  return ((first * 31 + second) * 31 + third) & (2 ** BEGINNING_BITS - 1)
}

/** A letter or digit. */
const IN_WORD = 1

/** A letter of a script that puts spaces between words, so that phrases begin only where a word does. */
const BEGINS_WORD = 2

/** From here on lie Thai, kana, Han and Hangul; the alphabets with word spaces before it. */
const FIRST_UNSPACED = 0xe00

/** These bits for each code unit. */
const PLACES = Uint8Array.from({ length: 0x10000 }, (_, unit) => {
  if (scriptIndex(unit) === 0) return (kindsOf(unit) & DIGIT) === 0 ? 0 : IN_WORD
  return unit < FIRST_UNSPACED ? IN_WORD | BEGINS_WORD : IN_WORD
})

function kindsOfLetters(letters: string): Uint16Array {
  const kinds = new Uint16Array(0x10000)
  let kind = 0
  for (const letter of new Set(letters.split(''))) {
    kind += 1
    kinds[letter.charCodeAt(0)] = kind
    const capital = letter.toUpperCase()
    // The capital of 'ı' is that of 'i'.
    if (capital.toLowerCase() === letter) kinds[capital.charCodeAt(0)] = kind
    if (letter === "'") kinds[0x2019] = kind
    if (letter !== ' ') continue
    for (let unit = 0; unit < kinds.length; unit += 1) {
      if ((kindsOf(unit) & SPACE) !== 0) kinds[unit] = kind
    }
  }
  return kinds
}
