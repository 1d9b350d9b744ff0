/**
 * This side of a worker thread (worker.ts): one task at a time, and an end for the thread that
 * does not come back from one. A plain Worker and not a pool's: the way there and back is a tenth
 * of what a message costs, and through piscina it was twice as much.
 */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  type Transferable,
  Worker,
} from 'node:worker_threads'
import { TamisError } from '../../mail/errors.ts'
import type { AnalyseResult, AnalyseTask, WorkerData } from './analyse-task.ts'
import type { STARTED } from './answer-tasks.ts'

/**
 * Time for a thread to start: loading its modules takes some 0.2 s. A hundred times as much on a
 * machine that has just started itself, and everything else on it.
 */
export const START_MS = 30_000

/** Pause after a thread has ended and nobody has asked for another: `ready` must not wait for a message to come. */
const RESTART_MS = 1_000

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

/** A thread that has started, and this end of the port on which it is talked to. */
interface Started {
  readonly worker: Worker
  readonly port: MessagePort
}

export class AnalysisThread {
  readonly #module: URL
  readonly #workerData: WorkerData
  readonly #limitMs: number
  /** Undefined until the first task, and from the end of one thread to the start of the next. */
  #current: Started | undefined
  /** Rejected where it does not start. */
  #started: Promise<Started> | undefined
  #isUp = false
  #closed = false
  #waiting: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #restart: NodeJS.Timeout | undefined

  /** @param limitMs time for a task, in milliseconds. */
  constructor(module: URL, workerData: WorkerData, limitMs: number) {
    this.#module = module
    this.#workerData = workerData
    this.#limitMs = limitMs
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** The answer to `task`, once those before it are answered. Rejects with the reason when the thread ends over it. */
  async run(
    task: AnalyseTask,
    transferList: readonly Transferable[],
    limitMs = this.#limitMs,
  ): Promise<AnalyseResult> {
    const { port } = this.#isUp && this.#current ? this.#current : await this.#start()
    port.postMessage(task, transferList)
    return (await this.#wait(limitMs)) as AnalyseResult
  }

  /**
   * Takes an answer that has come. The event loop would bring it by itself, but only when it has
   * been through all that came meanwhile: a flood of requests would keep the thread idle for most
   * of the time.
   */
  poll(): void {
    if (this.#waiting === undefined || this.#current === undefined) return
    const received = receiveMessageOnPort(this.#current.port)
    if (received !== undefined) this.#settle()?.resolve(received.message)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end(shuttingDown())
    clearTimeout(this.#restart)
  }

  #start(): Promise<Started> {
    if (this.#closed) return Promise.reject(shuttingDown())
    clearTimeout(this.#restart)
    this.#started ??= this.#startThread()
    return this.#started
  }

  async #startThread(): Promise<Started> {
    const worker = new Worker(this.#module, {
      workerData: this.#workerData,
      resourceLimits: HEAP,
    })
    const { port1: port, port2: theirs } = new MessageChannel()
    const current = { worker, port }
    this.#current = current
    port.on('message', (answer) => {
      // What a thread said before its end may come after it.
      if (this.#current === current) this.#settle()?.resolve(answer)
    })
    worker.on('error', (error) => this.#forget(current, error))
    worker.on('exit', (code) => this.#forget(current, new Error(`The thread ended with ${code}`)))
    worker.postMessage(theirs, [theirs])
    await this.#wait(START_MS)
    this.#isUp = true
    return current
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
    const current = this.#current
    if (current === undefined) return
    this.#forget(current, reason)
    await current.worker.terminate()
  }

  /** Of a thread that is ending, this is told once or twice; by then the next may be up. */
  #forget(current: Started, reason: Error): void {
    if (this.#current !== current) return
    this.#current = undefined
    this.#started = undefined
    this.#isUp = false
    current.port.close()
    this.#settle()?.reject(reason)
    if (this.#closed) return
    this.#restart = setTimeout(() => void this.#start().catch(() => {}), RESTART_MS).unref()
  }
}

function shuttingDown(): TamisError {
  return new TamisError('SHUTTING_DOWN', 'The service is shutting down')
}
