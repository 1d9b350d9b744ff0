/**
 * Learns the models of each tenant: the shipped weights, plus what its log of corrections corrects.
 *
 * Every service follows the log and learns from it by itself, in its office, from which the worker
 * processes take what is served (learned-models.ts). Since learning is a fold over the log
 * (learning/learner.ts), all services (replicas) arrive at the same weights, and nothing has to be agreed
 * on. When a correction has gone from the log (taken back, replaced, its user forgotten), the
 * fold begins anew without it; until it is through, the old weights serve. So it does when the tenant
 * says otherwise from whom to learn.
 *
 * Versions are kept in the store so that one call goes back to an earlier one. The latest being
 * promoted means that the tenant follows its log; after a rollback it stays at the older version
 * until another is promoted.
 */

import { randomUUID } from 'node:crypto'
import type { UnnamedEvent } from '../../mail/learning/learn-event.ts'
import { LearningPolicy, type LearningRoute } from '../../mail/learning/learning-policy.ts'
import type { Promotions } from '../../mail/learning/online-learning.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import type { ServerProcesses } from '../siblings/siblings.ts'
import type { Change } from '../store/change.ts'
import type { Store } from '../store/store.ts'
import { type LearningChoices, NO_CHOICES } from '../tenants/tenants.ts'
import { sentError } from '../threads/sent-error.ts'
import type { LoggedCorrection } from '../users/correction.ts'
import { isOffBy, type LearnedFrom } from './learned-from.ts'
import { LearningThread, type Training } from './learning-thread.ts'
import {
  CHANGE_VERSION,
  DELTAS_SERVED,
  MODELS_REBUILT,
  MODELS_SERVED,
  PROGRESS,
  type ServedDeltas,
  type TenantProgress,
  WOULD_LEARN,
} from './office-topics.ts'

/** Corrections read from the log at once, and given to the training thread: some 50 ms of its time. */
const PAGE = 100

/** Corrections after which a version is kept. */
const VERSION_INTERVAL = 100

/** And time, since a version is megabytes in the store: a rollback is of what was learned in minutes. */
const VERSION_INTERVAL_MS = 10 * 60_000

/** How soon after a change the log is read: changes come in bursts. */
const FOLLOW_DELAY_MS = 100

/** How soon what went wrong is tried again. */
const RETRY_DELAY_MS = 5_000

type Log = Pick<
  Store,
  | 'correctionsInOrder'
  | 'countCorrections'
  | 'watch'
  | 'tenants'
  | 'saveModel'
  | 'rollback'
  | 'promotedModel'
  | 'models'
  | 'forgetModelsBefore'
>

export interface LearningSettings extends LearnedFrom {
  readonly store: Log
  readonly base: Models
  /** The canary set: what is learned from a crowd must not make verdicts on it worse. */
  readonly canary: Canary
  /** Called with an error in the background; the work is tried again. */
  readonly onError: (error: unknown) => void
  /** Called with the number of further promotions that were refused because of the canary set. */
  readonly onRefused: (tenant: string, more: number) => void
  /** The server processes, which follow. */
  readonly workers: ServerProcesses
}

/** The state of the fold over one tenant's log. */
interface Run {
  /** The shipped weights to which the deltas are added. */
  readonly base: Models
  /** What the tenant said when the fold began: with other choices it begins anew. */
  readonly choices: LearningChoices
  readonly learningPolicy: LearningPolicy
  readonly training: Training
  /** The place in the log of the last correction taken. */
  seq: number
  /** The number of corrections taken, including those of other feature versions. */
  taken: number
  promotions: Promotions
}

interface LearningTenant {
  run: Run
  /** What is added to the shipped weights. */
  served: Source
  /** Its encoding for the server processes, which ask at about the same time. */
  encoding: Promise<ServedDeltas> | undefined
  /** When a version was kept last, on the clock of `performance.now`. */
  versionMs: number
  /** The tasks of the tenant, which run one after the other. */
  work: Promise<void>
  scheduled: boolean
}

/** Deltas to serve. */
interface Source {
  /** A name that no others have in this process. */
  readonly name: string
  /** Gives undefined for none. */
  encode(): Promise<Uint8Array | undefined>
}

/** What is served for a tenant without corrections. */
const NOTHING: Source = { name: '', encode: async () => undefined }

export class Learning {
  #settings: LearningSettings
  /** Tells the deltas of this process from those of the one in whose place it came. */
  readonly #id = randomUUID()
  #thread: LearningThread
  readonly #tenants = new Map<string, LearningTenant>()
  /** Tenants whose log has not been read to its end since the start; undefined until it is known which have one. Server processes may serve what was learned before. */
  #unread: Set<string> | undefined
  #stopWatching: () => void = () => {}
  #closing = false

