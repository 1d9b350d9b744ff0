/** A serving thread or the office thread, seen from the main thread, from its start to its end. */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { TamisError } from '../../errors/errors.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import type { FilterName } from '../integrations/filter.ts'
import { type Answer, type Call, Calls } from '../threads/calls.ts'
import { OpenConnections } from './open-connections.ts'
import type { MainCalls, Started, StartOrder, ThreadCalls } from './under-main.ts'

/** Time for a thread to start, in milliseconds. It takes a second; on a machine that has just booted, many times as long. */
const START_MS_MAX = 120_000

/** Heartbeats of the main thread without one of this thread after which it counts as hung: no message takes a third of them. */
const MISSED_MAX = 10

/** Heartbeats without one of this thread after which it gets connections only where all others miss as many. */
const LATE_MISSED = 3

/** The same as MISSED_MAX while it starts. */
const MISSED_IN_START_MAX = 30

/**
 * Bounds of a thread's heap, in MiB. Old objects: a serving thread has 50 at rest and twice that with full caches of users; the
 * worst known message needs 200. Young ones: nearly all of a message's are dead before a third of the room is full.
 */
const LIMITS: Readonly<Record<ThreadKind, ResourceLimits>> = {
  serving: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 48 },
  office: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 6 },
}

/** Time to answer a question of another thread, in milliseconds: what is asked for is known. */
const ANSWER_MS_MAX = 1_000

export type ThreadKind = 'serving' | 'office'

export class ServiceThread {
  readonly calls: Calls<ThreadCalls>
  /** As `threadId` on that thread. */
  readonly id: number
  /** Resolves to how the thread has ended. */
  readonly ended: Promise<string>
  readonly #worker: Worker
  readonly #heartbeats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #connections = new OpenConnections()
  #beats = 0
  #missed = 0
  #isUp = false
  #hasEnded = false

  /** Starts the thread. @param functions what it may call */
  constructor(
    kind: ThreadKind,
    order: Omit<StartOrder, 'heartbeats' | 'connections'>,
    functions: (thread: ServiceThread) => MainCalls,
  ) {
    const workerData: StartOrder = {
      ...order,
      heartbeats: this.#heartbeats.buffer as SharedArrayBuffer,
      connections: this.#connections.memory,
    }
    this.#worker = new Worker(moduleBeside(import.meta.url, `${kind}-thread`), {
      workerData,
      // Node's own options (-e, --watch) are not for this thread.
      execArgv: [],
      resourceLimits: LIMITS[kind],
    })
    this.id = this.#worker.threadId
    const send = (message: Call | Answer) => this.#worker.postMessage(message)
    this.calls = new Calls<ThreadCalls>(send, functions(this))
    this.#worker.on('message', (message: Call | Answer) => this.calls.receive(message))
    this.ended = new Promise((resolve) => {
      let cause: unknown
      this.#worker.on('error', (error) => {
        cause = error
      })
      this.#worker.on('exit', (status) => {
        this.#isUp = false
        this.#hasEnded = true
        this.#connections.answer()
        const how = cause instanceof Error ? (cause.stack ?? cause.message) : `status ${status}`
        this.calls.end(new TamisError('NOT_READY', `A thread has ended: ${how}`))
        resolve(how)
      })
    })
  }

  /** Whether it may hang: it misses heartbeats. */
  get isLate(): boolean {
    return this.#missed >= LATE_MISSED
  }

  /** How many connections it has. */
  get connections(): number {
    return this.#connections.count
  }

  /** Gives it a connection, of which the descriptor stays the caller's. Whether it has room. */
  give(descriptor: number, filter?: FilterName): boolean {
    const entered = this.#connections.enter(descriptor, filter === undefined)
    if (entered !== undefined) this.calls.tell('connection', ...entered, filter)
    return entered !== undefined
  }

  /** Whether it has started and not ended. */
  get isUp(): boolean {
    return this.#isUp
  }

  /** @throws TamisError, as `openService` does; NOT_READY when the thread ends during its start. */
  async start(): Promise<Started> {
    const late = setTimeout(() => void this.end(), START_MS_MAX)
    try {
      const started = await this.calls.call('start')
      this.#isUp = true
      this.#missed = 0
      return started
    } catch (error) {
      await this.end()
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  /** To be called every HEARTBEAT_MS. Whether the thread hangs. */
  missesHeartbeats(): boolean {
    const beats = Atomics.load(this.#heartbeats, 0)
    this.#missed = beats === this.#beats ? this.#missed + 1 : 0
    this.#beats = beats
    return !this.#hasEnded && this.#missed > (this.#isUp ? MISSED_MAX : MISSED_IN_START_MAX)
  }

  /** What it answers to a question of another thread; undefined if it does not in time, or fails. */
  async answer(question: string): Promise<unknown> {
    const answered = this.calls.call('answer', question).catch(() => undefined)
    return await within(ANSWER_MS_MAX, answered)
  }

  /**
   * Asks it to end after its requests in progress, and ends it after `graceMs`.
   *
   * @param last called when its last request is over
   */
  async close(graceMs: number, last: () => Promise<void>): Promise<void> {
    await within(
      graceMs,
      this.calls.call('close').catch(() => {}),
    )
    await last()
    await this.end()
  }

  /** Ends it at once. */
  async end(): Promise<void> {
    await this.#worker.terminate()
    await this.ended
  }
}

/** Which of `threads`, at least one, is to get the next connection: that with the fewest, of those that do not seem to hang. */
export function freest<Thread extends Pick<ServiceThread, 'isLate' | 'connections'>>(
  threads: readonly Thread[],
): Thread {
  const inTime = threads.filter(({ isLate }) => !isLate)
  return (inTime.length > 0 ? inTime : threads).reduce((best, it) =>
    it.connections < best.connections ? it : best,
  )
}

/** What `promise` gives; undefined when it takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
