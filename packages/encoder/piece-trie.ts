/**
 * All pieces by their characters: a tree in which each step is one UTF-16 code unit. Its edges are a hash table
 * with open addressing (Knuth, The Art of Computer Programming 3, 6.4), so that a step takes one look, and a
 * search ends with the first character that no piece goes on with.
 */

/** The node where every piece begins. */
export const ROOT = 0

/** No such step, or no such piece. */
export const NONE = -1

/** Odd and large: neighbours in the table of hashes come from unlike keys (Knuth's multiplicative hashing, 2^32 / golden ratio). */
const NODE_FACTOR = 0x9e3779b1
const UNIT_FACTOR = 0x85ebca6b

export class PieceTrie {
  readonly #mask: number
  /** For each slot: the node that the step leaves, its code unit, and the node that it reaches; NONE in a free slot. */
  readonly #from: Int32Array
  readonly #unit: Uint16Array
  readonly #to: Int32Array
  /** The number of the piece that ends at each node. */
  readonly #pieces: Int32Array

  constructor(pieces: readonly string[]) {
    // Pieces begin alike, so that two thirds of the slots stay free and a search looks at one or two.
    const edgesMax = pieces.reduce((sum, { length }) => sum + length, 0)
    const slots = 2 ** Math.ceil(Math.log2(edgesMax + 1))
    this.#mask = slots - 1
    this.#from = new Int32Array(slots).fill(NONE)
    this.#unit = new Uint16Array(slots)
    this.#to = new Int32Array(slots)
    const ends: number[] = [NONE]
    pieces.forEach((piece, number) => {
      let node = ROOT
      for (let at = 0; at < piece.length; at++) {
        const slot = this.#slotOf(node, piece.charCodeAt(at))
        if (this.#from[slot] === NONE) {
          this.#from[slot] = node
          this.#unit[slot] = piece.charCodeAt(at)
          this.#to[slot] = ends.length
          ends.push(NONE)
        }
        node = this.#to[slot]!
      }
      ends[node] = number
    })
    this.#pieces = Int32Array.from(ends)
  }

  /** The node that `unit` leads to from `node`; NONE where no piece goes on so. */
  step(node: number, unit: number): number {
    const slot = this.#slotOf(node, unit)
    return this.#from[slot] === NONE ? NONE : this.#to[slot]!
  }

  /** The number of the piece that ends at `node`, or NONE. */
  pieceAt(node: number): number {
    return this.#pieces[node]!
  }

  /** The slot of a step, or the free one where it would be. */
  #slotOf(node: number, unit: number): number {
    let slot = (Math.imul(node, NODE_FACTOR) ^ Math.imul(unit, UNIT_FACTOR)) >>> 0
    slot = (slot ^ (slot >>> 15)) & this.#mask
    while (this.#from[slot] !== NONE && (this.#from[slot] !== node || this.#unit[slot] !== unit)) {
      slot = (slot + 1) & this.#mask
    }
    return slot
  }
}
