/** This side of the training thread (learning-in-thread.ts). Its calls are done one after the other. */
import { encodeDeltas, zeroDeltas } from '../../mail/learning/deltas.ts'
import type { Promotions } from '../../mail/learning/online-learning.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import type { PersonalDeltas } from '../../mail/personalization/personal-deltas.ts'
import { Thread } from '../threads/thread.ts'
import type { CorrectedFeatures } from '../users/correction.ts'
import type { LearningCalls, LearningThreadData, LearnTask } from './learning-in-thread.ts'

/**
 * A run of training on the thread. When the thread ends, its calls fail, and those of the
 * thread that follows it too: the run is to be begun anew.
 */
export class Training {
  readonly #thread: Thread<LearningCalls>
  readonly #run: number
  readonly #models: Models
  #begun = false

  constructor(thread: Thread<LearningCalls>, models: Models, run: number) {
    this.#thread = thread
    this.#models = models
    this.#run = run
  }

  /** Gives how often deltas were promoted and refused until now. */
  async train(examples: LearnTask['examples']): Promise<Promotions> {
    const task: LearnTask = { run: this.#run, begins: !this.#begun, examples }
    this.#begun = true
    return await this.#thread.call('train', task)
  }

  /** An id that no other run in this process has. */
  get name(): string {
    return `run ${this.#run}`
  }

  /** The promoted deltas as the store keeps them. */
  async encode(): Promise<Uint8Array> {
    if (!this.#begun) return encodeDeltas(zeroDeltas(this.#models))
    return await this.#thread.call('encode', { run: this.#run })
  }

  /** Gives its memory back; that of a closed thread is given back already. */
  async end(): Promise<void> {
    if (this.#begun && !this.#thread.isClosed) {
      await this.#thread.call('end', { run: this.#run })
    }
  }
}

export class LearningThread {
  readonly #thread: Thread<LearningCalls>
  readonly #models: Models
  #lastRun = 0

  /** The thread starts with the first run. */
  constructor(models: Models, canary: Canary) {
    this.#models = models
    const workerData: LearningThreadData = { models, canary }
    this.#thread = new Thread({
      module: moduleBeside(import.meta.url, 'learning-in-thread'),
      workerData,
      endedBy: (cause) => new Error('The training thread ended', { cause }),
    })
  }

  /**
   * The deltas of a user who has made these corrections, oldest first; undefined when the thread is closed
   * meanwhile: other models have come, whose features may be others, and the user is read again for them.
   */
  async personal(corrections: readonly CorrectedFeatures[]): Promise<PersonalDeltas | undefined> {
    try {
      return await this.#thread.call('personal', corrections)
    } catch (error) {
      if (this.#thread.isClosed) return undefined
      throw error
    }
  }

  newRun(): Training {
    return new Training(this.#thread, this.#models, ++this.#lastRun)
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}
