/**
 * Removes old data from the store: corrections and correspondents after the retention time, entries of the history,
 * and rows that only absent replicas need.
 */
import type { Store } from '../store/store.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** The history may grow by thousands of entries an hour, and has a limit. */
const INTERVAL_MS = HOUR_MS

/** Days after which a sender goes who has not been received for long: most senders that are new never write again. */
const NEW_SENDER_DAYS = 90

/** Entries that the history keeps, the newest: three weeks of a thousand mailboxes with fifty messages a day, in about a gigabyte. */
const HISTORY_ENTRIES_MAX = 1_000_000

/** What is removed, and when. */
export interface Retention {
  readonly retentionDays: number
  /** 0: the history is off, and all of it goes. */
  readonly historyDays: number
}

type TidiedStore = Pick<
  Store,
  'expireCorrections' | 'expireCorrespondents' | 'expireHistory' | 'historyReaches' | 'prune'
>

export class Housekeeping {
  readonly #store: TidiedStore
  readonly #retention: Retention
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #tidying: Promise<unknown> | undefined

  constructor(store: TidiedStore, retention: Retention, onError: (error: unknown) => void) {
    this.#store = store
    this.#retention = retention
    this.#onError = onError
    this.#timer = setInterval(() => void this.tidy(), INTERVAL_MS).unref()
  }

  /** Runs at the start too, and not twice at once: the first time may take long. Models notice by themselves and learn again from the rest of the log. */
  async tidy(now: Date = new Date()): Promise<void> {
    this.#tidying ??= this.#expire(now)
      .catch(this.#onError)
      .finally(() => {
        this.#tidying = undefined
      })
    await this.#tidying
  }

  async #expire(now: Date): Promise<void> {
    const { retentionDays, historyDays } = this.#retention
    const store = this.#store
    const before = daysBefore(now, retentionDays)
    const newBefore = daysBefore(now, Math.min(NEW_SENDER_DAYS, retentionDays))
    await untilNone(() => store.expireCorrections(before))
    await untilNone(() => store.expireCorrespondents(before, newBefore))
    await store.prune()
    // While the history is off everything is removed, also entries of a replica whose clock was ahead.
    const judgedBefore = daysBefore(now, historyDays === 0 ? -1 : historyDays)
    const full = await store.historyReaches(HISTORY_ENTRIES_MAX)
    const from = full !== undefined && full > judgedBefore ? full : judgedBefore
    await untilNone(() => store.expireHistory(from))
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/** Calls `removeSome`, each time a transaction, until it has nothing more to remove. */
async function untilNone(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) > 0);
}
