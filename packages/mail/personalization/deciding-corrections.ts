/** Which of a user's corrections are behind what personal deltas add for a message. */
import { type SparseTerms, wordOfTerm } from '../embedding/sparse-terms.ts'
import type { NamedCorrection } from './named-correction.ts'
import { type PersonalDeltas, personalShift } from './personal-deltas.ts'

/** A correction about spam, and the terms of the corrected message. */
export interface LearnedCorrection {
  readonly correction: NamedCorrection
  readonly terms: SparseTerms
}

/** A correction, and what the terms add that its message shares with the one judged, in log-odds. */
export interface DecidingCorrection {
  readonly correction: NamedCorrection
  readonly logit: number
}

/** Corrections that are named: nobody withdraws more at once. */
const NAMED_MAX = 3

/** The part of the whole from which a correction is named. */
const SHARE_MIN = 0.1

/**
 * The corrections with the largest part in the spam shift of a message with `terms`, the largest first; only those
 * that say what the shift says. Parts overlap, since corrected messages share terms with each other: they do not add up.
 */
export function decidingCorrections(
  deltas: PersonalDeltas,
  terms: SparseTerms,
  learned: readonly LearnedCorrection[],
): DecidingCorrection[] {
  const whole = personalShift(deltas, terms).spam
  if (whole === 0) return []
  const label = whole > 0 ? 'spam' : 'ham'
  return learned
    .filter(({ correction }) => correction.label === label)
    .map(({ correction, terms: own }) => {
      const words = new Set([...own].map(wordOfTerm))
      const shared = terms.filter((term) => words.has(wordOfTerm(term)))
      return { correction, logit: personalShift(deltas, shared, terms).spam }
    })
    .filter(({ logit }) => logit / whole >= SHARE_MIN)
    .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
    .slice(0, NAMED_MAX)
}
