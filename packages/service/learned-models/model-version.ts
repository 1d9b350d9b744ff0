/** A version of what was learned, as the store keeps it, and how far learning has come. */

export const MODEL_STATES = ['promoted', 'rejected', 'retired'] as const

export type ModelState = (typeof MODEL_STATES)[number]

export interface NewModel {
  /** Version of the artifact whose weights the deltas are added to. */
  readonly baseVersion: string
  readonly deltas: Uint8Array
  /** Place in the log up to which it has learned. */
  readonly learnedToSeq: number
  readonly metrics: Readonly<Record<string, unknown>>
}

export interface Model extends NewModel {
  /** Counted from 1. */
  readonly version: number
  readonly state: ModelState
  readonly createdAt: Date
}

export type ModelSummary = Omit<Model, 'deltas'>

/** A run of the learning job. */
export interface LearningProgress {
  /** Place in the log up to which it has learned. */
  readonly learnedToSeq: number
  /** What was learned from: the shipped weights, the mode, and the users from whom nothing is learned. */
  readonly basis: string
  readonly promoted: number
  readonly refused: number
  readonly tookMs: number
}

export interface LearningState {
  /** The last run; undefined before the first. */
  readonly last: (LearningProgress & { readonly finishedAt: Date }) | undefined
  /** Whether the next is asked for. */
  readonly isQueued: boolean
  /** Corrections since the last run, counted up to a limit. */
  readonly newCorrections: number
  /** Deletions that are not done, and whether the models may have learned from their users. */
  readonly deletions: readonly { readonly id: string; readonly isLearned: boolean }[]
}
