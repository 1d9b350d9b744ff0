/**
 * Random numbers that are the same every time: training twice gives the same bytes.
 * Mulberry32, a 32-bit generator that passes the tests a shuffle needs (gjrand); not for secrets.
 */

/** A source of numbers in [0, 1), determined by `seed`. */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** 0 … length - 1 in random order. Fisher and Yates; Knuth, TAOCP 2, §3.4.2, algorithm P. */
export function shuffledIndices(length: number, random: () => number): Uint32Array {
  const indices = Uint32Array.from({ length }, (_, index) => index)
  for (let last = length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const swapped = indices[last]!
    indices[last] = indices[other]!
    indices[other] = swapped
  }
  return indices
}

/** `items` in random order. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return Array.from(shuffledIndices(items.length, random), (i) => items[i]!)
}
