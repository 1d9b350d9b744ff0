/** The answer to one recipient. Field names are those of the interface, §2.1 and §2.2. */
import type { ClassProbabilities, MessageClass } from '../models/prediction.ts'

/** What overrode the models, in order of precedence. */
export const BYPASS_REASONS = ['phishtank_match', 'user_rule', 'knn_memory', 'parse_error'] as const

export type BypassReason = (typeof BYPASS_REASONS)[number]

/** What of the user decided the class, or had a part in it. */
export const PERSONALIZATION_SOURCES = ['tabs_rule', 'tabs_knn'] as const

/** The full result, interface §2.1. */
export interface Verdict {
  readonly isSpam: boolean
  /** In [0, 1]. */
  readonly spamProbability: number
  readonly classification: MessageClass
  /** Calibrated probability of the text model alone, in [0, 1]. */
  readonly textSpamScore: number
  /** Calibrated probability of the meta model alone, in [0, 1]. */
  readonly metaSpamScore: number
  /** |spamProbability - threshold|. */
  readonly confidenceMargin: number
  /** Binary entropy of spamProbability, in bits, in [0, 1]. */
  readonly entropy: number
  /** |textSpamScore - metaSpamScore|. */
  readonly disagreement: number
  readonly shouldEscalate: boolean
  readonly bypassReason: BypassReason | null
  readonly senderAuthenticated: boolean
}

/** The class-only result, interface §2.2, except elapsedMs, which only the server knows. */
export interface ClassVerdict {
  readonly classification: MessageClass
  /** Probability of `classification`, the largest of the four. */
  readonly confidence: number
  /** They sum to 1. */
  readonly classificationProbabilities: ClassProbabilities
  readonly personalizationSource: (typeof PERSONALIZATION_SOURCES)[number] | null
}
