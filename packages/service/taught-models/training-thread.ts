/** This side of the training thread (training-worker.ts). Its calls are done one after the other. */
import { type Deltas, encodeDeltas, zeroDeltas } from '../../mail/learning/deltas.ts'
import type { Promotions } from '../../mail/learning/online-training.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import { workerModule } from '../../mail/worker-module.ts'
import { Thread } from '../threads/thread.ts'
import type { TrainingCalls, TrainingWorkerData, TrainTask } from './training-worker.ts'

/**
 * A course of training on the thread. When the thread ends, its calls fail, and those of the
 * thread that follows it too: the course is to be begun anew.
 */
export class Training {
  readonly #thread: Thread<TrainingCalls>
  readonly #course: number
  readonly #models: Models
  #begun = false

  constructor(thread: Thread<TrainingCalls>, models: Models, course: number) {
    this.#thread = thread
    this.#models = models
    this.#course = course
  }

  /** Gives how often deltas were promoted and refused until now. */
  async train(lessons: TrainTask['lessons']): Promise<Promotions> {
    const task: TrainTask = { course: this.#course, begins: !this.#begun, lessons }
    this.#begun = true
    return await this.#thread.call('train', task)
  }

  /** Of no other course in this process. */
  get name(): string {
    return `course ${this.#course}`
  }

  /** Copies the promoted deltas into shared memory. */
  async copy(into: Deltas): Promise<void> {
    await this.#thread.call('copy', { course: this.#course, into })
  }

  /** The promoted deltas as the store keeps them. */
  async encode(): Promise<Uint8Array> {
    if (!this.#begun) return encodeDeltas(zeroDeltas(this.#models))
    return await this.#thread.call('encode', { course: this.#course })
  }

  /** Gives its memory back; that of a closed thread is given back already. */
  async end(): Promise<void> {
    if (this.#begun && !this.#thread.isClosed) {
      await this.#thread.call('end', { course: this.#course })
    }
  }
}

export class TrainingThread {
  readonly #thread: Thread<TrainingCalls>
  readonly #models: Models
  #lastCourse = 0

  /** The thread starts with the first course. */
  constructor(models: Models, canary: Canary) {
    this.#models = models
    const workerData: TrainingWorkerData = { models, canary }
    this.#thread = new Thread({
      module: workerModule(import.meta.url, 'training-worker'),
      workerData,
      endedBy: (cause) => new Error('The training thread ended', { cause }),
    })
  }

  newCourse(): Training {
    return new Training(this.#thread, this.#models, ++this.#lastCourse)
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}
