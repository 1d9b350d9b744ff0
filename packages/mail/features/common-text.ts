/**
 * What the mail of many senders has in common: how widespread each text feature is, and which passages
 * stand in honest mail of many senders (frames of calendar invitations, disclaimers, footers). A user's
 * correction is about what is particular to the message; these say what is not.
 *
 * Counted over corpora by sender, so that a sender who writes much counts once: `tamis-lab common-text`
 * -> artifacts/common-text. Inverse document frequency: Sparck Jones, A statistical interpretation of
 * term specificity and its application in retrieval, Journal of Documentation 28 (1972).
 */
import { hashIndex, hashSeed, hashUnit } from './hashing.ts'
import { TEXT_FEATURES_SIZE } from './text-features.ts'

/** Plain data over shared memory, so that every thread reads one copy. */
export interface CommonText {
  /** Per text feature, how many senders use it, as a level (see senderLevel). Shape (TEXT_FEATURES_SIZE,). */
  readonly levels: Uint8Array
  /** Hashes of passages that many senders share (see passageHash), ascending. */
  readonly passages: Uint32Array
}

/** Levels to a doubling: 16 keep the count to within 2 %, and 255 stands for 62,000 senders. */
const LEVELS_PER_DOUBLING = 16

/** Senders from which on a feature says nothing about one of them: 5 % of the 11,600 that were counted. */
const COMMON_SENDERS = 600

/** The level that stands for `senders` senders, in 0 … 255. */
export function senderLevel(senders: number): number {
  return Math.min(255, Math.round(LEVELS_PER_DOUBLING * Math.log2(1 + senders)))
}

/**
 * How particular a feature is, by its level: 1 for one that no sender was seen to use, 0 for one that
 * COMMON_SENDERS use. The square keeps words of a trade or a season small: with the plain logarithm
 * twenty "not spam" cost twice as much of the spam caught elsewhere.
 */
const SPECIFICITY_OF_LEVEL = Float32Array.from({ length: 256 }, (_, level) => {
  const share = level / (LEVELS_PER_DOUBLING * Math.log2(1 + COMMON_SENDERS))
  return Math.max(0, 1 - share) ** 2
})

/** How particular the text feature at `index` is, in [0, 1]. */
export function specificity({ levels }: CommonText, index: number): number {
  return SPECIFICITY_OF_LEVEL[levels[index]!]!
}

/** Nothing is common: for models of tests, and before anything was counted. */
export const NOTHING_COMMON: CommonText = {
  levels: new Uint8Array(TEXT_FEATURES_SIZE),
  passages: new Uint32Array(),
}

/** Words from which a passage can be told from chance: 'Yes' and 'Best regards' are nobody's. */
const PASSAGE_WORDS_MIN = 3

/** Words of a passage that its hash covers. */
const PASSAGE_WORDS_MAX = 60

/** Letters of a word that its hash covers. */
const WORD_LENGTH_MAX = 24

const PASSAGE_SEED = hashSeed('passage ')

/** Between two words. */
const SPACE = 0x20

/**
 * The hash of a passage by its words in lower case: without digits, punctuation, addresses and links,
 * in which the same passage of two senders differs. Undefined for one of fewer than PASSAGE_WORDS_MIN words.
 */
export function passageHash(passage: string): number | undefined {
  let hash = PASSAGE_SEED
  let words = 0
  for (const token of passage.toLowerCase().split(/\s+/, 4 * PASSAGE_WORDS_MAX)) {
    if (words === PASSAGE_WORDS_MAX) break
    if (/[@/\d]/.test(token)) continue
    const letters = token.replace(/[^\p{L}\p{M}]/gu, '').slice(0, WORD_LENGTH_MAX)
    if (letters === '') continue
    for (let i = 0; i < letters.length; i++) hash = hashUnit(hash, letters.charCodeAt(i))
    hash = hashUnit(hash, SPACE)
    words++
  }
  return words < PASSAGE_WORDS_MIN ? undefined : hashIndex(hash, 32)
}

/** Whether the passage stands in the mail of many senders. */
export function isCommonPassage({ passages }: CommonText, passage: string): boolean {
  if (passages.length === 0) return false
  const hash = passageHash(passage)
  if (hash === undefined) return false
  let from = 0
  let to = passages.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (passages[middle]! < hash) from = middle + 1
    else to = middle
  }
  return passages[from] === hash
}
