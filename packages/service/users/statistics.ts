/** Counts the corrections and rules of users, for operators. */

import type { LearnedModels } from '../learned-models/learned-models.ts'
import type { Store } from '../store/store.ts'
import type { Counts } from './user-list.ts'

/** Counting reads every correction: those who watch the service ask several times a minute. */
const KEPT_MS = 10_000

interface Kept {
  readonly counting: Promise<Counts>
  readonly until: number
}

export class Statistics {
  readonly #store: Pick<Store, 'counts'>
  readonly #learned: Pick<LearnedModels, 'featureVersion'>
  readonly #embeddingModel: string
  #kept: Kept | undefined

  constructor(
    store: Pick<Store, 'counts'>,
    learned: Pick<LearnedModels, 'featureVersion'>,
    embeddingModel: string,
  ) {
    this.#store = store
    this.#learned = learned
    this.#embeddingModel = embeddingModel
  }

  /** At most KEPT_MS old. @throws TamisError STORE_UNAVAILABLE */
  countsOf(): Promise<Counts> {
    const kept = this.#kept
    if (kept !== undefined && performance.now() < kept.until) return kept.counting
    const counting = this.#store.counts({
      featureVersion: this.#learned.featureVersion,
      embeddingModel: this.#embeddingModel,
    })
    this.#kept = { counting, until: performance.now() + KEPT_MS }
    counting.catch(() => {
      this.#kept = undefined
    })
    return counting
  }
}
