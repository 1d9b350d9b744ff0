/**
 * Jobs that rebuild a tenant's models after a user has been forgotten. They wait in the store, so
 * that one which its process did not live to end is taken up by the next. A job is done when the
 * models are rebuilt and nothing of the user is left in the files; until then it is tried again.
 */

import type { Learning } from '../learned-models/learning.ts'
import { type ServerProcesses, topic } from '../siblings/siblings.ts'
import type { Store } from '../store/store.ts'
import type { Job } from './job.ts'

/** A job whose process has not been heard of for so long is another's. */
const LEASE_MS = 10 * 60_000

/** How soon a job is found that no one here was told of, and one that failed is tried again. */
const LOOK_INTERVAL_MS = 5_000

/** Tells the office, which rebuilds, that there is a job. */
export const JOB_WAITS = topic<[]>('job waits')

export interface RebuildingSettings {
  readonly store: Jobs
  readonly models: Pick<Learning, 'rebuild'>
  readonly onError: (error: unknown) => void
  readonly workers: Pick<ServerProcesses, 'on'>
}

type Jobs = Pick<Store, 'takeJob' | 'renewJob' | 'finishJob' | 'scrub'>

export class Rebuilding {
  readonly #jobs: Jobs
  readonly #models: Pick<Learning, 'rebuild'>
  readonly #onError: (error: unknown) => void
  readonly #lookTimer: NodeJS.Timeout
  readonly #leaseTimer: NodeJS.Timeout
  /** The jobs that were taken and are not done. */
  readonly #held = new Set<Job>()
  readonly #rebuilt = new Set<Job>()
  #working: Promise<void> | undefined
  #closing = false

  constructor({ store, models, onError, workers }: RebuildingSettings) {
    this.#jobs = store
    this.#models = models
    this.#onError = onError
    this.#lookTimer = setInterval(() => this.look(), LOOK_INTERVAL_MS).unref()
    this.#leaseTimer = setInterval(() => void this.#renew(), LEASE_MS / 4).unref()
    workers.on(JOB_WAITS, () => this.look())
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
    if (this.#closing || this.#held.size === 0) return
    // Readers of the files keep old pages there: the next attempt tries again.
    if (!(await this.#jobs.scrub())) return
    for (const job of this.#held) {
      await this.#jobs.finishJob(job)
      this.#drop(job)
    }
  }

  async #takeAll(): Promise<void> {
    for (;;) {
      const job = this.#closing ? undefined : await this.#jobs.takeJob(LEASE_MS)
      if (job === undefined) return
      this.#held.add(job)
    }
  }

  /** Rebuilds once for each tenant, however many of its users have left. */
  async #rebuildAll(): Promise<void> {
    const waiting = [...this.#held].filter((job) => !this.#rebuilt.has(job))
    for (const tenant of new Set(waiting.map((job) => job.tenant))) {
      if (this.#closing) return
      await this.#models.rebuild(tenant)
      for (const job of waiting) if (job.tenant === tenant) this.#rebuilt.add(job)
    }
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
  }
}
