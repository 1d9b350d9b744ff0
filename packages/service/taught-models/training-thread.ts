/** This side of the training thread (training-worker.ts). Its calls are done one after the other. */
import { Piscina } from 'piscina'
import { type Deltas, encodeDeltas, zeroDeltas } from '../../mail/learning/deltas.ts'
import type { Promotions } from '../../mail/learning/online-training.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import { workerModule } from '../../mail/worker-module.ts'
import type { CopyTask, CourseTask, TrainingWorkerData, TrainTask } from './training-worker.ts'

/**
 * A course of training on the thread. When the thread ends, its calls fail, and those of the
 * thread that follows it too: the course is to be begun anew.
 */
export class Training {
  readonly #thread: TrainingThread
  readonly #course: number
  #begun = false

  constructor(thread: TrainingThread, course: number) {
    this.#thread = thread
    this.#course = course
  }

  /** Gives how often deltas were promoted and refused until now. */
  async train(lessons: TrainTask['lessons']): Promise<Promotions> {
    const task: TrainTask = { course: this.#course, begins: !this.#begun, lessons }
    this.#begun = true
    return await this.#thread.run('train', task)
  }

  /** Of no other course in this process. */
  get name(): string {
    return `course ${this.#course}`
  }

  /** Copies the promoted deltas into shared memory. */
  async copy(into: Deltas): Promise<void> {
    await this.#thread.run('copy', { course: this.#course, into })
  }

  /** The promoted deltas as the store keeps them. */
  async encode(): Promise<Uint8Array> {
    if (!this.#begun) return encodeDeltas(zeroDeltas())
    return await this.#thread.run('encode', { course: this.#course })
  }

  /** Gives its memory back; that of a closed thread is given back already. */
  async end(): Promise<void> {
    if (this.#begun && !this.#thread.isClosed) {
      await this.#thread.run('end', { course: this.#course })
    }
  }
}

export class TrainingThread {
  readonly #pool: Piscina
  #lastCourse = 0
  #isClosed = false

  /** The thread starts with the first course, and ends when there was nothing to do for a while. */
  constructor(models: Models, canary: Canary) {
    const workerData: TrainingWorkerData = { models, canary }
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
    return new Training(this, ++this.#lastCourse)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Calls `name` on the thread. */
  async run<Result>(name: string, task: TrainTask | CopyTask | CourseTask): Promise<Result> {
    // A pool that was destroyed would start a thread that nobody ends.
    if (this.#isClosed) throw new Error('The training thread is closed')
    return (await this.#pool.run(task, { name })) as Result
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.destroy()
  }
}
