/**
 * What was learned from corrections, as a serving thread has it: the deltas of the version that the store says is in use,
 * and what a user's own corrections add for that user alone.
 */
import { setImmediate } from 'node:timers/promises'
import { type Deltas, decodeDeltas } from '../../mail/learning/deltas.ts'
import type { LearningMode } from '../../mail/learning/learn.ts'
import { exampleOf } from '../../mail/learning/learn-event.ts'
import { LIMITS, WEEK_MS } from '../../mail/learning/learning-limits.ts'
import { PersonalTraining } from '../../mail/learning/personal-training.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import type { Kind } from '../../mail/personalization/kinds.ts'
import { decodeMemoryItem } from '../../mail/personalization/memory-item.ts'
import type { PersonalDeltas } from '../../mail/personalization/personal-deltas.ts'
import type { OperatorRules } from '../rules/operator-rules.ts'
import type { Store } from '../store/store.ts'
import type { CorrectedFeatures, NewCorrection } from '../users/correction.ts'
import type { ModelSummary } from './model-version.ts'

/** From whom something is learned: the mode of the settings, and what the operator's rules say of users. */
export interface LearnedFrom {
  readonly mode: LearningMode
  /** From whom nothing is learned, whatever the mode: neither the shared model nor personal deltas. */
  readonly rules?: Pick<OperatorRules, 'learning'>
}

/** Whether something is learned from a user: for all, or for that user alone. */
function isLearnedFrom({ mode, rules }: LearnedFrom, userId: string): boolean {
  return mode !== 'off' && rules?.learning.of(userId) !== 'off'
}

/** How soon to retry after an error. */
const RETRY_DELAY_MS = 5_000

export interface LearnedModelsSettings extends LearnedFrom {
  readonly store: Pick<
    Store,
    'promotedModel' | 'models' | 'promote' | 'rollback' | 'learningState' | 'standingOf' | 'watch'
  >
  readonly base: Models
  readonly canary: Canary
  /** Called with an error in the background; the work is tried again. */
  readonly onError: (error: unknown) => void
}

export interface LearningSummary {
  readonly mode: LearningMode
  readonly promoted: number
  readonly refused: number
  readonly deletions: number
}

export class LearnedModels {
  readonly #settings: LearnedModelsSettings
  #personal: PersonalTraining | undefined
  #deltas: Deltas | undefined
  /** The looks at the store, one after the other. */
  #work = Promise.resolve()
  #retry: NodeJS.Timeout | undefined
  #stopWatching: () => void = () => {}
  #isClosed = false

  private constructor(settings: LearnedModelsSettings) {
    this.#settings = settings
  }

  /** Follows the store until `close`. */
  static async open(settings: LearnedModelsSettings): Promise<LearnedModels> {
    const learned = new LearnedModels(settings)
    learned.#stopWatching = settings.store.watch(({ topic }) => {
      if (topic === 'models') learned.#takeSoon()
    })
    await learned.take()
    return learned
  }

  close(): void {
    this.#isClosed = true
    this.#stopWatching()
    clearTimeout(this.#retry)
  }

  /** Reports what went wrong in the background. */
  get onError(): (error: unknown) => void {
    return this.#settings.onError
  }

  /** The version of the features that are learned: corrections with others are set aside. */
  get featureVersion(): string {
    return this.#settings.base.featureVersion
  }

  /** What is added to the shipped weights; undefined for nothing. Immutable: another version is another object. */
  get deltas(): Deltas | undefined {
    return this.#deltas
  }

  /**
   * Whether a correction that is yet to be recorded counts for the models that all users share, as far as its user alone
   * decides that: the job leaves out what exceeds the limits of a domain or a day, and takes mail that was not authenticated
   * once enough users agree.
   */
  async wouldLearn({ userId, authority, authenticatedDomain }: NewCorrection): Promise<boolean> {
    const { mode, store } = this.#settings
    if (!isLearnedFrom(this.#settings, userId)) return false
    if (mode === 'operator' && authority === 'operator') return true
    if (authenticatedDomain === undefined) return false
    const { firstAt, newest } = await store.standingOf(userId, LIMITS.userWeekMax)
    if (firstAt === undefined) return false
    const now = Date.now()
    const knownFrom = firstAt.getTime() + LIMITS.newcomerMs
    const countsFrom = Math.max(knownFrom, now - (now % WEEK_MS))
    const counted = newest.filter((at) => at.getTime() > countsFrom)
    return now > knownFrom && counted.length < LIMITS.userWeekMax
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
    const { base, canary } = this.#settings
    this.#personal ??= new PersonalTraining(base, canary)
    const examplesOf = (wanted: Kind) =>
      corrections.flatMap((correction) => {
        const example = correction.kind === wanted ? exampleOf(correction, base) : undefined
        const item = decodeMemoryItem(correction.memory)
        return example && item ? [{ ...example, terms: item.sparse }] : []
      })
    const steps = this.#personal.steps({ spam: examplesOf('spam'), tabs: examplesOf('tabs') })
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      // Requests come first.
      await setImmediate()
    }
  }

  /** Steps that the last run has taken and refused; and deletions that are not done. */
  async progress(): Promise<LearningSummary> {
    const { last, deletions } = await this.#settings.store.learningState(1)
    const { promoted = 0, refused = 0 } = last ?? {}
    return { mode: this.#settings.mode, promoted, refused, deletions: deletions.length }
  }

  /** Versions kept, newest first. */
  versions(): Promise<ModelSummary[]> {
    return this.#settings.store.models()
  }

  /** Puts the newest version into use, and those that follow. Returns the version; undefined if nothing has been learned. */
  async promote(): Promise<number | undefined> {
    const version = await this.#settings.store.promote()
    await this.take()
    return version
  }

  /** Returns to the previous version; undefined means only the shipped weights. */
  async rollback(): Promise<number | undefined> {
    const version = await this.#settings.store.rollback()
    await this.take()
    return version
  }

  /** Loads the version that the store says is in use. */
  take(): Promise<void> {
    this.#work = this.#work.then(() => this.#take())
    return this.#work
  }

  /** Never rejects: while the store does not answer, the version in use stays. */
  async #take(): Promise<void> {
    if (this.#isClosed) return
    try {
      const model = await this.#settings.store.promotedModel()
      const { base } = this.#settings
      // Deltas that were learned over other weights would be noise on these.
      this.#deltas =
        model?.baseVersion === base.version ? decodeDeltas(model.deltas, base) : undefined
    } catch (error) {
      this.#settings.onError(error)
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => this.#takeSoon(), RETRY_DELAY_MS).unref()
    }
  }

  #takeSoon(): void {
    void this.take()
  }
}
