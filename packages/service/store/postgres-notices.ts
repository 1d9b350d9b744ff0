/**
 * Tells replicas that something was committed: LISTEN on a separate connection, NOTIFY
 * after commits.
 *
 * A notice says only "look": what changed stands in the table `changes`, so that a lost notice
 * costs time and nothing else. NOTIFY is sent after the COMMIT and not within it, because
 * PostgreSQL takes a lock over the whole server from NOTIFY to the end of its transaction, and
 * commits would wait for each other's fsync (PreCommit_Notify in async.c).
 */
import type pg from 'pg'
import { OneAtATime } from './change-follower.ts'

const CHANNEL = 'tamis_changes'

/** Pause before the first and the longest before any other attempt to connect again. */
const RECONNECT_MS_MIN = 100
const RECONNECT_MS_MAX = 5_000

type Connect = () => pg.Client

export class PostgresNotices {
  readonly #connect: Connect
  readonly #wakes = new Set<() => void>()
  /** One notice for all commits since the last. */
  readonly #sends: OneAtATime<void>
  #client: pg.Client | undefined
  #retry: NodeJS.Timeout | undefined
  #pauseMs = RECONNECT_MS_MIN
  #started = false
  #closed = false

  /**
   * @param connect gives a client that is not yet connected.
   * @param execute runs a statement on any connection.
   */
  constructor(connect: Connect, execute: (statement: string) => Promise<unknown>) {
    this.#connect = connect
    this.#sends = new OneAtATime(async () => {
      // If the notice does not get through, other processes find the change by polling.
      if (!this.#closed) await execute(`notify ${CHANNEL}`).catch(() => {})
    })
  }

  /** Calls `wake` at every notice, and after every time without connection. */
  listen(wake: () => void): () => void {
    this.#wakes.add(wake)
    if (!this.#started) void this.#open()
    this.#started = true
    return () => this.#wakes.delete(wake)
  }

  /** Wakes the listeners of all processes when the notice arrives. */
  send(): void {
    void this.#sends.run()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retry)
    await this.#client?.end().catch(() => {})
  }

  async #open(): Promise<void> {
    const client = this.#connect()
    // An error is followed by the end, which is where it is dealt with.
    client.on('error', () => {})
    client.once('end', () => this.#reopen())
    client.on('notification', () => this.#wake())
    this.#client = client
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      this.#pauseMs = RECONNECT_MS_MIN
      this.#wake()
    } catch {
      await client.end().catch(() => {})
      this.#reopen()
    }
  }

  #reopen(): void {
    if (this.#closed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#open(), this.#pauseMs)
    this.#retry.unref()
    this.#pauseMs = Math.min(2 * this.#pauseMs, RECONNECT_MS_MAX)
  }

  #wake(): void {
    for (const wake of this.#wakes) wake()
  }
}
