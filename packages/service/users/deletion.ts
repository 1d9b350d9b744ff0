/** The deletion of a user's data. */

/** All data of the user, or only that about classes. */
export type DeletionKind = 'all' | 'tabs'

export interface DeletedUser {
  readonly rules: number
  /** The number of active corrections that were removed. */
  readonly memory: number
  /** The number of corrections in the log that were removed, including ended ones. */
  readonly feedback: number
  /** Correspondents of all kinds. */
  readonly correspondents: number
  readonly history: number
  /** The job that rebuilds the models without the user, and is done when nothing of the user is left in the files. */
  readonly jobId: string
  readonly deletedAt: Date
}
