/**
 * A queue with a bound and a deadline. A mail server would rather have a refusal now than a verdict too late, so a
 * request that, at the current pace, cannot be expected to start in time is refused at once.
 *
 * Tasks wait in lanes, with those of their size. A lane is first in, first out, and the lanes share the time by bytes
 * (start-time fair queuing: Goyal, Vin and Cheng, 1996): a message of 5 KB waits for two of 2 MB at most, and not for
 * all that somebody has sent.
 */
import { TamisError } from '../../errors/errors.ts'

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

const KIB = 1024

/** The largest task of each lane but the last, in bytes: each lane's are four times as large as those of the one before. */
const LANE_BYTES_MAX = [64, 256, 1_024, 4_096, 16_384].map((kib) => kib * KIB)

/** What a task counts besides its bytes: a message without a body takes as long as some bytes. */
const TASK_BYTES = 4 * KIB

/** Where a result goes, such as one of Node's streams: it is closed when nobody waits for the result any more. */
export interface Outlet {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

interface Waiting {
  readonly bytes: number
  /** When the task gives up, on the clock of `performance.now`. */
  readonly deadline: number
  start(): void
  refuse(error: TamisError): void
}

/** The waiting tasks of about one size. */
interface Lane {
  /** In the order of arrival. It is a set, so that one in the middle can leave at no cost. */
  readonly waiting: Set<Waiting>
  /** Bytes of its tasks that have started, and what it has let pass while nobody waited in it. */
  startedBytes: number
  /** Mean time between the starts of two tasks while others wait, in milliseconds; the latest count most. */
  meanMs: number
  /** When its last task started; undefined while nobody waits. */
  lastTurn: number | undefined
}

export class AdmissionQueue {
  readonly #settings: QueueSettings
  readonly #lanes: readonly Lane[] = Array.from({ length: LANE_BYTES_MAX.length + 1 }, newLane)
  /** The `startedBytes` of the lane whose task started last, before that task. */
  #startedBytes = 0
  #depth = 0
  #running = 0
  #closed = false
  #onIdle: (() => void) | undefined

  constructor(settings: QueueSettings) {
    this.#settings = settings
  }

  /** How many tasks wait. */
  get depth(): number {
    return this.#depth
  }

  /** How many more small tasks would be accepted now. */
  get room(): number {
    if (this.refusal() !== undefined) return 0
    const { concurrency, depthMax } = this.#settings
    return concurrency - this.#running + depthMax - this.depth
  }

  /**
   * Runs `task` when its turn comes, and resolves to what it gives.
   *
   * @param bytes how large the task is.
   * @param outlet where the result goes: when it closes, the task leaves the queue; a task that has
   *   started runs on.
   * @throws TamisError QUEUE_FULL at once, QUEUE_TIMEOUT at the deadline (both with
   *   `queueDepth`), REQUEST_ABANDONED, SHUTTING_DOWN.
   */
  async run<T>(task: () => Promise<T>, bytes = 0, outlet?: Outlet): Promise<T> {
    const refusal = this.refusal(bytes)
    if (refusal !== undefined) throw refusal
    if (this.#running < this.#settings.concurrency) this.#running++
    else await this.#turn(bytes, outlet)
    try {
      return await task()
    } finally {
      this.#startNext()
    }
  }

  /** The error that `run` would throw at once; undefined while there is room. */
  refusal(bytes = 0): TamisError | undefined {
    if (this.#closed) return shuttingDown()
    const { concurrency, depthMax, timeoutMs } = this.#settings
    if (this.#running < concurrency) return undefined
    if (this.depth >= depthMax) {
      return queueFull(this.depth)
    }
    const { waiting, meanMs } = this.#laneFor(bytes)
    const expectedMs = (waiting.size + 1) * meanMs
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
    for (const { waiting } of this.#lanes) {
      for (const each of waiting) each.refuse(shuttingDown())
    }
  }

  /** Resolves when a place to run has been handed over. */
  #turn(bytes: number, outlet: Outlet | undefined): Promise<void> {
    const lane = this.#laneFor(bytes)
    return new Promise((resolve, reject) => {
      const leave = () => {
        lane.waiting.delete(waiting)
        this.#depth--
        clearTimeout(timer)
        outlet?.off('close', abandon)
      }
      const waiting: Waiting = {
        bytes,
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
      // What a lane did not use while nobody waited in it is lost.
      if (lane.waiting.size === 0) {
        lane.startedBytes = Math.max(lane.startedBytes, this.#startedBytes)
      }
      lane.waiting.add(waiting)
      this.#depth++
      if (outlet?.destroyed) abandon()
      else outlet?.once('close', abandon)
    })
  }

  /** Hands the place of an ended task to the next waiting task that is still in time. */
  #startNext(): void {
    const now = performance.now()
    while (this.#depth > 0) {
      const lane = this.#nextLane()
      const [waiting] = lane.waiting as Iterable<Waiting> as [Waiting]
      // Under load the timer itself may be late: a task past its deadline does not start.
      if (waiting.deadline > now) {
        this.#startedBytes = lane.startedBytes
        lane.startedBytes += TASK_BYTES + waiting.bytes
        waiting.start()
        noteTurn(lane, now)
        return
      }
      this.#timeOut(waiting)
    }
    this.#running--
    if (this.#running === 0) this.#onIdle?.()
  }

  #laneFor(bytes: number): Lane {
    const at = LANE_BYTES_MAX.findIndex((bytesMax) => bytes <= bytesMax)
    return this.#lanes.at(at)!
  }

  /** The lane in which somebody waits and of which least has started; of several, that of the smallest tasks. */
  #nextLane(): Lane {
    return this.#lanes
      .filter(({ waiting }) => waiting.size > 0)
      .reduce((least, lane) => (lane.startedBytes < least.startedBytes ? lane : least))
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

function newLane(): Lane {
  return { waiting: new Set(), startedBytes: 0, meanMs: 0, lastTurn: undefined }
}

/** A task of `lane` has started. */
function noteTurn(lane: Lane, now: number): void {
  if (lane.lastTurn !== undefined) lane.meanMs += MEAN_SHARE * (now - lane.lastTurn - lane.meanMs)
  lane.lastTurn = lane.waiting.size > 0 ? now : undefined
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
