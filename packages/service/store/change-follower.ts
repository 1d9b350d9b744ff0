/**
 * Reads the changes of other processes as they come and tells each once, as far as it can. Those of this
 * process, and of its siblings, it is told.
 *
 * Woken by notices; and it looks by itself now and then, because a notice may be lost and SQLite has
 * none for what others write (`tamis keys add`).
 */
import type { Change, ChangeCursor, ChangesPage } from './context.ts'

/** Commits come in bursts; those within this time after the first are read together. */
const LOOK_DELAY_MS = 20

/** Changes read at once. */
const PAGE_SIZE = 1_000

export interface ChangeSource {
  changesSince(cursor: ChangeCursor, limit: number): Promise<ChangesPage>
  onCommit(wake: () => void): () => void
  /** Longest time between two looks. */
  readonly pollMs: number
}

export class ChangeFollower {
  readonly #source: ChangeSource
  readonly #onChange: (change: Change) => void
  readonly #looks = new OneAtATime(() => this.#look())
  readonly #stopListening: () => void
  readonly #timer: NodeJS.Timeout
  #delayed: NodeJS.Timeout | undefined
  #cursor: ChangeCursor
  #heardAt = performance.now()
  /** Changes that have been told and are beyond the cursor, by their numbers: they will be read, some once more. */
  readonly #told = new Map<number, Change>()
  #stopped = false

  constructor(source: ChangeSource, cursor: ChangeCursor, onChange: (change: Change) => void) {
    this.#source = source
    this.#cursor = cursor
    this.#onChange = onChange
    const look = () => void this.#looks.run()
    this.#stopListening = source.onCommit(() => {
      this.#delayed ??= setTimeout(() => {
        this.#delayed = undefined
        look()
      }, LOOK_DELAY_MS).unref()
    })
    this.#timer = setInterval(look, source.pollMs)
    this.#timer.unref()
  }

  /** Tells changes that have just been committed, unless they have been read already. */
  tell(changes: readonly Change[]): void {
    for (const change of changes) {
      if (isBeyond(change, this.#cursor)) this.#tell(change)
    }
  }

  /** Milliseconds since the store last gave its changes. */
  get silentMs(): number {
    return performance.now() - this.#heardAt
  }

  stop(): void {
    this.#stopped = true
    this.#stopListening()
    clearInterval(this.#timer)
    clearTimeout(this.#delayed)
  }

  async #look(): Promise<void> {
    let position = this.#cursor
    while (!this.#stopped) {
      const page = await this.#pageAfter(position)
      if (page === undefined) return
      for (const change of page.changes) this.#tell(change)
      if (page.cursor !== position) this.#cursor = page.cursor
      if (page.changes.length < PAGE_SIZE) break
      position = page.changes.at(-1)!
    }
    for (const [seq, change] of this.#told) {
      if (!isBeyond(change, this.#cursor)) this.#told.delete(seq)
    }
  }

  #tell(change: Change): void {
    if (this.#stopped || this.#told.has(change.seq)) return
    this.#told.set(change.seq, change)
    this.#onChange(change)
  }

  /** Undefined while the store is not available: the next look reads what this one did not. */
  async #pageAfter(position: ChangeCursor): Promise<ChangesPage | undefined> {
    try {
      const page = await this.#source.changesSince(position, PAGE_SIZE)
      this.#heardAt = performance.now()
      return page
    } catch {
      return undefined
    }
  }
}

/** Whether a reader at `cursor` has yet to read the change. */
function isBeyond({ transaction, seq }: ChangeCursor, cursor: ChangeCursor): boolean {
  return (
    transaction > cursor.transaction || (transaction === cursor.transaction && seq > cursor.seq)
  )
}

/**
 * A task that is costly and serves all who ask for it before it starts: those who come while it
 * runs share the next run.
 */
export class OneAtATime<T> {
  readonly #task: () => Promise<T>
  #running: Promise<T> | undefined
  #next: Promise<T> | undefined

  constructor(task: () => Promise<T>) {
    this.#task = task
  }

  /** The result of a run that starts after this call. */
  run(): Promise<T> {
    if (this.#next !== undefined) return this.#next
    if (this.#running === undefined) return this.#start()
    this.#next = this.#running.then(
      () => this.#start(),
      () => this.#start(),
    )
    return this.#next
  }

  #start(): Promise<T> {
    this.#next = undefined
    const running = this.#task().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
