/**
 * The models of each tenant in a process that does not learn: it serves what the first process of the service
 * serves, a moment later, and asks that one what only it can know.
 *
 * What a user's corrections change for that user alone is made here: it is part of what each process
 * remembers of a user (users.ts).
 */

import { TamisError } from '../../mail/errors.ts'
import { DeltaBuffers, type DeltasLease } from '../../mail/learning/delta-buffers.ts'
import { copyDeltas, decodeDeltas } from '../../mail/learning/deltas.ts'
import type { UnnamedEvent } from '../../mail/learning/learn-event.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import type { PersonalDeltas } from '../../mail/personalization/personal-deltas.ts'
import type { Siblings } from '../siblings/siblings.ts'
import { errorOf } from '../threads/sent-error.ts'
import type { CorrectedFeatures } from '../users/correction.ts'
import {
  isLearnedFrom,
  type LearnedModelsSettings,
  type Progress,
  type Taught,
} from './learned-models.ts'
import { LearningThread } from './learning-thread.ts'
import type { ModelSummary } from './model-version.ts'
import {
  CHANGE_VERSION,
  DELTAS_SERVED,
  MODELS_SERVED,
  PROGRESS,
  TENANTS_SERVED,
  type VersionChange,
  WOULD_LEARN,
} from './shared-models.ts'

/** The least time between two looks at what is served of a tenant: deltas are up to some megabytes. */
const TAKE_INTERVAL_MS = 500

/** How soon what went wrong is tried again, also while the first process does not answer. */
const RETRY_DELAY_MS = 5_000

interface Tenant {
  deltas: DeltaBuffers
  /** The name of the deltas. */
  served: string
  /** When they were last asked for, on the clock of `performance.now`. */
  takenMs: number
  timer: NodeJS.Timeout | undefined
  /** The tasks of the tenant, which run one after the other. */
  work: Promise<void>
}

export interface FollowedModelsSettings extends LearnedModelsSettings {
  readonly siblings: Siblings
}

export class FollowedModels implements Taught {
  #settings: FollowedModelsSettings
  #thread: LearningThread
  readonly #tenants = new Map<string, Tenant>()
  #closing = false

  private constructor(settings: FollowedModelsSettings) {
    this.#settings = settings
    this.#thread = new LearningThread(settings.base, settings.canary)
  }

  /** Begins to follow. Until it has the deltas of a tenant, the shipped weights serve. */
  static async open(settings: FollowedModelsSettings): Promise<FollowedModels> {
    const followed = new FollowedModels(settings)
    const { siblings, onError } = settings
    siblings.on(MODELS_SERVED, (tenant) => {
      for (const each of tenant === undefined ? followed.#tenants.keys() : [tenant]) {
        followed.#takeSoon(each)
      }
    })
    siblings.ask(TENANTS_SERVED).then((answers) => {
      for (const tenant of answers.flat()) followed.#takeSoon(tenant)
    }, onError)
    return followed
  }

  async close(): Promise<void> {
    this.#closing = true
    for (const { timer } of this.#tenants.values()) clearTimeout(timer)
    await Promise.all([...this.#tenants.values()].map(({ work }) => work))
    await this.#thread.close()
  }

  get onError(): (error: unknown) => void {
    return this.#settings.onError
  }

  get featureVersion(): string {
    return this.#settings.base.featureVersion
  }

  leaseDeltas(tenant: string, version: string): DeltasLease | undefined {
    if (version !== this.#settings.base.version) return undefined
    return this.#tenants.get(tenant)?.deltas.lease()
  }

  /** False, too, while the first process does not answer. */
  async wouldLearn(tenant: string, event: UnnamedEvent): Promise<boolean> {
    if (this.#settings.mode === 'off') return false
    const [would = false] = await this.#settings.siblings.ask(WOULD_LEARN, tenant, event)
    return would
  }

  async personalDeltas(
    tenant: string,
    userId: string,
    corrections: readonly CorrectedFeatures[],
  ): Promise<PersonalDeltas | undefined> {
    if (!(await isLearnedFrom(this.#settings, tenant, userId))) return undefined
    return await this.#thread.personal(corrections)
  }

  /** Serves the other shipped weights alone until the first process has learned over them. */
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

  async progress(tenant: string): Promise<Progress> {
    const { mode, siblings } = this.#settings
    const [promotions = { promoted: 0, refused: 0 }] = await siblings.ask(PROGRESS, tenant)
    return { mode, ...promotions }
  }

  /** The first process tells it of all. */
  allProgress(): readonly [] {
    return []
  }

  versions(tenant: string): Promise<ModelSummary[]> {
    return this.#settings.store.models(tenant)
  }

  async promote(tenant: string): Promise<number> {
    return (await this.#changeVersion(tenant, 'promote'))!
  }

  rollback(tenant: string): Promise<number | undefined> {
    return this.#changeVersion(tenant, 'rollback')
  }

  /** @throws TamisError NOT_READY when the first process does not answer; what it throws. */
  async #changeVersion(tenant: string, change: VersionChange): Promise<number | undefined> {
    const [changed] = await this.#settings.siblings.ask(CHANGE_VERSION, tenant, change)
    if (changed === undefined) {
      throw new TamisError('NOT_READY', 'The process that learns does not answer now')
    }
    if ('error' in changed) throw errorOf(changed.error)
    await this.#take(tenant)
    return changed.version
  }

  #tenant(tenant: string): Tenant {
    const known = this.#tenants.get(tenant)
    if (known !== undefined) return known
    const state: Tenant = {
      deltas: new DeltaBuffers(this.#settings.base),
      served: '',
      takenMs: Number.NEGATIVE_INFINITY,
      timer: undefined,
      work: Promise.resolve(),
    }
    this.#tenants.set(tenant, state)
    return state
  }

  /** At once, or as soon as TAKE_INTERVAL_MS are over. */
  #takeSoon(tenant: string): void {
    const state = this.#tenant(tenant)
    clearTimeout(state.timer)
    const waitMs = state.takenMs + TAKE_INTERVAL_MS - performance.now()
    this.#takeIn(tenant, state, Math.max(0, waitMs))
  }

  #takeAgain(tenant: string, state: Tenant): void {
    if (state.timer === undefined) this.#takeIn(tenant, state, RETRY_DELAY_MS)
  }

  #takeIn(tenant: string, state: Tenant, delayMs: number): void {
    if (this.#closing) return
    state.timer = setTimeout(() => {
      state.timer = undefined
      this.#take(tenant).catch((error: unknown) => {
        this.#settings.onError(error)
        this.#takeAgain(tenant, state)
      })
    }, delayMs).unref()
  }

  /** Serves what the first process serves now. */
  async #take(tenant: string): Promise<void> {
    const state = this.#tenant(tenant)
    const done = state.work.then(() => this.#takeNow(tenant, state))
    state.work = done.catch(() => {})
    await done
  }

  async #takeNow(tenant: string, state: Tenant): Promise<void> {
    if (this.#closing) return
    state.takenMs = performance.now()
    const { siblings } = this.#settings
    const answers = await siblings.ask(DELTAS_SERVED, tenant, state.served)
    if (answers.length === 0) this.#takeAgain(tenant, state)
    const [served] = answers
    const { base } = this.#settings
    // One of the two has yet to reload: when both have, the first process tells, or this one asks again.
    if (served === undefined || served.base !== base.version) return
    const deltas = served.bytes && decodeDeltas(served.bytes, base)
    if (deltas === undefined) state.deltas.clear()
    else await state.deltas.replace(async (into) => copyDeltas(deltas, into))
    state.served = served.name
  }
}
