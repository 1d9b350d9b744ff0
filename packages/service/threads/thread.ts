/**
 * A thread whose functions are called from here (calls.ts). When the thread ends, calls in progress fail,
 * and the next call starts another thread. The thread's side is `answerCalls`.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { type Answer, Calls, type CallTable } from './calls.ts'

/**
 * Room for new objects in MiB, of which V8 fills a third before it collects them; unless the settings say otherwise. Threads
 * would have 48, as a process has, and keep 10 to 15 of it for good after they have loaded their code. A flag of the process overrules
 * it (v8-flags.ts).
 */
export const YOUNG_MIB_MAX = 6

export interface ThreadSettings {
  readonly module: URL
  readonly workerData: unknown
  readonly resourceLimits?: ResourceLimits
  /**
   * The error of a call when the thread ends during it.
   *
   * @param cause the error that ended it; undefined when it was ended from here, or exited with `exitCode`.
   */
  readonly endedBy: (cause: unknown, exitCode?: number) => Error
}

/** One thread, from its start to its end. */
interface Running<Functions extends CallTable> {
  readonly worker: Worker
  readonly calls: Calls<Functions>
}

export class Thread<Functions extends CallTable> {
  readonly #settings: ThreadSettings
  #running: Running<Functions> | undefined
  #isClosed = false

  /** The thread starts with the first call. */
  constructor(settings: ThreadSettings) {
    this.#settings = settings
  }

  /** Calls in progress. */
  get pending(): number {
    return this.#running?.calls.pending ?? 0
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Calls `name` on the thread; returns or throws what it does there. */
  call<Name extends keyof Functions & string>(
    name: Name,
    ...args: Parameters<Functions[Name]>
  ): Promise<Awaited<ReturnType<Functions[Name]>>> {
    if (this.#isClosed) return Promise.reject(this.#settings.endedBy(undefined))
    this.#running ??= this.#start()
    const { worker, calls } = this.#running
    // A call keeps the process alive, an idle thread does not.
    if (calls.pending === 0) worker.ref()
    return calls.call(name, ...args)
  }

  /** Ends the thread; the next call starts another. */
  async end(): Promise<void> {
    const running = this.#running
    this.#forget(running, undefined)
    await running?.worker.terminate()
  }

  /** Ends the thread, and accepts no more calls. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.end()
  }

  #start(): Running<Functions> {
    const { module, workerData, resourceLimits } = this.#settings
    const worker = new Worker(module, {
      workerData,
      // Node's own options (-e, --watch) are not for this thread.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB_MAX, ...resourceLimits },
    })
    const calls = new Calls<Functions>((message) => worker.postMessage(message), {})
    const running = { worker, calls }
    let cause: unknown
    worker.on('message', (answer: Answer) => {
      calls.receive(answer)
      if (calls.pending === 0) worker.unref()
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', (code) => this.#forget(running, cause, code))
    return running
  }

  #forget(running: Running<Functions> | undefined, cause: unknown, exitCode?: number): void {
    if (this.#running === running) this.#running = undefined
    running?.calls.end(this.#settings.endedBy(cause, exitCode))
  }
}
