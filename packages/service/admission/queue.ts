/** A queue with a bound and a deadline: first in, first out. */
import { TamisError } from '../../errors/errors.ts'

export interface QueueSettings {
  /** How many tasks run at once. */
  readonly concurrency: number
  /** How many tasks may wait. */
  readonly depthMax: number
  /** Longest wait, in milliseconds. */
  readonly timeoutMs: number
  /** Counts the tasks that wait, here and in other queues; in this queue alone if absent. */
  readonly waiting?: WaitingCount
}

export interface WaitingCount {
  readonly count: number
  add(more: number): void
}

/** Where a result goes, such as one of Node's streams: it is closed when the caller no longer waits for the result. */
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
  /** In the order of arrival. It is a set, so that one in the middle can leave at no cost. */
  readonly #waiting = new Set<Waiting>()
  #running = 0
  #closed = false

  constructor(settings: QueueSettings) {
    this.#settings = settings
  }

  /** How many tasks wait, here and wherever else they are counted. */
  get depth(): number {
    return this.#settings.waiting?.count ?? this.#waiting.size
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
    const refusal = this.refusal()
    if (refusal !== undefined) throw refusal
    if (this.#running < this.#settings.concurrency) this.#running++
    else await this.#turn(outlet)
    try {
      return await task()
    } finally {
      this.#startNext()
    }
  }

  /** The error that `run` would throw at once; undefined while there is room. */
  refusal(): TamisError | undefined {
    if (this.#closed) return shuttingDown()
    const { concurrency, depthMax } = this.#settings
    if (this.#running < concurrency || this.depth < depthMax) return undefined
    return this.#refused('QUEUE_FULL', 'The classification queue is full')
  }

  /** Accepts nothing new, and refuses what waits. */
  close(): void {
    this.#closed = true
    for (const waiting of this.#waiting) waiting.refuse(shuttingDown())
  }

  /** Resolves when a place to run has been handed over. */
  #turn(outlet: Outlet | undefined): Promise<void> {
    const { timeoutMs, waiting: count } = this.#settings
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting)
        count?.add(-1)
        clearTimeout(timer)
        outlet?.off('close', abandon)
      }
      const waiting: Waiting = {
        deadline: performance.now() + timeoutMs,
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
      const timer = setTimeout(() => this.#timeOut(waiting), timeoutMs)
      this.#waiting.add(waiting)
      count?.add(1)
      if (outlet?.destroyed) abandon()
      else outlet?.once('close', abandon)
    })
  }

  /** Hands the place of an ended task to the next that is still in time: under load the timer itself may be late. */
  #startNext(): void {
    const now = performance.now()
    for (const waiting of this.#waiting) {
      if (waiting.deadline > now) {
        waiting.start()
        return
      }
      this.#timeOut(waiting)
    }
    this.#running--
  }

  #timeOut(waiting: Waiting): void {
    const text = `The request waited ${this.#settings.timeoutMs} ms in the classification queue`
    waiting.refuse(this.#refused('QUEUE_TIMEOUT', text))
  }

  #refused(code: 'QUEUE_FULL' | 'QUEUE_TIMEOUT', text: string): TamisError {
    return new TamisError(code, text, { details: { queueDepth: this.depth } })
  }
}

function shuttingDown(): TamisError {
  return new TamisError('SHUTTING_DOWN', 'The service is shutting down')
}
