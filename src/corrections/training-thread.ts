/** This side of the training thread (training-worker.ts). Its calls are done one after the other. */
import { Piscina } from 'piscina'
import { type Deltas, encodeDeltas, zeroDeltas } from '../learning/deltas.ts'
import type { Models } from '../models/models.ts'
import { workerModule } from '../worker-module.ts'
import type { TrainingWorkerData, TrainTask } from './training-worker.ts'

/**
 * A course of training on the thread. When the thread ends, its calls fail, and those of the
 * thread that follows it too: the course is to be begun anew.
 */
export class Training {
  readonly #pool: Piscina
  readonly #course: number
  #begun = false

  constructor(pool: Piscina, course: number) {
    this.#pool = pool
    this.#course = course
  }

  /** Gives how often deltas were promoted until now. */
  async train(lessons: TrainTask['lessons']): Promise<number> {
    const task: TrainTask = { course: this.#course, begins: !this.#begun, lessons }
    this.#begun = true
    return await this.#pool.run(task, { name: 'train' })
  }

  /** Of no other course in this process. */
  get name(): string {
    return `course ${this.#course}`
  }

  /** Copies the promoted deltas into shared memory. */
  async copy(into: Deltas): Promise<void> {
    await this.#pool.run({ course: this.#course, into }, { name: 'copy' })
  }

  /** The promoted deltas as the store keeps them. */
  async encode(): Promise<Uint8Array> {
    if (!this.#begun) return encodeDeltas(zeroDeltas())
    return await this.#pool.run({ course: this.#course }, { name: 'encode' })
  }

  /** Gives its memory back. */
  async end(): Promise<void> {
    if (this.#begun) await this.#pool.run({ course: this.#course }, { name: 'end' })
  }
}

export class TrainingThread {
  readonly #pool: Piscina
  #lastCourse = 0

  /** The thread starts with the first course, and ends when there was nothing to do for a while. */
  constructor(models: Models) {
    const workerData: TrainingWorkerData = { models }
    this.#pool = new Piscina({
      filename: workerModule(import.meta.url, 'training-worker').href,
      minThreads: 0,
      maxThreads: 1,
      // Its courses would go with it.
      idleTimeout: Number.POSITIVE_INFINITY,
      workerData,
      recordTiming: false,
    })
    this.#pool.on('error', () => {})
  }

  newCourse(): Training {
    return new Training(this.#pool, ++this.#lastCourse)
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
