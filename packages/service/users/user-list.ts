/** What is stored of users in short: a list of them, and how many corrections, rules and correspondents they have. */
import type { Kind } from '../../mail/personalization/kinds.ts'
import type { CorrespondentCounts } from './correspondent.ts'

export interface UserSearch {
  /** The first characters of the id, in upper and lower case as they stand there; all users if empty. */
  readonly startsWith: string
  /** The first of the users of a namespace. */
  readonly from: string
  /** Only users after this one, in the order of the list. Its id has to begin with `startsWith`. */
  readonly after?: string
  readonly limit: number
}

/** A user with stored data. */
export interface FoundUser {
  readonly userId: string
  /** Of all kinds. */
  readonly correspondents: number
  readonly stored: Readonly<Record<Kind, Stored>>
}

export interface Stored {
  /** Explicit rules. */
  readonly rules: number
  /** Corrections that hold, at most as many as the user's memory has of a kind. */
  readonly corrections: number
  /** When the last of them was made; absent if there is none. */
  readonly lastCorrection?: Date
}

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
