/** Work in the background that waits in the store: rebuilding the models after a deletion (rebuilding.ts). */

/** `failed` is of the interface; a job that cannot be done is tried again. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed'] as const

export interface Job {
  readonly id: string
  /** Of the user whose deletion it is; see access/namespace.ts. */
  readonly namespace?: string
  readonly kind: string
  readonly state: (typeof JOB_STATES)[number]
  /** Plain JSON, without any user id. */
  readonly detail: Readonly<Record<string, string>>
  /** How often it was taken: tells the holder of a lease from one that lost it. */
  readonly attempt: number
  readonly createdAt: Date
  readonly finishedAt?: Date
}
