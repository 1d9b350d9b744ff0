/**
 * Finds messages that say nearly the same: the copies of one campaign, one notice sent to many.
 * A split with copies on both sides would measure memory instead of judgement.
 *
 * MinHash over shingles of words (Broder, On the Resemblance and Containment of Documents,
 * 1997), candidates by bands of equal hashes (Leskovec, Rajaraman and Ullman, Mining of Massive
 * Datasets, §3.4), each candidate pair checked by its estimated resemblance.
 */
import { hashIndex, hashSeed, hashUnit } from '../../mail/features/hashing.ts'
import { normalise } from '../../mail/features/normalise.ts'

/** Words in a shingle: three in a row are seldom shared by chance. */
const SHINGLE_WORDS = 3

/** Characters of a message that are compared. */
const TEXT_LENGTH_MAX = 5_000

/** Messages with fewer words say too little to be taken for copies of each other. */
const WORDS_MIN = 12

/** Hashes in a signature, in bands. Pairs that share half of their shingles meet in some band with probability 1 - (1 - 0.5^4)^24 = 79 %, those that share 70 % with 99.9 %. */
const BANDS = 24
const BAND_ROWS = 4
const SIGNATURE_LENGTH = BANDS * BAND_ROWS

/** Share of equal hashes, an estimate of the share of shingles in common, from which two messages are copies. */
const RESEMBLANCE_MIN = 0.5

/** Messages of one band's bucket that are compared with its first ones: mail with one footer and little else fills large ones. */
const BUCKET_COMPARISONS_MAX = 8

/** One MinHash per row of shape (SIGNATURE_LENGTH,); undefined for a text with too few words. */
export type Signature = Uint32Array | undefined

const SHINGLE_SEED = hashSeed('shingle ')
const HASH_BITS = 32

/** Odd factors of the hash family, one a row. */
const FACTORS = Uint32Array.from({ length: SIGNATURE_LENGTH }, (_, row) => {
  return hashIndex(hashSeed(`row ${row}`), HASH_BITS) | 1
})

/** What `text` is compared by. */
export function signatureOf(text: string): Signature {
  const words = normalise(text.slice(0, TEXT_LENGTH_MAX)).split(' ')
  if (words.length < WORDS_MIN) return undefined
  const signature = new Uint32Array(SIGNATURE_LENGTH).fill(0xffffffff)
  for (let at = 0; at + SHINGLE_WORDS <= words.length; at++) {
    const shingle = hashOf(words, at)
    for (let row = 0; row < SIGNATURE_LENGTH; row++) {
      const hash = Math.imul(shingle ^ (shingle >>> 15), FACTORS[row]!) >>> 0
      if (hash < signature[row]!) signature[row] = hash
    }
  }
  return signature
}

/**
 * The cluster of each text, in step with `signatures`: the position of its first member. Chains
 * count: a copy of a copy is in the same cluster.
 */
export function clusters(signatures: readonly Signature[]): Uint32Array {
  const sets = new DisjointSets(signatures.length)
  for (let band = 0; band < BANDS; band++) {
    for (const bucket of bucketsOf(signatures, band)) joinCopies(bucket, signatures, sets)
  }
  return Uint32Array.from(signatures, (_, i) => sets.first(i))
}

function joinCopies(
  bucket: readonly number[],
  signatures: readonly Signature[],
  sets: DisjointSets,
): void {
  bucket.forEach((one, at) => {
    for (const other of bucket.slice(0, Math.min(at, BUCKET_COMPARISONS_MAX))) {
      if (sets.first(one) === sets.first(other)) continue
      if (areCopies(signatures[one], signatures[other])) sets.join(one, other)
    }
  })
}

/** Whether two texts share half of their shingles. */
export function areCopies(one: Signature, other: Signature): boolean {
  return one !== undefined && other !== undefined && resemblance(one, other) >= RESEMBLANCE_MIN
}

/** Positions whose signatures are equal in `band`, where there are several. */
function bucketsOf(signatures: readonly Signature[], band: number): number[][] {
  const buckets = new Map<string, number[]>()
  signatures.forEach((signature, i) => {
    if (signature === undefined) return
    const key = signature.subarray(band * BAND_ROWS, (band + 1) * BAND_ROWS).join()
    const bucket = buckets.get(key)
    if (bucket === undefined) buckets.set(key, [i])
    else bucket.push(i)
  })
  return [...buckets.values()].filter((bucket) => bucket.length > 1)
}

function resemblance(one: Uint32Array, other: Uint32Array): number {
  let equal = 0
  for (let row = 0; row < SIGNATURE_LENGTH; row++) if (one[row] === other[row]) equal++
  return equal / SIGNATURE_LENGTH
}

function hashOf(words: readonly string[], start: number): number {
  let hash = SHINGLE_SEED
  for (let at = start; at < start + SHINGLE_WORDS; at++) {
    const word = words[at]!
    for (let i = 0; i < word.length; i++) hash = hashUnit(hash, word.charCodeAt(i))
    hash = hashUnit(hash, 0x20)
  }
  return hash
}

export class DisjointSets {
  readonly #parents: Uint32Array

  constructor(size: number) {
    this.#parents = Uint32Array.from({ length: size }, (_, i) => i)
  }

  /** The smallest position of the set that `i` is in. */
  first(i: number): number {
    let at = i
    while (this.#parents[at] !== at) {
      this.#parents[at] = this.#parents[this.#parents[at]!]!
      at = this.#parents[at]!
    }
    return at
  }

  join(one: number, other: number): void {
    const [a, b] = [this.first(one), this.first(other)]
    this.#parents[Math.max(a, b)] = Math.min(a, b)
  }
}
