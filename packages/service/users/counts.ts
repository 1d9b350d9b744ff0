/** How many corrections, rules and correspondents users have. */
import type { CorrespondentCounts } from './correspondent.ts'

/** The versions of features and embeddings that this Tamis uses. */
export interface CurrentVersions {
  readonly featureVersion: string
  readonly embeddingModel: string
}

/** Only active corrections count. */
export interface Counts {
  /** The number of users who have corrected anything. */
  readonly users: number
  /** The number of rules of users: explicit ones, and those made by themselves from corrections. */
  readonly rules: number
  readonly corrections: { readonly spam: number; readonly tabs: number }
  readonly correspondents: CorrespondentCounts
  /** Corrections made with another version: not learned from, or remembered by their words alone. */
  readonly setAside: { readonly features: number; readonly embeddings: number }
}
