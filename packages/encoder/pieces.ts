/**
 * All pieces by their characters: a hash table with open addressing (Knuth, The Art of Computer Programming 3, 6.4) over one
 * array of UTF-16 code units. A search ends with the first character that no piece goes on with: bits mark the beginnings of
 * pieces, as a Bloom filter with one hash.
 */

/** Half and more of the slots stay free, so that a search looks at one or two. */
const SLOTS_A_PIECE = 2

/** Bits of a hash by which beginnings of pieces are marked: one of fifteen is set, in a megabyte. */
const BEGINNING_BITS = 23

/** FNV-1a: its start, and what it multiplies by. */
const HASH_START = 0x811c9dc5
const HASH_FACTOR = 0x01000193

export class Pieces {
  readonly #units: Uint16Array
  /** Where in `#units` each piece begins, and where the last ends. */
  readonly #starts: Uint32Array
  readonly #mask: number
  /** 1 + the number of the piece, or 0. */
  readonly #slots: Uint32Array
  readonly #beginnings = new Uint32Array(2 ** BEGINNING_BITS / 32)

  constructor(pieces: readonly string[]) {
    this.#starts = new Uint32Array(pieces.length + 1)
    this.#units = new Uint16Array(pieces.reduce((sum, { length }) => sum + length, 0))
    this.#slots = new Uint32Array(
      2 ** Math.ceil(Math.log2(SLOTS_A_PIECE * Math.max(1, pieces.length))),
    )
    this.#mask = this.#slots.length - 1
    for (const [number, piece] of pieces.entries()) {
      const start = this.#starts[number]!
      this.#starts[number + 1] = start + piece.length
      let hash = HASH_START
      for (let at = 0; at < piece.length; at++) {
        const unit = piece.charCodeAt(at)
        this.#units[start + at] = unit
        hash = Math.imul(hash ^ unit, HASH_FACTOR)
        const bit = hash >>> (32 - BEGINNING_BITS)
        this.#beginnings[bit >>> 5]! |= 1 << (bit & 31)
      }
      if (piece !== '') this.#slots[this.#slotOf(hash, piece, 0, piece.length)] = number + 1
    }
  }

  /** Calls `take` with the number and the end of each piece that `text` has at `start`, the shortest first. */
  eachAt(text: string, start: number, take: (number: number, end: number) => void): void {
    let hash = HASH_START
    for (let end = start + 1; end <= text.length; end++) {
      hash = Math.imul(hash ^ text.charCodeAt(end - 1), HASH_FACTOR)
      const bit = hash >>> (32 - BEGINNING_BITS)
      if (((this.#beginnings[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return
      const found = this.#slots[this.#slotOf(hash, text, start, end)]!
      if (found > 0) take(found - 1, end)
    }
  }

  /** The slot of the piece that stands in `text` from `start` to `end`, or the free one where it would be. */
  #slotOf(hash: number, text: string, start: number, end: number): number {
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    while (this.#slots[slot] !== 0 && !this.#isAt(this.#slots[slot]! - 1, text, start, end)) {
      slot = (slot + 1) & this.#mask
    }
    return slot
  }

  #isAt(number: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[number]!
    if (this.#starts[number + 1]! - from !== end - start) return false
    for (let at = start; at < end; at++) {
      if (this.#units[from + at - start] !== text.charCodeAt(at)) return false
    }
    return true
  }
}
