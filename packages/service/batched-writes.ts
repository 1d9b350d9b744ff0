/**
 * Takes what is to be kept of messages as they are judged, and writes it to the store in batches.
 *
 * No verdict waits for it and none fails with it: what the store does not take at once, and what is too
 * much to keep in memory meanwhile, is dropped and counted, and a warning says so.
 */
import { TamisError } from '../errors/errors.ts'

/** Entries that wait on one thread: twenty seconds of 500 messages a second, some 6 MB. */
export const WAITING_MAX = 10_000

/** Entries of one write. A recipient of the next message waits at most some milliseconds for it. */
const BATCH_MAX = 100

/** How long an entry waits for others to be written with it. */
const WAIT_MS = 1_000

/** The shortest time between two warnings. */
const WARNING_INTERVAL_MS = 60_000

export interface BatchedWritesOptions<Entry> {
  /** Writes a batch; gives how many of it were kept. */
  readonly write: (batch: readonly Entry[]) => Promise<number>
  /** Says what was dropped, and that it was. */
  readonly warning: string
  readonly log: { warn(fields: object, message: string): void }
}

/** What became of entries. */
export type EntryCounter = (outcome: 'kept' | 'dropped', count: number) => void

export class BatchedWrites<Entry> {
  readonly #options: BatchedWritesOptions<Entry>
  /** Called with what became of entries; the metrics, which are made later, set it. */
  onCounted: EntryCounter = () => {}
  #waiting: Entry[] = []
  /** Those of #waiting and those that are being written. */
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosing = false
  /** True once the store was not there at the end: each further batch would wait for it some seconds. */
  #isLost = false
  #droppedSince = 0
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(options: BatchedWritesOptions<Entry>) {
    this.#options = options
  }

  /** Takes `entries` without waiting; drops those for which there is no room. */
  record(entries: readonly Entry[]): void {
    const room = Math.max(0, WAITING_MAX - this.#count)
    this.#waiting.push(...entries.slice(0, room))
    this.#count += Math.min(room, entries.length)
    if (entries.length > room) {
      this.#drop(entries.length - room, 'Too many entries wait for the store')
    }
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#write(), WAIT_MS)
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

  async #writeAll(taken: readonly Entry[]): Promise<void> {
    for (let at = 0; at < taken.length; at += BATCH_MAX) {
      const batch = taken.slice(at, at + BATCH_MAX)
      await this.#writeBatch(batch)
      this.#count -= batch.length
    }
  }

  /** Never rejects. A batch that fails is not tried again: the store may have it. */
  async #writeBatch(batch: readonly Entry[]): Promise<void> {
    if (this.#isLost) {
      this.#drop(batch.length, 'The store was not available at the end')
      return
    }
    try {
      this.onCounted('kept', await this.#options.write(batch))
    } catch (error) {
      const isAway = error instanceof TamisError && error.code === 'STORE_UNAVAILABLE'
      this.#isLost = this.#isClosing && isAway
      this.#drop(batch.length, error)
    }
  }

  #drop(count: number, cause: unknown): void {
    this.onCounted('dropped', count)
    this.#droppedSince += count
    const now = performance.now()
    if (now < this.#warnedAt + WARNING_INTERVAL_MS) return
    this.#warnedAt = now
    const why = cause instanceof Error ? { err: cause } : { reason: cause }
    this.#options.log.warn({ dropped: this.#droppedSince, ...why }, this.#options.warning)
    this.#droppedSince = 0
  }
}
