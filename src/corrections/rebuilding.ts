/**
 * Jobs that rebuild a tenant's models after a user has been forgotten. They wait in the store, so
 * that one which its process did not live to end is taken up by the next.
 */
import type { Store } from '../storage/store.ts'
import type { TaughtModels } from './taught-models.ts'

/** A job whose process has not been heard of for so long is another's: a log of 100,000 corrections takes some minutes. */
const LEASE_MS = 10 * 60_000

/** How soon a job is found that no one here was told of. */
const LOOK_INTERVAL_MS = 5_000

type Jobs = Pick<Store, 'takeJob' | 'finishJob' | 'scrub'>

export class Rebuilding {
  readonly #jobs: Jobs
  readonly #models: TaughtModels
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #working: Promise<void> | undefined
  #closing = false

  constructor(jobs: Jobs, models: TaughtModels, onError: (error: unknown) => void) {
    this.#jobs = jobs
    this.#models = models
    this.#onError = onError
    this.#timer = setInterval(() => this.look(), LOOK_INTERVAL_MS).unref()
    this.look()
  }

  /** Takes up what waits, unless that is being done. */
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
    clearInterval(this.#timer)
  }

  async #workOff(): Promise<void> {
    while (!this.#closing) {
      const job = await this.#jobs.takeJob(LEASE_MS)
      if (job === undefined) return
      await this.#models.rebuild(job.tenant)
      if (this.#closing) return
      await this.#jobs.scrub()
      await this.#jobs.finishJob(job, 'done', {})
    }
  }
}
