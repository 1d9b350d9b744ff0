/**
 * The hashing trick: a feature's index is a hash of its text, so no vocabulary has to be kept.
 * Weinberger et al., Feature Hashing for Large Scale Multitask Learning (ICML 2009).
 *
 * FNV-1a over UTF-16 code units, finished by MurmurHash3's mixer, since FNV alone leaves the
 * high bits of short strings poorly spread. It is not meant for security: an attacker can make two
 * words collide, but gains no more than by writing the other word.
 */

const FNV_PRIME = 0x01000193
const FNV_OFFSET = 0x811c9dc5

/** The start value for hashing one kind of feature, so that a word and a 4-gram with the same spelling have different indices. */
export function hashSeed(kind: string): number {
  let hash = FNV_OFFSET
  for (let i = 0; i < kind.length; i++) hash = hashUnit(hash, kind.charCodeAt(i))
  return hash
}

/** Adds one UTF-16 code unit to `hash`. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, FNV_PRIME)
}

/** The index in a table of 2^bits that a finished hash stands for. */
export function hashIndex(hash: number, bits: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> (32 - bits)
}
