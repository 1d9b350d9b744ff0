/**
 * The main thread's side of a worker thread (worker.ts): it runs one task at a time, and ends a thread
 * that does not return from its task. It is a plain Worker rather than a pool's: the way there and back
 * is a tenth of what a message costs, and with piscina it was twice as much.
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
 * Time for a thread to start. Loading its modules takes some 0.2 s; on a machine that has just booted
 * with everything else on it, it may take a hundred times as long.
 */
export const START_MS = 30_000

/** Pause after which an ended thread is restarted even without a task: `ready` must not depend on the next message. */
const RESTART_MS = 1_000

/**
 * JavaScript heap of a thread, in MiB: everything kept of a message is bounded (message/limits.ts). A
 * thread that needs more is ended, rather than the process. New objects have room for a hundred
 * messages: a garbage collection costs the same after a hundred messages as after twenty, since nearly
 * all objects are dead by then. With 8 MiB a message took 0.1 ms of CPU more.
 */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 }

/** The promise that waits for the thread: first for its start, then for each answer. */
interface Waiting {
  resolve(answer: AnalyseResult | typeof STARTED): void
  reject(end: Error): void
}

/** A thread that has started, and this end of the port to it. */
interface Started {
  readonly worker: Worker
  readonly port: MessagePort
}

export class AnalysisThread {
  readonly #module: URL
  readonly #workerData: WorkerData
  readonly #limitMs: number
  /** Undefined until the first task, and between the end of one thread and the start of the next. */
  #current: Started | undefined
  /** Rejected when it does not start. */
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

  /** The answer to `task`, after those before it. Rejects with the reason when the thread ends over it. */
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
   * Takes an answer that has arrived. The event loop would deliver it too, but only after everything else
   * that arrived meanwhile: in a flood of requests the thread would be idle most of the time.
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
      // An answer sent before a thread's end may arrive after it.
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

  /** Takes the waiting promise, to be settled. */
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

  /** Called once or twice for a thread that is ending; by then the next may be up. */
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
