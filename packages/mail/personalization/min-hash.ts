/**
 * MinHash sketches: they estimate from a few bytes of each set what share of their elements two sets
 * have in common. Broder, On the Resemblance and Containment of Documents (1997).
 *
 * Each element has one hash, which falls into one place of the sketch, and each place keeps its least
 * hash. An empty place borrows from another, the same in every sketch (Shrivastava, Optimal
 * Densification for Fast and Accurate Minwise Hashing, ICML 2017). Only 8 bits are kept of each least
 * hash (Li and König, b-Bit Minwise Hashing, WWW 2010): different ones agree by chance once in 256
 * times.
 */
import { hashIndex } from '../features/hashing.ts'

const HASH_BITS = 32
const KEPT_BITS = 8

/** Marks an empty place. A hash has this value only once in 2^32 times. */
const EMPTY = 0xffffffff

/** Odd and large: 2^32 / golden ratio (Knuth's multiplicative hashing). */
const FACTOR = 0x9e3779b1

/** Places tried to fill an empty one: in a sketch with one element in 64 places this finds it with 99.9 %. */
const BORROWINGS_MAX = 512

/** The least hash of each place, before the sketch is made. Shape (places,). */
export type LeastHashes = Uint32Array

export function leastHashes(places: number): LeastHashes {
  return new Uint32Array(places).fill(EMPTY)
}

/** Puts `element`, given as a number of 32 bits, into the set, in place. */
export function addElement(least: LeastHashes, element: number): void {
  const hash = hashIndex(element, HASH_BITS)
  const place = hash % least.length
  if (hash < least[place]!) least[place] = hash
}

/** Puts `element` into the set as `times` elements, so that it weighs as much. */
export function addRepeated(least: LeastHashes, element: number, times: number): void {
  for (let time = 1; time <= times; time++) {
    addElement(least, Math.imul(element ^ Math.imul(time, FACTOR), FACTOR))
  }
}

/** The sketch of a set. Shape (places,); all zero for the empty set. */
export function sketchOf(least: LeastHashes): Uint8Array {
  const sketch = new Uint8Array(least.length)
  for (let place = 0; place < least.length; place++) {
    const hash = least[place] === EMPTY ? borrowed(least, place) : least[place]!
    sketch[place] = hash === EMPTY ? 0 : hashIndex(hash, KEPT_BITS)
  }
  return sketch
}

function borrowed(least: LeastHashes, place: number): number {
  for (let attempt = 1; attempt <= BORROWINGS_MAX; attempt++) {
    const from = hashIndex(Math.imul(place + 1, FACTOR) ^ attempt, HASH_BITS) % least.length
    if (least[from] !== EMPTY) return least[from]!
  }
  return EMPTY
}

/** The share of equal places, which estimates the elements in common as a share of all that either set has. */
export function resemblance(one: Uint8Array, other: Uint8Array): number {
  let equal = 0
  for (let place = 0; place < one.length; place++) if (one[place] === other[place]) equal++
  return equal / one.length
}
