/** What is stored of users in short: a list of them, and how many corrections, rules and correspondents they have. */
import type { Kind } from '../../mail/personalization/kinds.ts'
import type { UserRange } from '../access/namespace.ts'
import type { CorrespondentCounts } from './correspondent.ts'

export interface UserSearch {
  readonly users: UserRange
  /** Only users after this one, in the order of the list. */
  readonly after?: string
  readonly limit: number
  /** Of which rules and corrections are counted. */
  readonly kinds: readonly Kind[]
}

/** A user with stored data. */
export interface FoundUser {
  readonly userId: string
  /** Explicit rules. */
  readonly rules: number
  /** Corrections that hold. */
  readonly corrections: number
  /** When the last of them was made; absent if there is none. */
  readonly lastCorrection?: Date
  /** Of all kinds. */
  readonly correspondents: number
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

/** Counting reads every correction, and those who watch the service ask several times a minute. */
const KEPT_MS = 10_000

/** What `count` gives, at most KEPT_MS old. Rejects as `count` does. */
export function keptCounts(count: () => Promise<Counts>): () => Promise<Counts> {
  let counting: Promise<Counts> | undefined
  let until = 0
  return () => {
    if (counting !== undefined && performance.now() < until) return counting
    until = performance.now() + KEPT_MS
    counting = count()
    counting.catch(() => {
      counting = undefined
    })
    return counting
  }
}