  private constructor(settings: LearningSettings) {
    this.#settings = settings
    this.#thread = new LearningThread(settings.base, settings.canary)
    this.#answer(settings.workers)
  }

  /** Begins to follow the logs of all tenants. */
  static async open(settings: LearningSettings): Promise<Learning> {
    const learning = new Learning(settings)
    const { store, workers } = settings
    learning.#stopWatching = await store.watch((change) => learning.#onChange(change))
    const unread = new Set<string>()
    for (const { id } of await store.tenants()) {
      // Learning holds megabytes in memory for each tenant, so it starts only when there is a correction.
      if ((await store.countCorrections(id, Number.MAX_SAFE_INTEGER)) > 0) unread.add(id)
    }
    learning.#unread = unread
    for (const id of unread) learning.#schedule(id, 0)
    workers.tell(MODELS_SERVED, undefined)
    return learning
  }

  /** Stops after the current step. */
  async close(): Promise<void> {
    this.#closing = true
    this.#stopWatching()
    await Promise.all([...this.#tenants.values()].map(({ work }) => work))
    await this.#thread.close()
  }

  /** Whether a correction recorded now corrects the models that the tenant's users share. */
  async wouldLearn(tenant: string, event: UnnamedEvent): Promise<boolean> {
    const { choices, learningPolicy } = this.#tenant(tenant).run
    // That the store is away is for the recording to say.
    const latest = await this.#choicesOf(tenant).catch(() => choices)
    return !this.#isOff(latest, event.userId) && learningPolicy.routeOf(event) !== undefined
  }

  /** Resolves when all that is in the log now has been learned. */
  async caughtUp(tenant: string): Promise<void> {
    await this.#enqueue(
      tenant,
      this.#again((state) => this.#follow(tenant, state)),
    )
  }

  /**
   * Learns anew from the log, and removes every version that may hold traces of what has gone from it.
   * Resolves when the server processes that are not held up serve what is left.
   */
  async rebuild(tenant: string): Promise<void> {
    const rebuild = async (state: LearningTenant) => {
      const follows = await this.#followsLog(tenant)
      await this.#relearn(tenant, state)
      const version = await this.#keepVersion(tenant, state, follows ? 'promoted' : 'rejected')
      await this.#settings.store.forgetModelsBefore(tenant, version)
      await this.#serve(tenant, state)
    }
    await this.#enqueue(tenant, this.#again(rebuild))
    await this.#settings.workers.ask(MODELS_REBUILT, tenant)
  }

  /** Learns anew over other shipped weights, which may be of other features; until that is through, they serve alone. */
  rebase(base: Models, canary: Canary): void {
    const old = this.#thread
    this.#settings = { ...this.#settings, base, canary }
    this.#thread = new LearningThread(base, canary)
    for (const [tenant, state] of this.#tenants) {
      this.#serveThis(tenant, state, NOTHING)
      const begin = async () => {
        // Work in progress may have served deltas that were learned for the old weights.
        this.#serveThis(tenant, state, NOTHING)
        state.run = this.#newRun()
        await this.#follow(tenant, state)
      }
      const begun = this.#enqueue(tenant, this.#again(begin))
      begun.catch(this.#settings.onError)
    }
    old.close().catch(this.#settings.onError)
  }

  /** The promotions and refusals of every log that is followed, until now. */
  progress(): readonly TenantProgress[] {
    return [...this.#tenants].map(([tenant, { run }]) => ({ tenant, ...run.promotions }))
  }

  /** Puts into use what has been learned so far; the tenant follows its log again. Returns the version. */
  async promote(tenant: string): Promise<number> {
    let version = 0
    await this.#enqueue(tenant, async (state) => {
      await this.#follow(tenant, state)
      version = await this.#keepVersion(tenant, state, 'promoted')
      await this.#serve(tenant, state)
    })
    return version
  }

  /** Returns to the previous version; undefined means only the shipped weights. */
  async rollback(tenant: string): Promise<number | undefined> {
    let version: number | undefined
    await this.#enqueue(tenant, async (state) => {
      if (await this.#isBeyondKept(tenant, state))
        await this.#keepVersion(tenant, state, 'promoted')
      version = await this.#settings.store.rollback(tenant)
      await this.#serve(tenant, state)
    })
    return version
  }

  #onChange({ topic, tenant }: Change): void {
    if (topic === 'user' || topic === 'models') this.#schedule(tenant, FOLLOW_DELAY_MS)
  }

