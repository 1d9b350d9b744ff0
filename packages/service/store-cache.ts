/**
 * A cache of what the store has, by name, bounded in size, the longest unused leaving first.
 *
 * The store is the truth, and its changes are read first where any thread of the process has made some. All who ask for the
 * same share one reading. A lookup never waits long for the store, and never fails with it: it then gives what was read last.
 * What was read before a change is not kept, and given only to those who had asked before.
 */
import type { Store } from './store/store.ts'

/** How long a lookup waits for the store, in milliseconds. */
export const LOOKUP_MS_MAX = 250

/** Reads a value. A part that serves until the rest is there goes to `soFar`. */
export type Reading<Value> = (soFar: (value: Value) => void) => Promise<Value>

interface Entry<Value> {
  /** What was read last. */
  value?: Value
  /** Its size; 0 until all of it is read. */
  size: number
  /** True while nothing has changed since all of `value` was read. */
  isCurrent: boolean
  /** What is being read since the last change. */
  reading?: Promise<Value> | undefined
}

export class StoreCache<Value> {
  readonly #store: Pick<Store, 'isCurrent' | 'catchUp'>
  readonly #sizeMax: number
  readonly #sizeOf: (value: Value) => number
  readonly #unknown: Value
  /** The longest unused first. */
  readonly #entries = new Map<string, Entry<Value>>()
  #size = 0

  /** @param unknown what a lookup gives when nothing could be read. */
  constructor(
    store: Pick<Store, 'isCurrent' | 'catchUp'>,
    sizeMax: number,
    sizeOf: (value: Value) => number,
    unknown: Value,
  ) {
    this.#store = store
    this.#sizeMax = sizeMax
    this.#sizeOf = sizeOf
    this.#unknown = unknown
  }

  /** What is named so, where that need not be read. */
  known(name: string): Value | undefined {
    const entry = this.#entries.get(name)
    return this.#store.isCurrent() && entry?.isCurrent ? entry.value : undefined
  }

  /**
   * What is named so, or was; never rejects.
   *
   * @param waitMsMax how long it may wait for the store, in milliseconds. 0: nothing is read.
   */
  async lookUp(
    name: string,
    read: Reading<Value>,
    waitMsMax: number = LOOKUP_MS_MAX,
  ): Promise<Value> {
    if (waitMsMax <= 0) return this.#entries.get(name)?.value ?? this.#unknown
    if (!this.#store.isCurrent()) await this.#store.catchUp()
    const entry = this.#used(name)
    if (entry.isCurrent) return entry.value!
    const otherwise = () => entry.value ?? this.#unknown
    return await Promise.race([
      this.#read(name, entry, read).catch(otherwise),
      after(Math.min(waitMsMax, LOOKUP_MS_MAX)).then(otherwise),
    ])
  }

  /** What is named so, as the store has it; rejects as `read` does. */
  async read(name: string, read: Reading<Value>): Promise<Value> {
    if (!this.#store.isCurrent()) await this.#store.catchUp()
    const entry = this.#used(name)
    return entry.isCurrent ? entry.value! : await this.#read(name, entry, read)
  }

  drop(name: string): void {
    this.#size -= this.#entries.get(name)?.size ?? 0
    this.#entries.delete(name)
  }

  dropAll(): void {
    this.#size = 0
    this.#entries.clear()
  }

  /** The entry that was used last stands last. */
  #used(name: string): Entry<Value> {
    const entry = this.#entries.get(name) ?? { size: 0, isCurrent: false }
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    return entry
  }

  #read(name: string, entry: Entry<Value>, read: Reading<Value>): Promise<Value> {
    if (entry.reading !== undefined) return entry.reading
    const reading = read((value) => {
      entry.value = value
    })
    entry.reading = reading
    const isWanted = () => entry.reading === reading && this.#entries.get(name) === entry
    reading.then(
      (value) => {
        if (isWanted()) this.#keep(name, entry, value)
      },
      () => {
        if (!isWanted()) return
        entry.reading = undefined
        // What was read in part is not counted in the size.
        if (entry.size === 0) this.drop(name)
      },
    )
    return reading
  }

  #keep(name: string, entry: Entry<Value>, value: Value): void {
    const size = this.#sizeOf(value)
    // One larger than the whole cache would only drive the others out.
    if (size > this.#sizeMax) {
      this.drop(name)
      return
    }
    this.#size += size - entry.size
    Object.assign(entry, { value, size, isCurrent: true, reading: undefined })
    for (const [oldest] of this.#entries) {
      if (this.#size <= this.#sizeMax) break
      this.drop(oldest)
    }
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
