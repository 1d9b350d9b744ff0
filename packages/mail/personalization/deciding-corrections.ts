/** Which of a user's corrections are behind what personal deltas add for a message. */
import type { EventFeatures } from '../features/event-features.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import type { NamedCorrection } from './named-correction.ts'
import { type PersonalDeltas, personalShift } from './personal-deltas.ts'

/** A correction about spam, and the features of the corrected message. */
export interface LearnedCorrection extends EventFeatures {
  readonly correction: NamedCorrection
}

/** A correction, and what the features add that its message shares with the one judged, in log-odds. */
export interface DecidingCorrection {
  readonly correction: NamedCorrection
  readonly logit: number
}

/** Corrections that are named: nobody withdraws more at once. */
const NAMED_MAX = 3

/** The part of the whole from which a correction is named. */
const SHARE_MIN = 0.1

/**
 * The corrections with the largest part in the spam shift of a message with `features`, the largest first; only those
 * that say what the shift says. Parts overlap, since corrected messages share features with each other: they do not add up.
 */
export function decidingCorrections(
  deltas: PersonalDeltas,
  features: EventFeatures,
  learned: readonly LearnedCorrection[],
): DecidingCorrection[] {
  const whole = personalShift(deltas, features).spam
  if (whole === 0) return []
  const label = whole > 0 ? 'spam' : 'ham'
  return learned
    .filter(({ correction }) => correction.label === label)
    .map(({ correction, text, meta }) => {
      const shared = {
        text: sharedFeatures(features.text, text),
        meta: sharedFeatures(features.meta, meta),
      }
      return { correction, logit: personalShift(deltas, shared).spam }
    })
    .filter(({ logit }) => logit / whole >= SHARE_MIN)
    .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
    .slice(0, NAMED_MAX)
}

/** Those of `vector` that `other` has too. */
function sharedFeatures(vector: SparseVector, other: SparseVector): SparseVector {
  const others = new Set(other.indices)
  const kept = [...vector.indices.keys()].filter((i) => others.has(vector.indices[i]!))
  return {
    size: vector.size,
    indices: Uint32Array.from(kept, (i) => vector.indices[i]!),
    values: Float32Array.from(kept, (i) => vector.values[i]!),
  }
}
