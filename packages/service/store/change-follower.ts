/**
 * Reads changes as they come and tells each once, as far as it can.
 *
 * Woken by commits and notices; and it looks by itself now and then, because a notice may be lost
 * and SQLite has none for what other processes write.
 */
import type { Change, ChangeCursor, ChangesPage } from './changes.ts'
import { OneAtATime } from './one-at-a-time.ts'

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
  /** Numbers of the changes of the last look: those beyond the cursor come again. */
  #told = new Set<number>()
  #stopped = false

  constructor(source: ChangeSource, cursor: ChangeCursor, onChange: (change: Change) => void) {
    this.#source = source
    this.#cursor = cursor
    this.#onChange = onChange
    const look = () => void this.look()
    this.#stopListening = source.onCommit(() => {
      this.#delayed ??= setTimeout(() => {
        this.#delayed = undefined
        look()
      }, LOOK_DELAY_MS).unref()
    })
    this.#timer = setInterval(look, source.pollMs)
    this.#timer.unref()
  }

  /** Resolves when all that was committed before has been told, as far as the store can be read. */
  look(): Promise<void> {
    return this.#looks.run()
  }

  stop(): void {
    this.#stopped = true
    this.#stopListening()
    clearInterval(this.#timer)
    clearTimeout(this.#delayed)
  }

  async #look(): Promise<void> {
    const told = new Set<number>()
    let position = this.#cursor
    while (!this.#stopped) {
      const page = await this.#pageAfter(position)
      if (page === undefined) return
      for (const change of page.changes) {
        if (!this.#told.has(change.seq) && !this.#stopped) this.#onChange(change)
        this.#told.add(change.seq)
        told.add(change.seq)
      }
      if (page.cursor !== position) this.#cursor = page.cursor
      if (page.changes.length < PAGE_SIZE) break
      position = page.changes.at(-1)!
    }
    this.#told = told
  }

  /** Undefined while the store is not available: the next look reads what this one did not. */
  async #pageAfter(position: ChangeCursor): Promise<ChangesPage | undefined> {
    try {
      return await this.#source.changesSince(position, PAGE_SIZE)
    } catch {
      return undefined
    }
  }
}
