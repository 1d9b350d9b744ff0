/**
 * The models of each tenant: the shipped weights, plus what its log of corrections has taught.
 *
 * Every process follows the log and learns from it by itself. Since learning is a fold over the
 * log (learning/learner.ts), all of them arrive at the same weights, and nothing has to be agreed
 * on. When a correction has gone from the log (taken back, replaced, its user forgotten), the
 * fold begins anew without it; until it is through, the old weights serve.
 *
 * Versions are kept in the store so that one call goes back to an earlier one. The latest being
 * promoted means that the tenant follows its log; after a rollback it stays at the older version
 * until another is promoted.
 */
import { setImmediate } from 'node:timers/promises'
import { FEATURE_VERSION } from '../features/version.ts'
import { type Deltas, decodeDeltas, encodeDeltas } from '../learning/deltas.ts'
import type { LearnEvent } from '../learning/learn-event.ts'
import { Learner, type LearningMode } from '../learning/learner.ts'
import type { Models } from '../models/models.ts'
import type { Change, LoggedCorrection, Model, ModelSummary, Store } from '../storage/store.ts'

/** Corrections read from the log at once. */
const PAGE = 200

/** Milliseconds of learning after which requests have their turn. */
const PAUSE_AFTER_MS = 4

/** Corrections after which a version is kept. */
const VERSION_INTERVAL = 100

/** How soon after a change the log is read: changes come in bursts. */
const FOLLOW_DELAY_MS = 100

type Log = Pick<
  Store,
  | 'correctionsInOrder'
  | 'countCorrections'
  | 'watch'
  | 'tenants'
  | 'saveCandidate'
  | 'promote'
  | 'rollback'
  | 'promotedModel'
  | 'models'
  | 'forgetModelsBefore'
>

export interface TaughtModelsSettings {
  readonly store: Log
  readonly base: Models
  readonly mode: LearningMode
  /** What went wrong in the background; it is tried again with the next change. */
  readonly onError: (error: unknown) => void
}

/** Where the fold over one tenant's log stands. */
interface Course {
  readonly learner: Learner
  /** Of the last correction taken. */
  seq: number
  /** Corrections taken, of other feature versions too. */
  taken: number
}

interface Tenant {
  course: Course
  /** What classification adds to the shipped weights. */
  deltas: Deltas | undefined
  /** Of the version kept last. */
  versionSeq: number
  /** One after the other. */
  work: Promise<void>
  scheduled: boolean
}

export class TaughtModels {
  readonly #settings: TaughtModelsSettings
  readonly #tenants = new Map<string, Tenant>()
  #stopWatching: () => void = () => {}
  #closing = false

  private constructor(settings: TaughtModelsSettings) {
    this.#settings = settings
  }

  /** Begins to follow the logs of all tenants. */
  static async open(settings: TaughtModelsSettings): Promise<TaughtModels> {
    const taught = new TaughtModels(settings)
    const { store } = settings
    taught.#stopWatching = await store.watch((change) => taught.#onChange(change))
    for (const { id } of await store.tenants()) {
      // What learning holds in memory is megabytes a tenant: none where nothing was taught.
      if ((await store.countCorrections(id, Number.MAX_SAFE_INTEGER)) > 0) taught.#schedule(id, 0)
    }
    return taught
  }

  /** Ends with the step at hand. */
  async close(): Promise<void> {
    this.#closing = true
    this.#stopWatching()
    await Promise.all([...this.#tenants.values()].map(({ work }) => work))
  }

  /** What is to be added to the shipped weights, in shared memory; undefined for nothing. */
  deltasFor(tenant: string): Deltas | undefined {
    return this.#tenants.get(tenant)?.deltas
  }

  /** Whether a correction recorded now teaches the models that the tenant's users share. */
  wouldTeach(tenant: string, event: LearnEvent): boolean {
    return this.#tenant(tenant).course.learner.wouldTeach(event)
  }

  /** Resolves when all that is in the log now has been learned. */
  async caughtUp(tenant: string): Promise<void> {
    await this.#enqueue(tenant, (state) => this.#follow(tenant, state))
  }

  /** Learns anew from the log, and removes every version that may hold traces of what has gone from it. */
  async rebuild(tenant: string): Promise<void> {
    await this.#enqueue(tenant, async (state) => {
      const follows = await this.#followsLog(tenant)
      await this.#relearn(tenant, state)
      const version = await this.#keepVersion(tenant, state)
      if (follows) await this.#settings.store.promote(tenant, version)
      await this.#settings.store.forgetModelsBefore(tenant, version)
      await this.#serve(tenant, state)
    })
  }

  /** Versions kept, newest first. */
  versions(tenant: string): Promise<ModelSummary[]> {
    return this.#settings.store.models(tenant)
  }

