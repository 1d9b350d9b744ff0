/**
 * This side of a worker thread (worker.ts): one task at a time, and an end for the thread that
 * does not come back from one. A plain Worker and not a pool's: the way there and back is a tenth
 * of what a message costs, and through piscina it was twice as much.
 */
import { type Transferable, Worker } from 'node:worker_threads'
import { TamisError } from '../errors.ts'
import type { AnalyseResult, AnalyseTask, WorkerData } from './analyse-task.ts'
import type { STARTED } from './answer-tasks.ts'

/** Time for a thread to start: loading its modules takes some 0.2 s, more on a busy machine. */
const START_MS = 5_000

/**
 * JavaScript heap of a thread, in MiB: all that is kept of a message is bounded
 * (message/limits.ts). One that wants more is ended, and not the process. New objects get room for
 * a hundred messages: to look for what lives costs the same after a hundred as after twenty, and
 * nearly all is garbage by then. With 8 MiB a message took 0.1 ms of CPU more.
 */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 }

/** Whoever waits for the thread: first for its start, then for each answer. */
interface Waiting {
  resolve(answer: AnalyseResult | typeof STARTED): void
  reject(end: Error): void
}

export class AnalysisThread {
  readonly #module: URL
  readonly #workerData: WorkerData
  readonly #limitMs: number
  /** Undefined until the first task, and from the end of one thread to the task that needs the next. */
  #worker: Worker | undefined
  #waiting: Waiting | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param limitMs time for a task, in milliseconds. */
  constructor(module: URL, workerData: WorkerData, limitMs: number) {
    this.#module = module
    this.#workerData = workerData
    this.#limitMs = limitMs
  }

  get isUp(): boolean {
    return this.#worker !== undefined
  }

  /** The answer to `task`, once those before it are answered. Rejects with the reason when the thread ends over it. */
  async run(task: AnalyseTask, transferList: readonly Transferable[]): Promise<AnalyseResult> {
    const worker = this.#worker ?? (await this.#start())
    worker.postMessage(task, transferList)
    return (await this.#wait(this.#limitMs)) as AnalyseResult
  }

  async close(): Promise<void> {
    await this.#end(new TamisError('SHUTTING_DOWN', 'The service is shutting down'))
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#module, {
      workerData: this.#workerData,
      resourceLimits: HEAP,
    })
    this.#worker = worker
    worker.on('message', (answer) => {
      // What a thread said before its end may come after it.
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

  /** Whoever waits, and waits no longer. */
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

  /** Of a thread that is ending, this is told once or twice; by then the next may be up. */
  #forget(worker: Worker, reason: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#settle()?.reject(reason)
  }
}
