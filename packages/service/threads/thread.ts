/**
 * A thread whose functions are called from here: there is one typed call, and one way in which errors
 * come back. Several calls may be in progress. When the thread ends, they fail, and the next call starts
 * another thread. The thread's side is answer-calls.ts.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { Answer, Call, CallTable } from './answer-calls.ts'
import { errorOf } from './sent-error.ts'

export interface ThreadSettings {
  readonly module: URL
  readonly workerData: unknown
  readonly resourceLimits?: ResourceLimits
  /** The error of a call when the thread ends during it; `cause` is undefined when the thread was ended from here. */
  readonly endedBy: (cause: unknown) => Error
}

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export class Thread<Calls extends CallTable> {
  readonly #settings: ThreadSettings
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #lastId = 0
  #isClosed = false

  /** The thread starts with the first call. */
  constructor(settings: ThreadSettings) {
    this.#settings = settings
  }

  /** Calls in progress. */
  get pending(): number {
    return this.#pending.size
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Calls `name` on the thread; returns or throws what it does there. */
  call<Name extends keyof Calls & string>(
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    if (this.#isClosed) return Promise.reject(this.#settings.endedBy(undefined))
    this.#worker ??= this.#start()
    const worker = this.#worker
    // A call keeps the process alive, an idle thread does not.
    if (this.#pending.size === 0) worker.ref()
    this.#lastId += 1
    const call: Call = { id: this.#lastId, name, args }
    return new Promise((resolve, reject) => {
      this.#pending.set(call.id, { resolve: resolve as Pending['resolve'], reject })
      worker.postMessage(call)
    })
  }

  /** Ends the thread; the next call starts another. */
  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  /** Ends the thread, and accepts no more calls. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.end()
  }

  #start(): Worker {
    const { module, workerData, resourceLimits } = this.#settings
    const worker = new Worker(module, {
      workerData,
      // Node's own options (-e, --watch) are not for this thread.
      execArgv: [],
      ...(resourceLimits && { resourceLimits }),
    })
    let cause: unknown
    worker.on('message', (answer: Answer) => this.#settle(worker, answer))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => this.#forget(worker, cause))
    return worker
  }

  #settle(worker: Worker, answer: Answer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (this.#pending.size === 0) worker.unref()
    if ('error' in answer) pending?.reject(errorOf(answer.error))
    else pending?.resolve(answer.value)
  }

  #forget(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const { reject } of this.#pending.values()) reject(this.#settings.endedBy(cause))
    this.#pending.clear()
  }
}
