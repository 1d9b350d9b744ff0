/** Those who watch the changes in a store. One follower reads for all of them: what changed is read once. */

import { ChangeFollower } from './change-follower.ts'
import type { Change, DatabaseKind } from './context.ts'
import type { Database } from './database.ts'
import type { Calls } from './operations.ts'

/**
 * Longest time until a change is seen that no notice came for. SQLite has no notices between
 * processes, and asking it costs a twentieth of a millisecond.
 */
const POLL_MS: Record<DatabaseKind, number> = { sqlite: 500, postgres: 2_000 }

interface Watcher {
  readonly onChange: (change: Change) => void
}

export class Watchers {
  readonly #database: Database
  readonly #calls: Pick<Calls, 'changesSince' | 'latestChange'>
  readonly #watchers = new Set<Watcher>()
  /** The follower; it exists while anybody watches. */
  #follower: Promise<ChangeFollower> | undefined
  /** The same, once it follows. */
  #following: ChangeFollower | undefined

  constructor(database: Database, calls: Pick<Calls, 'changesSince' | 'latestChange'>) {
    this.#database = database
    this.#calls = calls
  }

  /** Resolves, once changes are followed, to what ends the watching. */
  async add(onChange: (change: Change) => void): Promise<() => void> {
    const watcher: Watcher = { onChange }
    this.#watchers.add(watcher)
    this.#follower ??= this.#startFollower()
    const starting = this.#follower
    try {
      const follower = await starting
      if (this.#follower === starting) this.#following = follower
    } catch (error) {
      this.#watchers.delete(watcher)
      this.#follower = undefined
      throw error
    }
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.stop()
    }
  }

  /** Tells those who watch what has just been committed. */
  tell(changes: readonly Change[]): void {
    if (this.#following !== undefined) this.#following.tell(changes)
    else for (const change of changes) this.#onChange(change)
  }

  /** See `Store.silentMs`. */
  get silentMs(): number {
    return this.#following?.silentMs ?? 0
  }

  stop(): void {
    this.#follower?.then((follower) => follower.stop()).catch(() => {})
    this.#follower = undefined
    this.#following = undefined
  }

  async #startFollower(): Promise<ChangeFollower> {
    const { kind } = this.#database
    const source = {
      changesSince: this.#calls.changesSince,
      onCommit: (wake: () => void) => this.#database.onCommit(wake),
      pollMs: POLL_MS[kind],
    }
    const cursor = await this.#calls.latestChange()
    return new ChangeFollower(source, cursor, (change) => this.#onChange(change))
  }

  #onChange(change: Change): void {
    for (const { onChange } of this.#watchers) onChange(change)
  }
}
