/**
 * The main thread's side of the thread for large messages (analysis-in-thread.ts): it runs one task at a time, and
 * ends a thread that does not return from its task. The next task starts another.
 */
import { type Transferable, Worker } from 'node:worker_threads'
import { TamisError } from '../../errors/errors.ts'
import type { AnalyseResult, AnalyseTask, AnalysisParts } from './analyse-task.ts'
import type { STARTED } from './answer-tasks.ts'

/**
 * Time for a thread to start. Loading its modules takes some 0.2 s; on a machine that has just booted
 * with everything else on it, it may take a hundred times as long.
 */
const START_MS = 30_000

/**
 * JavaScript heap of the thread, in MiB: everything kept of a message is bounded (message/limits.ts). A
 * thread that needs more is ended, rather than the process.
 */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 }

/** What waits for the thread: first for its start, then for each answer. */
interface Waiting {
  resolve(answer: AnalyseResult | typeof STARTED): void
  reject(end: Error): void
}

export class AnalysisThread {
  readonly #module: URL
  readonly #workerData: AnalysisParts
  readonly #limitMs: number
  /** Undefined until the first task, and between the end of one thread and the start of the next. */
  #worker: Worker | undefined
  #isClosed = false
  #waiting: Waiting | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param limitMs time for a task, in milliseconds. */
  constructor(module: URL, workerData: AnalysisParts, limitMs: number) {
    this.#module = module
    this.#workerData = workerData
    this.#limitMs = limitMs
  }

  /** The answer to `task`; to be called when the one before it is done. Rejects with the reason when the thread ends over it. */
  async run(task: AnalyseTask, transferList: readonly Transferable[]): Promise<AnalyseResult> {
    if (this.#isClosed) throw shuttingDown()
    const worker = this.#worker ?? (await this.#start())
    worker.postMessage(task, transferList)
    return (await this.#wait(this.#limitMs)) as AnalyseResult
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end(shuttingDown())
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#module, {
      workerData: this.#workerData,
      resourceLimits: HEAP,
    })
    this.#worker = worker
    worker.on('message', (answer) => {
      // An answer sent before a thread's end may arrive after it.
      if (this.#worker === worker) this.#settle()?.resolve(answer)
    })
    worker.on('error', (error) => this.#forget(worker, error))
    worker.on('exit', (code) => this.#forget(worker, new Error(`The thread ended with ${code}`)))
    await this.#wait(START_MS)
    return worker
  }

  #wait(limitMs: number): Promise<AnalyseResult | typeof STARTED> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#timer = setTimeout(() => {
        void this.#end(new Error(`The thread did not answer within ${limitMs} ms`))
      }, limitMs)
    })
  }

  /** Takes the waiting promise, to be settled. */
  #settle(): Waiting | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    clearTimeout(this.#timer)
    return waiting
  }

  async #end(reason: Error): Promise<void> {
    const worker = this.#worker
    if (worker === undefined) return
    this.#forget(worker, reason)
    await worker.terminate()
  }

  /** Called once or twice for a thread that is ending; by then the next may be up. */
  #forget(worker: Worker, reason: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#settle()?.reject(reason)
  }
}

function shuttingDown(): TamisError {
  return new TamisError('SHUTTING_DOWN', 'The service is shutting down')
}
