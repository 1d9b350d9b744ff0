/**
 * The models in a server process: what the office has learned (learning.ts), served a moment
 * later. What only the office can know it is asked.
 *
 * What a user's corrections change for that user alone is made here: it is part of what each process
 * remembers of a user (users.ts).
 */

import { TamisError } from '../../errors/errors.ts'
import { DeltaBuffers, type DeltasLease } from '../../mail/learning/delta-buffers.ts'
import { copyDeltas, decodeDeltas } from '../../mail/learning/deltas.ts'
import type { UnnamedEvent } from '../../mail/learning/learn-event.ts'
import type { LearningMode } from '../../mail/learning/learning-policy.ts'
import type { Promotions } from '../../mail/learning/online-learning.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import type { PersonalDeltas } from '../../mail/personalization/personal-deltas.ts'
import type { Siblings } from '../siblings/siblings.ts'
import type { Store } from '../store/store.ts'
import { errorOf } from '../threads/sent-error.ts'
import type { CorrectedFeatures } from '../users/correction.ts'
import { isLearnedFrom, type LearnedFrom } from './learned-from.ts'
import { LearningThread } from './learning-thread.ts'
import type { ModelSummary } from './model-version.ts'
import {
  CHANGE_VERSION,
  DELTAS_SERVED,
  MODELS_REBUILT,
  MODELS_SERVED,
  PROGRESS,
  type VersionChange,
  WOULD_LEARN,
} from './office-topics.ts'

/** The least time between two looks at what is served: deltas are up to some megabytes. */
const TAKE_INTERVAL_MS = 500

/** How soon what went wrong is tried again, also while the office does not answer. */
const RETRY_DELAY_MS = 5_000

export interface LearnedModelsSettings extends LearnedFrom {
  readonly store: Pick<Store, 'models'>
  readonly base: Models
  readonly canary: Canary
  /** Called with an error in the background; the work is tried again. */
  readonly onError: (error: unknown) => void
  readonly siblings: Pick<Siblings, 'askOffice' | 'on'>
}

export class LearnedModels {
  #settings: LearnedModelsSettings
  #thread: LearningThread
  /** What classification adds to the shipped weights. */
  #deltas: DeltaBuffers
  /** The name of the deltas. */
  #served = ''
  /** When they were last asked for, on the clock of `performance.now`. */
  #takenMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  /** The looks at what is served, one after the other. */
  #work = Promise.resolve()
  /** The look that has yet to begin: it is that of all who ask for one until then. */
  #next: Promise<void> | undefined
  #closing = false

  private constructor(settings: LearnedModelsSettings) {
    this.#settings = settings
    this.#thread = new LearningThread(settings.base, settings.canary)
    this.#deltas = new DeltaBuffers(settings.base)
  }