  #schedule(tenant: string, delayMs: number): void {
    const state = this.#tenant(tenant)
    if (state.scheduled || this.#closing) return
    state.scheduled = true
    setTimeout(() => {
      state.scheduled = false
      this.caughtUp(tenant).catch((error: unknown) => {
        this.#settings.onError(error)
        this.#schedule(tenant, RETRY_DELAY_MS)
      })
    }, delayMs).unref()
  }

  #tenant(tenant: string): LearningTenant {
    const known = this.#tenants.get(tenant)
    if (known !== undefined) return known
    const state: LearningTenant = {
      run: this.#newRun(),
      served: NOTHING,
      encoding: undefined,
      versionMs: Number.NEGATIVE_INFINITY,
      work: Promise.resolve(),
      scheduled: false,
    }
    this.#tenants.set(tenant, state)
    return state
  }

  #newRun(choices = NO_CHOICES): Run {
    const { base, mode } = this.#settings
    const isOff = (userId: string) => this.#isOff(choices, userId)
    return {
      base,
      choices,
      learningPolicy: new LearningPolicy(base, { mode, isOff }),
      training: this.#thread.newRun(),
      seq: 0,
      taken: 0,
      promotions: { promoted: 0, refused: 0 },
    }
  }

  #isOff(choices: LearningChoices, userId: string): boolean {
    return isOffBy(choices, this.#settings.isOff, userId)
  }

  async #choicesOf(tenant: string): Promise<LearningChoices> {
    return (await this.#settings.choicesOf?.(tenant)) ?? NO_CHOICES
  }

  async #enqueue(tenant: string, act: (state: LearningTenant) => Promise<void>): Promise<void> {
    const state = this.#tenant(tenant)
    const done = state.work.then(() => (this.#closing ? undefined : act(state)))
    state.work = done.catch(() => {})
    await done
  }

  /** `act`, and once more where a reload ends the thread under it. */
  #again(act: (state: LearningTenant) => Promise<void>): (state: LearningTenant) => Promise<void> {
    return async (state) => {
      const thread = this.#thread
      try {
        await act(state)
      } catch (error) {
        if (thread === this.#thread) throw error
        state.run = this.#newRun()
        await act(state)
      }
    }
  }

  async #follow(tenant: string, state: LearningTenant): Promise<void> {
    const { run } = state
    const there = await this.#settings.store.countCorrections(tenant, run.seq)
    const { name } = await this.#choicesOf(tenant)
    if (there === run.taken && name === run.choices.name) await this.#learnRest(tenant, state, run)
    else await this.#relearn(tenant, state)
    if (await this.#isTimeForVersion(tenant, state))
      await this.#keepVersion(tenant, state, 'promoted')
    await this.#serve(tenant, state)
  }

  async #isTimeForVersion(tenant: string, { run, versionMs }: LearningTenant): Promise<boolean> {
    if (performance.now() - versionMs < VERSION_INTERVAL_MS) return false
    if (!(await this.#followsLog(tenant))) return false
    const { store } = this.#settings
    const [latest] = await store.models(tenant)
    // Places in the log are of all tenants together.
    const inLatest = await store.countCorrections(tenant, latest?.learnedToSeq ?? 0)
    return run.taken - inLatest >= VERSION_INTERVAL
  }

  async #relearn(tenant: string, state: LearningTenant): Promise<void> {
    const run = this.#newRun(await this.#choicesOf(tenant))
    await this.#learnRest(tenant, state, run)
    if (state.run !== run) await this.#begin(state, run)
  }

  /** Puts `run` in the place of the one before. */
  async #begin(state: LearningTenant, run: Run): Promise<void> {
    const { training } = state.run
    state.run = run
    await training.end()
  }

  async #learnRest(tenant: string, state: LearningTenant, run: Run): Promise<void> {
    for (;;) {
      const page = await this.#settings.store.correctionsInOrder(tenant, run.seq, PAGE)
      try {
        await this.#learn(tenant, page, run)
      } catch (error) {
        // The thread has ended, and with it what it had learned: the next change begins anew.
        state.run = this.#newRun()
        throw error
      }
      if (page.length < PAGE || this.#closing) return
    }
  }

  async #learn(tenant: string, page: readonly LoggedCorrection[], run: Run): Promise<void> {
    const examples = page.flatMap((correction) => {
      const route = this.#take(correction, run)
      if (route === undefined) return []
      const { feedbackId, userId, kind, label, messageKey, features } = correction
      return [{ feedbackId, userId, kind, label, messageKey, features, route }]
    })
    if (examples.length === 0) return
    const { refused } = run.promotions
    run.promotions = await run.training.train(examples)
    const more = run.promotions.refused - refused
    if (more > 0) this.#settings.onRefused(tenant, more)
  }

  #take(correction: LoggedCorrection, run: Run): LearningRoute | undefined {
    run.seq = correction.seq
    run.taken++
    // Features that other code drew from a message mean something else to this code.
    if (correction.featureVersion !== run.base.featureVersion) {
      run.learningPolicy.passOver(correction)
      return undefined
    }
    return run.learningPolicy.take(correction)
  }

  async #serve(tenant: string, state: LearningTenant): Promise<void> {
    await this.#serveStored(tenant, state)
    if (this.#unread?.delete(tenant)) this.#tellServed(tenant, state)
  }

  /** Puts into use what the store says: the latest of the log, or the version of a rollback. */
  async #serveStored(tenant: string, state: LearningTenant): Promise<void> {
    if (await this.#followsLog(tenant)) {
      const { base, training, promotions } = state.run
      // A reload has replaced its models since, and the run that follows is begun already.
      if (base !== this.#settings.base) return
      const { promoted } = promotions
      if (promoted === 0) return this.#serveThis(tenant, state, NOTHING)
      return this.#serveThis(tenant, state, {
        name: `${training.name} ${promoted}`,
        encode: () => training.encode(),
      })
    }
    const model = await this.#settings.store.promotedModel(tenant)
    // A version made for other base weights would be noise on these.
    if (model?.baseVersion !== this.#settings.base.version) {
      return this.#serveThis(tenant, state, NOTHING)
    }
    this.#serveThis(tenant, state, {
      name: `version ${model.version}`,
      // It is megabytes, which the store has.
      encode: async () => (await this.#settings.store.promotedModel(tenant))?.deltas,
    })
  }

  #serveThis(tenant: string, state: LearningTenant, source: Source): void {
    if (state.served.name === source.name) return
    state.served = source
    this.#tellServed(tenant, state)
  }

  #tellServed(tenant: string, state: LearningTenant): void {
    state.encoding = undefined
    this.#settings.workers.tell(MODELS_SERVED, tenant)
  }

  #answer(workers: ServerProcesses): void {
    workers.on(DELTAS_SERVED, (tenant, has) => this.#servedDeltas(tenant, has))
    workers.on(WOULD_LEARN, (tenant, event) => this.wouldLearn(tenant, event))
    workers.on(PROGRESS, () => this.progress())
    workers.on(CHANGE_VERSION, async (tenant, change) => {
      try {
        return { version: await this[change](tenant) }
      } catch (error) {
        return { error: sentError(error) }
      }
    })
  }

  async #servedDeltas(tenant: string, has: string): Promise<ServedDeltas | 'as before'> {
    if (this.#unread === undefined || this.#unread.has(tenant)) return 'as before'
    const state = this.#tenant(tenant)
    const name = `${this.#id} ${state.served.name}`
    if (name === has) return 'as before'
    const base = this.#settings.base.version
    const encoding =
      state.encoding ?? state.served.encode().then((bytes) => ({ base, name, bytes }))
    state.encoding = encoding
    try {
      return await encoding
    } finally {
      // They are megabytes, and of use only to those that ask at the same time.
      if (state.encoding === encoding) state.encoding = undefined
    }
  }

  async #followsLog(tenant: string): Promise<boolean> {
    const versions = await this.#settings.store.models(tenant)
    // A candidate is what a process of an earlier release left behind that ended over it.
    const latest = versions.find(({ state }) => state !== 'candidate')
    return latest === undefined || latest.state === 'promoted'
  }

  /** True if something has been learned that the version in use does not hold: a rollback from that returns to this version. */
  async #isBeyondKept(tenant: string, { run }: LearningTenant): Promise<boolean> {
    if (!(await this.#followsLog(tenant))) return false
    const kept = await this.#settings.store.promotedModel(tenant)
    return kept === undefined || Buffer.compare(kept.deltas, await run.training.encode()) !== 0
  }

  async #keepVersion(
    tenant: string,
    state: LearningTenant,
    as: 'promoted' | 'rejected',
  ): Promise<number> {
    const { base, training, seq, taken, promotions } = state.run
    state.versionMs = performance.now()
    const model = {
      tenant,
      baseVersion: base.version,
      deltas: await training.encode(),
      learnedToSeq: seq,
      metrics: { corrections: taken, promotions: promotions.promoted, refused: promotions.refused },
    }
    return await this.#settings.store.saveModel(model, as)
  }
}
