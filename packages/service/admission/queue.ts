/**
 * A first-in-first-out queue with a bound and a deadline. A mail server would rather have a refusal now
 * than a verdict too late, so a request that, at the current pace, cannot be expected to start in time
 * is refused at once.
 */
import { TamisError } from '../../mail/errors.ts'

export interface QueueSettings {
  /** How many tasks run at once. */
  readonly concurrency: number
  /** How many tasks may wait. */
  readonly depthMax: number
  /** Longest wait, in milliseconds. */
  readonly timeoutMs: number
}

/** The weight of the latest run in the mean: the last few dozen count. */
const MEAN_SHARE = 1 / 32

/** Where a result goes, such as one of Node's streams: it is closed when nobody waits for the result any more. */
export interface Outlet {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

interface Waiting {
  /** When the task gives up, on the clock of `performance.now`. */
  readonly deadline: number
  start(): void
  refuse(error: TamisError): void
}

export class AdmissionQueue {
  readonly #settings: QueueSettings
  /** The waiting tasks in the order of arrival. It is a set, so that one in the middle can leave at no cost. */
  readonly #waiting = new Set<Waiting>()
  #running = 0
  /** Mean time between the ends of two tasks while others wait, in milliseconds; the latest count most. */
  #meanMs = 0
  /** When a task last took the place of one that had ended; undefined while nobody waits. */
  #lastTurn: number | undefined
  #closed = false
  #onIdle: (() => void) | undefined

  constructor(settings: QueueSettings) {
    this.#settings = settings
  }

  /** How many tasks wait. */
  get depth(): number {
    return this.#waiting.size
  }

  /** How many more tasks would be accepted now. */
  get room(): number {
    if (this.refusal() !== undefined) return 0
    const { concurrency, depthMax } = this.#settings
    return concurrency - this.#running + depthMax - this.depth
  }

  /**
   * Runs `task` when its turn comes, and resolves to what it gives.
   *
   * @param outlet where the result goes: when it closes, the task leaves the queue; a task that has
   *   started runs on.
   * @throws TamisError QUEUE_FULL at once, QUEUE_TIMEOUT at the deadline (both with
   *   `queueDepth`), REQUEST_ABANDONED, SHUTTING_DOWN.
   */
  async run<T>(task: () => Promise<T>, outlet?: Outlet): Promise<T> {
    this.refuseIfFull()
    if (this.#running < this.#settings.concurrency) this.#running++
    else await this.#turn(outlet)
    try {
      return await task()
    } finally {
      this.#startNext()
    }
  }

  /** Throws what `run` would throw at once: to be called before the work of receiving a body. */
  refuseIfFull(): void {
    const refusal = this.refusal()
    if (refusal !== undefined) throw refusal
  }

  /** The error that `run` would throw at once; undefined while there is room. */
  refusal(): TamisError | undefined {
    if (this.#closed) return shuttingDown()
    const { concurrency, depthMax, timeoutMs } = this.#settings
    if (this.#running < concurrency) return undefined
    if (this.depth >= depthMax) {
      return queueFull(this.depth)
    }
    const expectedMs = (this.depth + 1) * this.#meanMs
    if (expectedMs <= timeoutMs) return undefined
    return new TamisError(
      'QUEUE_FULL',
      `The request would wait longer than ${timeoutMs} ms in the classification queue`,
      this.#depthDetail(),
    )
  }

  /**
   * Accepts nothing new. Resolves when everything is done, waiting tasks included, or after `graceMs`,
   * when the tasks that still wait have been refused.
   */
  async close(graceMs: number): Promise<void> {
    this.#closed = true
    if (this.#running === 0) return
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    const { promise: graceOver, timer } = delay(graceMs)
    await Promise.race([idle, graceOver])
    clearTimeout(timer)
    for (const waiting of this.#waiting) waiting.refuse(shuttingDown())
  }

  /** Resolves when a place to run has been handed over. */
  #turn(outlet: Outlet | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting)
        clearTimeout(timer)
        outlet?.off('close', abandon)
      }
      const waiting: Waiting = {
        deadline: performance.now() + this.#settings.timeoutMs,
        start: () => {
          leave()
          resolve()
        },
        refuse: (error) => {
          leave()
          reject(error)
        },
      }
      const abandon = () =>
        waiting.refuse(new TamisError('REQUEST_ABANDONED', 'The client closed the connection'))
      const timer = setTimeout(() => this.#timeOut(waiting), this.#settings.timeoutMs)
      this.#waiting.add(waiting)
      if (outlet?.destroyed) abandon()
      else outlet?.once('close', abandon)
    })
  }

  /** Hands the place of an ended task to the first waiting task that is still in time. */
  #startNext(): void {
    this.#noteTurn()
    for (const waiting of this.#waiting) {
      // Under load the timer itself may be late: a task past its deadline does not start.
      if (waiting.deadline > performance.now()) {
        waiting.start()
        return
      }
      this.#timeOut(waiting)
    }
    this.#running--
    if (this.#running === 0) this.#onIdle?.()
  }

  #noteTurn(): void {
    const now = performance.now()
    if (this.#lastTurn !== undefined) {
      this.#meanMs += MEAN_SHARE * (now - this.#lastTurn - this.#meanMs)
    }
    this.#lastTurn = this.#waiting.size > 0 ? now : undefined
  }

  #timeOut(waiting: Waiting): void {
    waiting.refuse(
      new TamisError(
        'QUEUE_TIMEOUT',
        `The request waited ${this.#settings.timeoutMs} ms in the classification queue`,
        this.#depthDetail(),
      ),
    )
  }

  #depthDetail(): { details: Record<string, number> } {
    return { details: { queueDepth: this.depth } }
  }
}

/** What is said while `queueDepth` requests wait, and no more may. */
export function queueFull(queueDepth: number): TamisError {
  return new TamisError('QUEUE_FULL', 'The classification queue is full', {
    details: { queueDepth },
  })
}

function shuttingDown(): TamisError {
  return new TamisError('SHUTTING_DOWN', 'The service is shutting down')
}

function delay(ms: number): { promise: Promise<void>; timer: NodeJS.Timeout } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, timer: setTimeout(resolve, ms) }
}