  /** Begins to follow. Until it has the deltas, the shipped weights serve. */
  static open(settings: LearnedModelsSettings): LearnedModels {
    const learned = new LearnedModels(settings)
    settings.siblings.on(MODELS_SERVED, () => learned.#takeSoon())
    settings.siblings.on(MODELS_REBUILT, () => learned.take())
    learned.#takeSoon()
    return learned
  }

  /** Does not wait for the office. */
  async close(): Promise<void> {
    this.#closing = true
    clearTimeout(this.#timer)
    await this.#thread.close()
  }

  /** Reports what went wrong in the background. */
  get onError(): (error: unknown) => void {
    return this.#settings.onError
  }

  /** The version of the features that are learned: corrections with others are set aside. */
  get featureVersion(): string {
    return this.#settings.base.featureVersion
  }

  /**
   * What is to be added to the weights of the models `version`, in shared memory; undefined for nothing,
   * and for models that a reload has replaced.
   */
  leaseDeltas(version: string): DeltasLease | undefined {
    if (version !== this.#settings.base.version) return undefined
    return this.#deltas.lease()
  }

  /** Whether a correction recorded now corrects the models that all users share; false, too, while the office does not answer. */
  async wouldLearn(event: UnnamedEvent): Promise<boolean> {
    if (this.#settings.mode === 'off') return false
    return (await this.#settings.siblings.askOffice(WOULD_LEARN, event)) ?? false
  }

  /**
   * What the corrections of one user, oldest first, add to the shipped weights for that user alone;
   * undefined where nothing is learned.
   */
  async personalDeltas(
    userId: string,
    corrections: readonly CorrectedFeatures[],
  ): Promise<PersonalDeltas | undefined> {
    if (!isLearnedFrom(this.#settings, userId)) return undefined
    return await this.#thread.personal(corrections)
  }

  /** Serves the other shipped weights alone until the office has learned over them. */
  rebase(base: Models, canary: Canary): void {
    const old = this.#thread
    this.#settings = { ...this.#settings, base, canary }
    this.#thread = new LearningThread(base, canary)
    this.#deltas = new DeltaBuffers(base)
    this.#served = ''
    this.#takeSoon()
    old.close().catch(this.#settings.onError)
  }

  /** The promotions and refusals until now; none while the office does not answer. */
  async progress(): Promise<Promotions & { readonly mode: LearningMode }> {
    const { promoted, refused } = (await this.#settings.siblings.askOffice(PROGRESS)) ?? {
      promoted: 0,
      refused: 0,
    }
    return { mode: this.#settings.mode, promoted, refused }
  }

  /** Versions kept, newest first. */
  versions(): Promise<ModelSummary[]> {
    return this.#settings.store.models()
  }

  /** Puts into use what has been learned so far; the log is followed again. Returns the version. */
  async promote(): Promise<number> {
    return (await this.#changeVersion('promote'))!
  }

  /** Returns to the previous version; undefined means only the shipped weights. */
  rollback(): Promise<number | undefined> {
    return this.#changeVersion('rollback')
  }

  /** Serves what the office serves now. */
  async take(): Promise<void> {
    this.#next ??= this.#work.then(() => {
      this.#next = undefined
      return this.#takeNow()
    })
    const next = this.#next
    this.#work = next.catch(() => {})
    await next
  }

  /** @throws TamisError NOT_READY when the office does not answer; what it throws. */
  async #changeVersion(change: VersionChange): Promise<number | undefined> {
    const changed = await this.#settings.siblings.askOffice(CHANGE_VERSION, change)
    if (changed === undefined) {
      throw new TamisError('NOT_READY', 'The office process does not answer now')
    }
    if ('error' in changed) throw errorOf(changed.error)
    await this.take()
    return changed.version
  }

  /** At once, or as soon as TAKE_INTERVAL_MS are over. */
  #takeSoon(): void {
    clearTimeout(this.#timer)
    this.#takeIn(Math.max(0, this.#takenMs + TAKE_INTERVAL_MS - performance.now()))
  }

  #takeAgain(): void {
    if (this.#timer === undefined) this.#takeIn(RETRY_DELAY_MS)
  }

  #takeIn(delayMs: number): void {
    if (this.#closing) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.take().catch((error: unknown) => {
        this.#settings.onError(error)
        this.#takeAgain()
      })
    }, delayMs).unref()
  }

  async #takeNow(): Promise<void> {
    if (this.#closing) return
    this.#takenMs = performance.now()
    const served = await this.#settings.siblings.askOffice(DELTAS_SERVED, this.#served)
    if (this.#closing) return
    if (served === undefined) this.#takeAgain()
    const { base } = this.#settings
    // One of the two has yet to reload: when both have, the office tells, or this process asks again.
    if (served === undefined || served === 'as before' || served.base !== base.version) return
    const deltas = served.bytes && decodeDeltas(served.bytes, base)
    if (deltas === undefined) this.#deltas.clear()
    else await this.#deltas.replace(async (into) => copyDeltas(deltas, into))
    this.#served = served.name
  }
}