  /** What has been learned until now goes to work; the tenant follows its log again. Gives the version. */
  async promote(tenant: string): Promise<number> {
    let version = 0
    await this.#enqueue(tenant, async (state) => {
      await this.#follow(tenant, state)
      version = await this.#keepVersion(tenant, state)
      await this.#settings.store.promote(tenant, version)
      await this.#serve(tenant, state)
    })
    return version
  }

  /** Back to the version before; undefined stands for the shipped weights alone. */
  async rollback(tenant: string): Promise<number | undefined> {
    let version: number | undefined
    await this.#enqueue(tenant, async (state) => {
      if (await this.#followsLog(tenant)) await this.#keepPromoted(tenant, state)
      version = await this.#settings.store.rollback(tenant)
      await this.#serve(tenant, state)
    })
    return version
  }

  #onChange({ topic, tenant }: Change): void {
    if (topic !== 'keys') this.#schedule(tenant, FOLLOW_DELAY_MS)
  }

  #schedule(tenant: string, delayMs: number): void {
    const state = this.#tenant(tenant)
    if (state.scheduled || this.#closing) return
    state.scheduled = true
    setTimeout(() => {
      state.scheduled = false
      this.caughtUp(tenant).catch(this.#settings.onError)
    }, delayMs).unref()
  }

  #tenant(tenant: string): Tenant {
    const known = this.#tenants.get(tenant)
    if (known !== undefined) return known
    const state: Tenant = {
      course: this.#newCourse(),
      deltas: undefined,
      versionSeq: 0,
      work: Promise.resolve(),
      scheduled: false,
    }
    this.#tenants.set(tenant, state)
    return state
  }

  #newCourse(): Course {
    const { base, mode } = this.#settings
    return { learner: new Learner(base, { mode }), seq: 0, taken: 0 }
  }

  async #enqueue(tenant: string, act: (state: Tenant) => Promise<void>): Promise<void> {
    const state = this.#tenant(tenant)
    const done = state.work.then(() => (this.#closing ? undefined : act(state)))
    state.work = done.catch(() => {})
    await done
  }

  async #follow(tenant: string, state: Tenant): Promise<void> {
    const { course } = state
    const there = await this.#settings.store.countCorrections(tenant, course.seq)
    if (there === course.taken) await this.#learnRest(tenant, course)
    else await this.#relearn(tenant, state)
    if (state.course.seq - state.versionSeq >= VERSION_INTERVAL) {
      if (await this.#followsLog(tenant)) await this.#keepPromoted(tenant, state)
    }
    await this.#serve(tenant, state)
  }

  async #relearn(tenant: string, state: Tenant): Promise<void> {
    const course = this.#newCourse()
    await this.#learnRest(tenant, course)
    state.course = course
  }

  async #learnRest(tenant: string, course: Course): Promise<void> {
    for (;;) {
      const page = await this.#settings.store.correctionsInOrder(tenant, course.seq, PAGE)
      await this.#learn(page, course)
      if (page.length < PAGE || this.#closing) return
    }
  }

  async #learn(page: readonly LoggedCorrection[], course: Course): Promise<void> {
    let started = performance.now()
    for (const correction of page) {
      // What was drawn from a message by other code means something else to this one.
      if (correction.featureVersion === FEATURE_VERSION) course.learner.learn(correction)
      course.seq = correction.seq
      course.taken++
      if (performance.now() - started < PAUSE_AFTER_MS) continue
      await setImmediate()
      if (this.#closing) return
      started = performance.now()
    }
  }

  /** Puts to work what the store says: the log's latest, or a version gone back to. */
  async #serve(tenant: string, state: Tenant): Promise<void> {
    if (await this.#followsLog(tenant)) {
      const { learner } = state.course
      state.deltas = learner.promotions === 0 ? undefined : learner.promoted
      return
    }
    state.deltas = this.#deltasOf(await this.#settings.store.promotedModel(tenant))
  }

  /** A version made for other base weights would be noise on these. */
  #deltasOf(model: Model | undefined): Deltas | undefined {
    return model?.baseVersion === this.#settings.base.version
      ? decodeDeltas(model.deltas)
      : undefined
  }

  async #followsLog(tenant: string): Promise<boolean> {
    const [latest] = await this.#settings.store.models(tenant)
    return latest === undefined || latest.state === 'promoted'
  }

  async #keepPromoted(tenant: string, state: Tenant): Promise<void> {
    const version = await this.#keepVersion(tenant, state)
    await this.#settings.store.promote(tenant, version)
  }

  async #keepVersion(tenant: string, state: Tenant): Promise<number> {
    const { learner, seq, taken } = state.course
    state.versionSeq = seq
    return await this.#settings.store.saveCandidate({
      tenant,
      baseVersion: this.#settings.base.version,
      deltas: encodeDeltas(learner.promoted),
      learnedToSeq: seq,
      metrics: { corrections: taken, promotions: learner.promotions },
    })
  }
}
