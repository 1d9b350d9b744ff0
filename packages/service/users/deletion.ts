/** A user who is forgotten. */

/** All that was kept of them, or what they taught about classes. */
export type DeletionKind = 'all' | 'tabs'

export interface DeletedUser {
  readonly rules: number
  /** Corrections that were active. */
  readonly memory: number
  /** Corrections in the log, ended ones included. */
  readonly feedback: number
  /** Rebuilds the models without the user. */
  readonly jobId: string
  readonly deletedAt: Date
}
