/**
 * Takes entries of the history as messages are judged, and writes them to the store in batches.
 *
 * No verdict waits for it and none fails with it: what the store does not take at once, and what is too
 * much to keep in memory meanwhile, is dropped and counted, and a warning says so.
 */
import { TamisError } from '../../errors/errors.ts'
import type { Store } from '../store/store.ts'
import type { HistoryEntry } from './history-entry.ts'

/** Entries that wait, in all processes of a service: twenty seconds of 500 messages a second, some 6 MB. */
export const WAITING_MAX = 10_000

/** Entries of one write. A recipient of the next message waits some milliseconds for it at the most. */
const BATCH_MAX = 100

/** How long an entry waits for others to be written with it. */
const WAIT_MS = 1_000

/** The least time between two warnings. */
const WARNING_INTERVAL_MS = 60_000

export interface HistoryRecorderOptions {
  readonly store: Pick<Store, 'addHistory'>
  readonly log: { warn(fields: object, message: string): void }
  readonly waitMs?: number
  /** WAITING_MAX if absent. */
  readonly waitingMax?: number
}

/** What became of entries. */
export type HistoryCounter = (tenant: string, outcome: 'kept' | 'dropped', count: number) => void

interface Waiting {
  readonly tenant: string
  readonly entry: HistoryEntry
}

export class HistoryRecorder {
  readonly #store: HistoryRecorderOptions['store']
  readonly #log: HistoryRecorderOptions['log']
  readonly #waitMs: number
  readonly #waitingMax: number
  /** Is told what became of entries; the metrics take it, which exist later than this. */
  onCounted: HistoryCounter = () => {}
  #waiting: Waiting[] = []
  /** Those of #waiting and those that are being written. */
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosing = false
  /** True once the store was not there at the end: each further batch would wait for it some seconds. */
  #isLost = false
  #droppedSince = 0
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor({ store, log, waitMs = WAIT_MS, waitingMax = WAITING_MAX }: HistoryRecorderOptions) {
    this.#store = store
    this.#log = log
    this.#waitMs = waitMs
    this.#waitingMax = waitingMax
  }

  /** Takes `entries` without waiting; drops those for which there is no room. */
  record(tenant: string, entries: readonly HistoryEntry[]): void {
    const room = Math.max(0, this.#waitingMax - this.#count)
    for (const entry of entries.slice(0, room)) this.#waiting.push({ tenant, entry })
    this.#count += Math.min(room, entries.length)
    if (entries.length > room) {
      this.#drop(tenant, entries.length - room, 'Too many entries wait for the store')
    }
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#write(), this.#waitMs)
  }

  /** Writes what waits, or drops it once the store is not available. The store must still be open. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#write()
    await this.#writing
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const taken = this.#waiting
    this.#waiting = []
    this.#writing = this.#writing.then(() => this.#writeAll(taken))
  }

  async #writeAll(taken: readonly Waiting[]): Promise<void> {
    for (const [tenant, those] of Map.groupBy(taken, ({ tenant }) => tenant)) {
      for (let at = 0; at < those.length; at += BATCH_MAX) {
        const batch = those.slice(at, at + BATCH_MAX).map(({ entry }) => entry)
        await this.#writeBatch(tenant, batch)
        this.#count -= batch.length
      }
    }
  }

  /** Never rejects. A batch that fails is not tried again: the store may have it. */
  async #writeBatch(tenant: string, batch: readonly HistoryEntry[]): Promise<void> {
    if (this.#isLost) {
      this.#drop(tenant, batch.length, 'The store was not available at the end')
      return
    }
    try {
      this.onCounted(tenant, 'kept', await this.#store.addHistory(tenant, batch))
    } catch (error) {
      const isAway = error instanceof TamisError && error.code === 'STORE_UNAVAILABLE'
      this.#isLost = this.#isClosing && isAway
      this.#drop(tenant, batch.length, error)
    }
  }

  #drop(tenant: string, count: number, cause: unknown): void {
    this.onCounted(tenant, 'dropped', count)
    this.#droppedSince += count
    const now = performance.now()
    if (now < this.#warnedAt + WARNING_INTERVAL_MS) return
    this.#warnedAt = now
    const why = cause instanceof Error ? { err: cause } : { reason: cause }
    this.#log.warn(
      { dropped: this.#droppedSince, ...why },
      'Some judged messages were left out of the history',
    )
    this.#droppedSince = 0
  }
}
