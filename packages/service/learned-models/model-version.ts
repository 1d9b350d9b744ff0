/** A version of what was learned, as the store keeps it. */

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
