/**
 * The jobs of deletions. Each waits until the models are learned without the user, if something was learned from the user,
 * and is done when nothing of the user is left in the files either. They wait in the store, so that one which its process
 * did not live to end is taken up by the next.
 *
 * A reader of a SQLite file keeps old pages in the log. Until it ends, the emptying of the log is all that is tried again,
 * and ever less often: to overwrite the file once more would write all of it into that log each time.
 */
import type { Store } from '../store/store.ts'
import type { Job } from './job.ts'

/** The shortest and the longest time between two attempts to scrub the files. */
const RETRY_MS_MIN = 5_000
const RETRY_MS_MAX = 5 * 60_000

export type DeletionJobs = Pick<Store, 'takeJob' | 'renewJob' | 'finishJob' | 'scrub'>

export interface DeletionsLog {
  warn(fields: object, message: string): void
}

/** `taken`: the models may know the user. `forgotten`: they do not. `overwritten`: nothing of the user is left but in the log. */
type Stage = 'taken' | 'forgotten' | 'overwritten'

export class Deletions {
  readonly #jobs: DeletionJobs
  readonly #log: DeletionsLog
  readonly #leaseMs: number
  /** The jobs that were taken and are not done. */
  readonly #stages = new Map<Job, Stage>()
  #retryMs = 0
  /** On the clock of `performance.now`. */
  #nextMs = 0

  constructor(jobs: DeletionJobs, log: DeletionsLog, leaseMs: number) {
    this.#jobs = jobs
    this.#log = log
    this.#leaseMs = leaseMs
  }

  get held(): readonly Job[] {
    return [...this.#stages.keys()]
  }

  /** Whether the models have to be learned anew. */
  get waitForLearning(): boolean {
    return this.#at('taken').length > 0
  }

  /** Takes all that wait. */
  async take(): Promise<void> {
    for (;;) {
      const job = await this.#jobs.takeJob(this.#leaseMs)
      if (job === undefined) return
      const wasLearned = job.detail['deleted'] !== 'not learned'
      this.#stages.set(job, wasLearned ? 'taken' : 'forgotten')
    }
  }

  /** The models have been learned from a log without the users of these jobs. */
  learnedWithout(jobs: readonly Job[]): void {
    for (const job of jobs)
      if (this.#stages.get(job) === 'taken') this.#stages.set(job, 'forgotten')
  }

  async renew(): Promise<void> {
    for (const job of this.held) {
      if (!(await this.#jobs.renewJob(job, this.#leaseMs))) this.#stages.delete(job)
    }
  }

  /** Overwrites what is left of the users in the files, and ends their jobs, unless the last attempt was just now. */
  async scrub(): Promise<void> {
    if (performance.now() < this.#nextMs) return
    if (await this.#scrubAll()) {
      this.#retryMs = 0
      return
    }
    if (this.#retryMs === 0) {
      this.#log.warn(
        { deletions: this.#stages.size },
        'Deletions are not done: another process reads or locks the store, or there is no room to write it anew. Tamis will try again',
      )
    }
    this.#retryMs = Math.min(Math.max(RETRY_MS_MIN, 2 * this.#retryMs), RETRY_MS_MAX)
    this.#nextMs = performance.now() + this.#retryMs
  }

  /** False if the files cannot be scrubbed now. */
  async #scrubAll(): Promise<boolean> {
    for (;;) {
      if (this.#at('overwritten').length > 0) {
        if (!(await this.#jobs.scrub('empty log'))) return false
        for (const job of this.#at('overwritten')) {
          await this.#jobs.finishJob(job)
          this.#stages.delete(job)
        }
      }
      const forgotten = this.#at('forgotten')
      if (forgotten.length === 0) return true
      if (!(await this.#jobs.scrub('overwrite'))) return false
      for (const job of forgotten) this.#stages.set(job, 'overwritten')
    }
  }

  #at(stage: Stage): Job[] {
    return this.held.filter((job) => this.#stages.get(job) === stage)
  }
}
