/**
 * Shares connections out among the processes of a service. All accept on one socket, and a process that
 * is awake takes what has arrived, often all connections of a mail server; kept alive, they stay with it
 * for hours while other processes have nothing to do.
 *
 * So the processes tell each other on how many connections requests came lately. One that has more than
 * its share, and is busy, closes some after their answers; their clients connect again, and a process that
 * is free takes them.
 */

import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { type Siblings, topic } from '../siblings/siblings.ts'

/** How often processes tell each other, in milliseconds. */
const INTERVAL_MS = 500

/** The share of its time from which a process is busy. Below it, all requests are answered soon wherever they come. */
const BUSY_MIN = 0.5

const ACTIVE_CONNECTIONS = topic<[index: number, count: number]>('active connections')

export class ConnectionShares {
  readonly #siblings: Siblings
  readonly #busy: () => number
  readonly #others: number[]
  /** Connections on which a request came in this interval. */
  #active = new Set<Socket>()
  /** How many may still be closed in this interval. */
  #tooMany = 0
  readonly #timer: NodeJS.Timeout | undefined

  /** @param busy the share of the time since the last call in which this process was busy. */
  constructor(siblings: Siblings, busy: () => number = eventLoopUse()) {
    this.#siblings = siblings
    this.#busy = busy
    this.#others = Array.from({ length: siblings.count }, () => 0)
    if (siblings.count === 1) return
    siblings.on(ACTIVE_CONNECTIONS, (index, count) => {
      this.#others[index] = count
    })
    this.#timer = setInterval(() => this.endInterval(), INTERVAL_MS).unref()
  }

  /** A request has come on `socket`. */
  request(socket: Socket): void {
    if (this.#siblings.count > 1) this.#active.add(socket)
  }

  /** Whether the connection of the request that is being answered is to be closed. */
  closes(): boolean {
    if (this.#tooMany <= 0) return false
    this.#tooMany--
    return true
  }

  /** Tells the others, and sees how many connections are too many; for the timer, and for tests. */
  endInterval(): void {
    const own = this.#active.size
    this.#active = new Set()
    const { index, count } = this.#siblings
    if (own !== this.#others[index]) this.#siblings.tell(ACTIVE_CONNECTIONS, index, own)
    this.#others[index] = own
    const all = this.#others.reduce((sum, one) => sum + one)
    this.#tooMany = this.#busy() < BUSY_MIN ? 0 : own - Math.ceil(all / count)
  }

  end(): void {
    clearInterval(this.#timer)
  }
}

/** The share of the time since the last call in which the event loop of this thread had something to do. */
function eventLoopUse(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
