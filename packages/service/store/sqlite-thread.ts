/**
 * This side of a SQLite thread (sqlite-worker.ts): tasks out, promises back. When the thread ends,
 * whoever waits for it is told, and the next task starts another.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { TamisError } from '../../mail/errors.ts'
import { workerModule } from '../../mail/worker-module.ts'
import type { SqliteSettings } from './sqlite-connection.ts'
import type { Task, TaskError, TaskMessage, TaskResult } from './sqlite-worker.ts'

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export class SqliteThread {
  readonly #settings: SqliteSettings
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #lastId = 0
  #closed = false

  constructor(settings: SqliteSettings) {
    this.#settings = settings
    this.#worker = this.#start()
  }

  /** @throws what the task throws; TamisError STORE_UNAVAILABLE when the thread ends meanwhile. */
  run(task: Task): Promise<unknown> {
    if (this.#closed) return Promise.reject(new TypeError('The store is closed'))
    this.#worker ??= this.#start()
    const worker = this.#worker
    this.#lastId += 1
    const message: TaskMessage = { id: this.#lastId, task }
    return new Promise((resolve, reject) => {
      this.#pending.set(message.id, { resolve, reject })
      worker.postMessage(message)
    })
  }

  /** Resolves when the thread has done what it was given and ended. */
  async close(): Promise<void> {
    if (this.#closed) return
    const worker = this.#worker
    if (worker === undefined) {
      this.#closed = true
      return
    }
    const ended = once(worker, 'exit')
    const closing = this.run({ name: 'close' })
    this.#closed = true
    await closing.catch(() => {})
    await ended
  }

  #start(): Worker {
    const worker = new Worker(workerModule(import.meta.url, 'sqlite-worker'), {
      workerData: this.#settings,
    })
    worker.on('message', (result: TaskResult) => this.#settle(result))
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => this.#end(cause))
    return worker
  }

  #settle(result: TaskResult): void {
    const pending = this.#pending.get(result.id)
    this.#pending.delete(result.id)
    if ('error' in result) pending?.reject(errorOf(result.error))
    else pending?.resolve(result.value)
  }

  #end(cause: unknown): void {
    this.#worker = undefined
    const error = new TamisError('STORE_UNAVAILABLE', 'The store is not available', {
      cause: cause ?? new Error('The thread of the SQLite connection has ended'),
    })
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }
}

function errorOf({ code, name, message, stack, cause }: TaskError): Error {
  if (code !== undefined) {
    return new TamisError(code, message, cause === undefined ? {} : { cause: new Error(cause) })
  }
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message)
  return Object.assign(error, { name, stack })
}
