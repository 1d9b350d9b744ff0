/**
 * The jobs of deletions. Each rebuilds the models without the user, if they may have learned from the user,
 * and is done when nothing of the user is left in the files either. They wait in the store, so that one which its process
 * did not live to end is taken up by the next.
 *
 * A reader of a SQLite file keeps old pages in the log. Until it ends, the emptying of the log is all that is tried again,
 * and ever less often: to overwrite the file once more would write all of it into that log each time.
 */

import type { Learning } from '../learned-models/learning.ts'
import { type ServerProcesses, topic } from '../siblings/siblings.ts'
import type { Store } from '../store/store.ts'
import type { Job } from './job.ts'

/** A job whose process has not been heard of for so long is another's. */
const LEASE_MS = 10 * 60_000

/** How soon a job is found that no one here was told of, and one that failed is tried again. */
const LOOK_INTERVAL_MS = 5_000

/** The most looks between two attempts to scrub the files: five minutes. */
const LOOKS_BETWEEN_MAX = 60

/** Tells the office, which rebuilds, that there is a job. */
export const JOB_WAITS = topic<[]>('job waits')

/** Asks how many deletions are not done. */
export const DELETIONS_WAITING = topic<[], number>('deletions waiting')

export interface RebuildingSettings {
  readonly store: Jobs
  readonly models: Pick<Learning, 'rebuild'>
  readonly onError: (error: unknown) => void
  readonly log: { warn(fields: object, message: string): void }
  readonly workers: Pick<ServerProcesses, 'on'>
}

type Jobs = Pick<Store, 'takeJob' | 'renewJob' | 'finishJob' | 'scrub'>

export class Rebuilding {
  readonly #jobs: Jobs
  readonly #models: Pick<Learning, 'rebuild'>
  readonly #onError: (error: unknown) => void
  readonly #log: RebuildingSettings['log']
  readonly #lookTimer: NodeJS.Timeout
  readonly #leaseTimer: NodeJS.Timeout
  /** The jobs that were taken and are not done. */
  readonly #held = new Set<Job>()
  readonly #rebuilt = new Set<Job>()
  /** Those of which nothing is left but in the log. */
  readonly #overwritten = new Set<Job>()
  /** How many looks were between the last two attempts to scrub the files; 0 after one that went well. */
  #looksBetween = 0
  /** How many looks are left until the next. */
  #looksLeft = 0
  #working: Promise<void> | undefined
  #closing = false

  constructor({ store, models, onError, log, workers }: RebuildingSettings) {
    this.#jobs = store
    this.#models = models
    this.#onError = onError
    this.#log = log
    this.#lookTimer = setInterval(() => {
      this.#looksLeft = Math.max(0, this.#looksLeft - 1)
      this.look()
    }, LOOK_INTERVAL_MS).unref()
    this.#leaseTimer = setInterval(() => void this.#renew(), LEASE_MS / 4).unref()
    workers.on(JOB_WAITS, () => this.look())
    workers.on(DELETIONS_WAITING, () => this.#held.size)
    this.look()
  }

  /** Runs the waiting jobs, unless that is already happening. */
  look(): void {
    this.#working ??= this.#workOff()
      .catch(this.#onError)
      .finally(() => {
        this.#working = undefined
      })
  }

  /** Takes up nothing more. A job at hand goes back to the store when its lease is over. */
  close(): void {
    this.#closing = true
    clearInterval(this.#lookTimer)
    clearInterval(this.#leaseTimer)
  }

  async #workOff(): Promise<void> {
    await this.#takeAll()
    await this.#rebuildAll()
    if (this.#closing || this.#held.size === 0 || this.#looksLeft > 0) return
    if (await this.#scrubAll()) {
      this.#looksBetween = 0
      return
    }
    if (this.#looksBetween === 0) this.#warn()
    this.#looksBetween = Math.min(Math.max(1, 2 * this.#looksBetween), LOOKS_BETWEEN_MAX)
    this.#looksLeft = this.#looksBetween
  }

  /** Ends the jobs that are rebuilt, once the files are scrubbed. False if they cannot be now. */
  async #scrubAll(): Promise<boolean> {
    for (;;) {
      if (this.#overwritten.size > 0) {
        if (!(await this.#jobs.scrub('empty log'))) return false
        for (const job of this.#overwritten) {
          await this.#jobs.finishJob(job)
          this.#drop(job)
        }
      }
      if (this.#held.size === 0) return true
      if (!(await this.#jobs.scrub('overwrite'))) return false
      for (const job of this.#held) this.#overwritten.add(job)
    }
  }

  #warn(): void {
    this.#log.warn(
      { deletions: this.#held.size },
      'Deletions are not done: another process reads or locks the store, or there is no room to write it anew. Tamis will try again',
    )
  }

  async #takeAll(): Promise<void> {
    for (;;) {
      const job = this.#closing ? undefined : await this.#jobs.takeJob(LEASE_MS)
      if (job === undefined) return
      this.#held.add(job)
    }
  }

  /** Rebuilds once for each however many of its users have left. */
  async #rebuildAll(): Promise<void> {
    const waiting = [...this.#held].filter(
      (job) => !this.#rebuilt.has(job) && job.detail['deleted'] !== 'not learned',
    )
    if (waiting.length === 0 || this.#closing) return
    await this.#models.rebuild()
    for (const job of waiting) this.#rebuilt.add(job)
  }

  async #renew(): Promise<void> {
    try {
      for (const job of this.#held) {
        if (!(await this.#jobs.renewJob(job, LEASE_MS))) this.#drop(job)
      }
    } catch (error) {
      this.#onError(error)
    }
  }

  #drop(job: Job): void {
    this.#held.delete(job)
    this.#rebuilt.delete(job)
    this.#overwritten.delete(job)
  }
}
