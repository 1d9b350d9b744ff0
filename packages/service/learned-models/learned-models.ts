/**
 * The models of each tenant in a server process: what the office has learned (learning.ts), served a moment
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
  type TenantProgress,
  type VersionChange,
  WOULD_LEARN,
} from './office-topics.ts'

/** The least time between two looks at what is served of a tenant: deltas are up to some megabytes. */
const TAKE_INTERVAL_MS = 500

/** How soon what went wrong is tried again, also while the office does not answer. */
const RETRY_DELAY_MS = 5_000

interface TenantModels {
  /** What classification adds to the shipped weights. */
  deltas: DeltaBuffers
  /** The name of the deltas. */
  served: string
  /** When they were last asked for, on the clock of `performance.now`. */
  takenMs: number
  timer: NodeJS.Timeout | undefined
  /** The looks at what is served, one after the other. */
  work: Promise<void>
  /** The look that has yet to begin: it is that of all who ask for one until then. */
  next: Promise<void> | undefined
}

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
  readonly #tenants = new Map<string, TenantModels>()
  #allTimer: NodeJS.Timeout | undefined
  #closing = false

  private constructor(settings: LearnedModelsSettings) {
    this.#settings = settings
    this.#thread = new LearningThread(settings.base, settings.canary)
  }

  /** Begins to follow. Until it has the deltas of a tenant, the shipped weights serve. */
  static open(settings: LearnedModelsSettings): LearnedModels {
    const learned = new LearnedModels(settings)
    settings.siblings.on(MODELS_SERVED, (tenant) => {
      if (tenant === undefined) learned.#takeAll()
      else learned.#takeSoon(tenant)
    })
    settings.siblings.on(MODELS_REBUILT, (tenant) => learned.take(tenant))
    learned.#takeAll()
    return learned
  }

  /** Does not wait for the office. */
  async close(): Promise<void> {
    this.#closing = true
    clearTimeout(this.#allTimer)
    for (const { timer } of this.#tenants.values()) clearTimeout(timer)
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
  leaseDeltas(tenant: string, version: string): DeltasLease | undefined {
    if (version !== this.#settings.base.version) return undefined
    return this.#tenants.get(tenant)?.deltas.lease()
  }

  /** Whether a correction recorded now corrects the models that the tenant's users share; false, too, while the office does not answer. */
  async wouldLearn(tenant: string, event: UnnamedEvent): Promise<boolean> {
    if (this.#settings.mode === 'off') return false
    return (await this.#settings.siblings.askOffice(WOULD_LEARN, tenant, event)) ?? false
  }

  /**
   * What the corrections of one user, oldest first, add to the shipped weights for that user alone;
   * undefined where nothing is learned.
   */
  async personalDeltas(
    tenant: string,
    userId: string,
    corrections: readonly CorrectedFeatures[],
  ): Promise<PersonalDeltas | undefined> {
    if (!(await isLearnedFrom(this.#settings, tenant, userId))) return undefined
    return await this.#thread.personal(corrections)
  }

  /** Serves the other shipped weights alone until the office has learned over them. */
  rebase(base: Models, canary: Canary): void {
    const old = this.#thread
    this.#settings = { ...this.#settings, base, canary }
    this.#thread = new LearningThread(base, canary)
    for (const [tenant, state] of this.#tenants) {
      state.deltas = new DeltaBuffers(base)
      state.served = ''
      this.#takeSoon(tenant)
    }
    old.close().catch(this.#settings.onError)
  }

  /** The promotions and refusals of the tenant's log until now. */
  async progress(tenant: string): Promise<Promotions & { readonly mode: LearningMode }> {
    const own = (await this.allProgress()).find((each) => each.tenant === tenant)
    return { mode: this.#settings.mode, promoted: own?.promoted ?? 0, refused: own?.refused ?? 0 }
  }

  /** The same for every tenant whose log is followed; none while the office does not answer. */
  async allProgress(): Promise<readonly TenantProgress[]> {
    return (await this.#settings.siblings.askOffice(PROGRESS)) ?? []
  }

  /** Versions kept, newest first. */
  versions(tenant: string): Promise<ModelSummary[]> {
    return this.#settings.store.models(tenant)
  }

  /** Puts into use what has been learned so far; the tenant follows its log again. Returns the version. */
  async promote(tenant: string): Promise<number> {
    return (await this.#changeVersion(tenant, 'promote'))!
  }

  /** Returns to the previous version; undefined means only the shipped weights. */
  rollback(tenant: string): Promise<number | undefined> {
    return this.#changeVersion(tenant, 'rollback')
  }

  /** Serves what the office serves now. */
  async take(tenant: string): Promise<void> {
    const state = this.#tenant(tenant)
    state.next ??= state.work.then(() => {
      state.next = undefined
      return this.#takeNow(tenant, state)
    })
    const { next } = state
    state.work = next.catch(() => {})
    await next
  }

  /** @throws TamisError NOT_READY when the office does not answer; what it throws. */
  async #changeVersion(tenant: string, change: VersionChange): Promise<number | undefined> {
    const changed = await this.#settings.siblings.askOffice(CHANGE_VERSION, tenant, change)
    if (changed === undefined) {
      throw new TamisError('NOT_READY', 'The office process does not answer now')
    }
    if ('error' in changed) throw errorOf(changed.error)
    await this.take(tenant)
    return changed.version
  }

  #tenant(tenant: string): TenantModels {
    const known = this.#tenants.get(tenant)
    if (known !== undefined) return known
    const state: TenantModels = {
      deltas: new DeltaBuffers(this.#settings.base),
      served: '',
      takenMs: Number.NEGATIVE_INFINITY,
      timer: undefined,
      work: Promise.resolve(),
      next: undefined,
    }
    this.#tenants.set(tenant, state)
    return state
  }

  /** Serves what the office serves of all tenants, once it says which those are: it may come up after this process. */
  #takeAll(): void {
    clearTimeout(this.#allTimer)
    for (const tenant of this.#tenants.keys()) this.#takeSoon(tenant)
    this.#settings.siblings.askOffice(PROGRESS).then((all) => {
      if (this.#closing) return
      for (const { tenant } of all ?? []) this.#takeSoon(tenant)
      if (all === undefined) {
        this.#allTimer = setTimeout(() => this.#takeAll(), RETRY_DELAY_MS).unref()
      }
    }, this.#settings.onError)
  }

  /** At once, or as soon as TAKE_INTERVAL_MS are over. */
  #takeSoon(tenant: string): void {
    const state = this.#tenant(tenant)
    clearTimeout(state.timer)
    const waitMs = state.takenMs + TAKE_INTERVAL_MS - performance.now()
    this.#takeIn(tenant, state, Math.max(0, waitMs))
  }

  #takeAgain(tenant: string, state: TenantModels): void {
    if (state.timer === undefined) this.#takeIn(tenant, state, RETRY_DELAY_MS)
  }

  #takeIn(tenant: string, state: TenantModels, delayMs: number): void {
    if (this.#closing) return
    state.timer = setTimeout(() => {
      state.timer = undefined
      this.take(tenant).catch((error: unknown) => {
        this.#settings.onError(error)
        this.#takeAgain(tenant, state)
      })
    }, delayMs).unref()
  }

  async #takeNow(tenant: string, state: TenantModels): Promise<void> {
    if (this.#closing) return
    state.takenMs = performance.now()
    const served = await this.#settings.siblings.askOffice(DELTAS_SERVED, tenant, state.served)
    if (this.#closing) return
    if (served === undefined) this.#takeAgain(tenant, state)
    const { base } = this.#settings
    // One of the two has yet to reload: when both have, the office tells, or this process asks again.
    if (served === undefined || served === 'as before' || served.base !== base.version) return
    const deltas = served.bytes && decodeDeltas(served.bytes, base)
    if (deltas === undefined) state.deltas.clear()
    else await state.deltas.replace(async (into) => copyDeltas(deltas, into))
    state.served = served.name
  }
}
