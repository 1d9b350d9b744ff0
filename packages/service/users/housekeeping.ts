/** Removes old data from the store: corrections after the retention time, and rows that only absent replicas need. */
import type { Store } from '../store/store.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Retention is counted in days: twice a day is exact enough. */
const INTERVAL_MS = DAY_MS / 2

export class Housekeeping {
  readonly #store: Pick<Store, 'expireCorrections' | 'prune'>
  readonly #retentionDays: number
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout

  constructor(
    store: Pick<Store, 'expireCorrections' | 'prune'>,
    retentionDays: number,
    onError: (error: unknown) => void,
  ) {
    this.#store = store
    this.#retentionDays = retentionDays
    this.#onError = onError
    this.#timer = setInterval(() => void this.tidy(), INTERVAL_MS).unref()
  }

  /** Runs at the start too. Models notice by themselves and learn again from the rest of the log. */
  async tidy(now: Date = new Date()): Promise<void> {
    try {
      await this.#store.expireCorrections(new Date(now.getTime() - this.#retentionDays * DAY_MS))
      await this.#store.prune()
    } catch (error) {
      this.#onError(error)
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
