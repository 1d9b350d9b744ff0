/** A server under test, as the load generator sees it. */
import type { Daemon } from './daemon.ts'

/** Where and how a server is to run. */
export interface Place {
  /** Empty folder, for what it stores. */
  readonly scratch: string
  /** The cores to run on, written as for `taskset -c`. */
  readonly cores: string
  /** Processes that read messages; those that start and watch them come on top. */
  readonly workers: number
}

/** What can be started. */
export interface ServerKind {
  readonly name: string
  /** As the installed program gives it; undefined when it is not installed. */
  readonly version: () => string | undefined
  readonly start: (place: Place) => Promise<Server>
}

export interface Server extends Daemon {
  readonly name: string
  /** Resolves when a verdict on `message` has come, and is rejected when none has. */
  readonly ask: (message: Buffer) => Promise<void>
}
