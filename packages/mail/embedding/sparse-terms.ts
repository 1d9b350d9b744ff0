/**
 * The terms of a message: the words and pairs of words of its own text, as far as they tell it from
 * mail of others. They are text features (features/text-features.ts), each by its value times how
 * particular it is (features/common-text.ts): TF-IDF over hashed words. Memory and personal deltas
 * compare them; since no model is involved, messages can be compared that were embedded by different models.
 */
import { type CommonText, specificity } from '../features/common-text.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { TEXT_INDEX_BITS, wordFeatures } from '../features/text-features.ts'
import type { Passages } from './passages.ts'

/**
 * The terms of a message, packed: the index of a feature in the upper bits of 24, above 8 bits of value,
 * ascending, no index twice, at most TERMS_MAX; four bytes per term. They are stored and compared in this form.
 */
export type SparseTerms = Uint32Array

/** About the words of a page; a longer text keeps those that weigh most. */
export const TERMS_MAX = 256

const VALUE_BITS = 8
const VALUE_MAX = 255

/** Hashes fill the 24 bits from above, as the index of a memory sorts them into buckets. */
const INDEX_SHIFT = 24 - TEXT_INDEX_BITS + VALUE_BITS

/** The terms of a message's passages that weigh most. */
export function termsOf({ subject, own }: Passages, common: CommonText): SparseTerms {
  return termsOfFeatures(wordFeatures({ subject, body: own }), common)
}

/** The TERMS_MAX terms of text features that weigh most. */
export function termsOfFeatures(
  { indices, values }: SparseVector,
  common: CommonText,
): SparseTerms {
  const weighed: [index: number, weight: number][] = []
  indices.forEach((index, i) => {
    const weight = values[i]! * specificity(common, index)
    if (storedValue(weight) > 0) weighed.push([index, weight])
  })
  return Uint32Array.from(heaviest(weighed), ([index, weight]) => packTerm(index, weight)).sort()
}

function heaviest(weighed: [index: number, weight: number][]): [index: number, weight: number][] {
  if (weighed.length <= TERMS_MAX) return weighed
  return weighed.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, TERMS_MAX)
}

/** The term of the feature at `index` with a weight in [0, 1]. */
export function packTerm(index: number, weight: number): number {
  return ((index << INDEX_SHIFT) | storedValue(weight)) >>> 0
}

/** Square roots are stored: most weights are below a tenth. */
function storedValue(weight: number): number {
  return Math.min(VALUE_MAX, Math.round(VALUE_MAX * Math.sqrt(weight)))
}

const WEIGHTS = Float32Array.from({ length: VALUE_MAX + 1 }, (_, value) => (value / VALUE_MAX) ** 2)

/** The weight of a term, in [0, 1]. */
export function weightOfTerm(term: number): number {
  return WEIGHTS[term & VALUE_MAX]!
}

/** What a term stands for, in 24 bits: equal for equal features. */
export function wordOfTerm(term: number): number {
  return term >>> VALUE_BITS
}

/** The squared length (L2) of the terms: which part of the text is particular to it, in [0, 1]. */
export function squaredLength(terms: SparseTerms): number {
  let sum = 0
  for (const term of terms) sum += weightOfTerm(term) ** 2
  return sum
}
