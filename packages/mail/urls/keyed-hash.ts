/**
 * HalfSipHash-1-3 with 32 bits of output: a fast hash for which nobody can make collisions without its
 * key. Aumasson and Bernstein, SipHash: a fast short-input PRF (INDOCRYPT 2012), in the 32-bit variant
 * and with the number of rounds that Linux uses for its hash tables (lib/siphash.c).
 *
 * It shows in a tenth of a microsecond that an expression is in no feed. With an unkeyed hash a sender
 * could write links that all seem to be in a feed.
 */

/** 64 random bits, as two unsigned 32-bit numbers. */
export type HashKey = readonly [number, number]

const WORD_BYTES = 4

const FINAL_ROUNDS = 3

/** The hash of `text`, whose characters are all ASCII; an unsigned 32-bit number. */
export function keyedHash(key: HashKey, text: string): number {
  let v0 = key[0] | 0
  let v1 = key[1] | 0
  let v2 = 0x6c796765 ^ v0
  let v3 = 0x74656462 ^ v1
  const tail = text.length - (text.length % WORD_BYTES)
  const end = tail + FINAL_ROUNDS * WORD_BYTES
  // There is one round per word; the final rounds take a word of zeros, which changes nothing.
  for (let at = 0; at <= end; at += WORD_BYTES) {
    const word = at < tail ? wordAt(text, at) : at === tail ? tailWord(text, tail) : 0
    if (at === tail + WORD_BYTES) v2 ^= 0xff
    v3 ^= word
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
    v0 ^= word
  }
  return (v1 ^ v3) >>> 0
}

function wordAt(text: string, at: number): number {
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24)
  )
}

/** The last word: the up to three bytes that are left, and the length in the fourth. */
function tailWord(text: string, tail: number): number {
  let word = text.length << 24
  for (let at = tail; at < text.length; at += 1) word |= text.charCodeAt(at) << (8 * (at - tail))
  return word
}
