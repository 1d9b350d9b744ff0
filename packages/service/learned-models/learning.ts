/**
 * Learns the models of the installation: the shipped weights, plus what the log of corrections corrects.
 *
 * Every service follows the log and learns from it by itself, in its office, from which the worker
 * processes take what is served (learned-models.ts). Since learning is a fold over the log
 * (learning/learner.ts), all services (replicas) arrive at the same weights, and nothing has to be agreed
 * on. When a correction has gone from the log (taken back, replaced, its user forgotten), the
 * fold begins anew without it; until it is through, the old weights serve. So it does when the operator's
 * rules say otherwise from whom to learn.
 *
 * Versions are kept in the store so that one call goes back to an earlier one. The latest being
 * promoted means that the log is followed; after a rollback the service stays at the older version
 * until another is promoted.
 */

import { randomUUID } from 'node:crypto'
import type { UnnamedEvent } from '../../mail/learning/learn-event.ts'
import { LearningPolicy, type LearningRoute } from '../../mail/learning/learning-policy.ts'
import type { Promotions } from '../../mail/learning/online-learning.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import { type LearningChoices, NO_CHOICES } from '../rules/operator-rules.ts'
import type { ServerProcesses } from '../siblings/siblings.ts'
import type { Change } from '../store/context.ts'
import type { Store } from '../store/store.ts'
import { sentError } from '../threads/sent-error.ts'
import type { LoggedCorrection } from '../users/correction.ts'
import type { LearnedFrom } from './learned-from.ts'
import { LearningThread, type Training } from './learning-thread.ts'
import {
  CHANGE_VERSION,
  DELTAS_SERVED,
  MODELS_REBUILT,
  MODELS_SERVED,
  PROGRESS,
  type ServedDeltas,
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
  readonly onRefused: (more: number) => void
  /** The server processes, which follow. */
  readonly workers: ServerProcesses
}

/** The state of the fold over the log. */
interface Run {
  /** The shipped weights to which the deltas are added. */
  readonly base: Models
  /** What the rules said when the fold began: with other choices it begins anew. */
  readonly choices: LearningChoices
  readonly learningPolicy: LearningPolicy
  readonly training: Training
  /** The place in the log of the last correction taken. */
  seq: number
  /** The number of corrections taken, including those of other feature versions. */
  taken: number
  promotions: Promotions
}

/** Deltas to serve. */
interface Source {
  /** A name that no others have in this process. */
  readonly name: string
  /** Gives undefined for none. */
  encode(): Promise<Uint8Array | undefined>
}

/** What is served without corrections. */
const NOTHING: Source = { name: '', encode: async () => undefined }

export class Learning {
  #settings: LearningSettings
  /** Tells the deltas of this process from those of the one in whose place it came. */
  readonly #id = randomUUID()
  #thread: LearningThread
  #run: Run
  /** What is added to the shipped weights. */
  #served = NOTHING
  /** Its encoding for the server processes, which ask at about the same time. */
  #encoding: Promise<ServedDeltas> | undefined
  /** When a version was kept last, on the clock of `performance.now`. */
  #versionMs = Number.NEGATIVE_INFINITY
  /** The tasks, which run one after the other. */
  #work = Promise.resolve()
  #scheduled = false
  /** Whether the log has been read to its end since the start, if there is any. Until then server processes may serve what was learned before. */
  #isRead = false
  #stopWatching: () => void = () => {}
  #closing = false

  private constructor(settings: LearningSettings) {
    this.#settings = settings
    this.#thread = new LearningThread(settings.base, settings.canary)
    this.#run = this.#newRun()
    this.#answer(settings.workers)
  }

  /** Begins to follow the log. */
  static async open(settings: LearningSettings): Promise<Learning> {
    const learning = new Learning(settings)
    const { store, workers } = settings
    learning.#stopWatching = await store.watch((change) => learning.#onChange(change))
    // Learning holds megabytes in memory, so it starts only when there is a correction.
    learning.#isRead = (await store.countCorrections(Number.MAX_SAFE_INTEGER)) === 0
    if (!learning.#isRead) learning.#schedule(0)
    workers.tell(MODELS_SERVED)
    return learning
  }

  /** Stops after the current step. */
  async close(): Promise<void> {
    this.#closing = true
    this.#stopWatching()
    await this.#work
    await this.#thread.close()
  }

  /** Whether a correction recorded now corrects the models that all users share. */
  async wouldLearn(event: UnnamedEvent): Promise<boolean> {
    const { learningPolicy } = this.#run
    return this.#choices.of(event.userId) !== 'off' && learningPolicy.routeOf(event) !== undefined
  }

  /** Resolves when all that is in the log now has been learned. */
  async caughtUp(): Promise<void> {
    await this.#enqueue(this.#again(() => this.#follow()))
  }

  /**
   * Learns anew from the log, and removes every version that may hold traces of what has gone from it.
   * Resolves when the server processes that are not held up serve what is left.
   */
  async rebuild(): Promise<void> {
    const rebuild = async () => {
      const follows = await this.#followsLog()
      await this.#relearn()
      const version = await this.#keepVersion(follows ? 'promoted' : 'rejected')
      await this.#settings.store.forgetModelsBefore(version)
      await this.#serve()
    }
    await this.#enqueue(this.#again(rebuild))
    await this.#settings.workers.ask(MODELS_REBUILT)
  }

  /** Learns anew over other shipped weights, which may be of other features; until that is through, they serve alone. */
  rebase(base: Models, canary: Canary): void {
    const old = this.#thread
    this.#settings = { ...this.#settings, base, canary }
    this.#thread = new LearningThread(base, canary)
    this.#serveThis(NOTHING)
    const begin = async () => {
      // Work in progress may have served deltas that were learned for the old weights.
      this.#serveThis(NOTHING)
      this.#run = this.#newRun()
      await this.#follow()
    }
    this.#enqueue(this.#again(begin)).catch(this.#settings.onError)
    old.close().catch(this.#settings.onError)
  }

  /** Learns anew where the rules say otherwise from whom to learn. */
  choicesChanged(): void {
    this.#schedule(FOLLOW_DELAY_MS)
  }

  /** The promotions and refusals until now. */
  progress(): Promotions {
    return this.#run.promotions
  }

  /** Puts into use what has been learned so far; the log is followed again. Returns the version. */
  async promote(): Promise<number> {
    let version = 0
    await this.#enqueue(async () => {
      await this.#follow()
      version = await this.#keepVersion('promoted')
      await this.#serve()
    })
    return version
  }

  /** Returns to the previous version; undefined means only the shipped weights. */
  async rollback(): Promise<number | undefined> {
    let version: number | undefined
    await this.#enqueue(async () => {
      if (await this.#isBeyondKept()) await this.#keepVersion('promoted')
      version = await this.#settings.store.rollback()
      await this.#serve()
    })
    return version
  }

  #onChange({ topic }: Change): void {
    if (topic === 'user' || topic === 'models') this.#schedule(FOLLOW_DELAY_MS)
  }

  #schedule(delayMs: number): void {
    if (this.#scheduled || this.#closing) return
    this.#scheduled = true
    setTimeout(() => {
      this.#scheduled = false
      this.caughtUp().catch((error: unknown) => {
        this.#settings.onError(error)
        this.#schedule(RETRY_DELAY_MS)
      })
    }, delayMs).unref()
  }

  #newRun(choices = NO_CHOICES): Run {
    const { base, mode } = this.#settings
    const isOff = (userId: string) => choices.of(userId) === 'off'
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

  get #choices(): LearningChoices {
    return this.#settings.rules?.learning ?? NO_CHOICES
  }

  async #enqueue(act: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => (this.#closing ? undefined : act()))
    this.#work = done.catch(() => {})
    await done
  }

  /** `act`, and once more where a reload ends the thread under it. */
  #again(act: () => Promise<void>): () => Promise<void> {
    return async () => {
      const thread = this.#thread
      try {
        await act()
      } catch (error) {
        if (thread === this.#thread) throw error
        this.#run = this.#newRun()
        await act()
      }
    }
  }

  async #follow(): Promise<void> {
    const run = this.#run
    const there = await this.#settings.store.countCorrections(run.seq)
    if (there === run.taken && this.#choices.name === run.choices.name) await this.#learnRest(run)
    else await this.#relearn()
    if (await this.#isTimeForVersion()) await this.#keepVersion('promoted')
    await this.#serve()
  }

  async #isTimeForVersion(): Promise<boolean> {
    if (performance.now() - this.#versionMs < VERSION_INTERVAL_MS) return false
    if (!(await this.#followsLog())) return false
    const { store } = this.#settings
    const [latest] = await store.models()
    const inLatest = await store.countCorrections(latest?.learnedToSeq ?? 0)
    return this.#run.taken - inLatest >= VERSION_INTERVAL
  }

  async #relearn(): Promise<void> {
    const run = this.#newRun(this.#choices)
    await this.#learnRest(run)
    if (this.#run !== run) await this.#begin(run)
  }

  /** Puts `run` in the place of the one before. */
  async #begin(run: Run): Promise<void> {
    const { training } = this.#run
    this.#run = run
    await training.end()
  }

  async #learnRest(run: Run): Promise<void> {
    for (;;) {
      const page = await this.#settings.store.correctionsInOrder(run.seq, PAGE)
      try {
        await this.#learn(page, run)
      } catch (error) {
        // The thread has ended, and with it what it had learned: the next change begins anew.
        this.#run = this.#newRun()
        throw error
      }
      if (page.length < PAGE || this.#closing) return
    }
  }

  async #learn(page: readonly LoggedCorrection[], run: Run): Promise<void> {
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
    if (more > 0) this.#settings.onRefused(more)
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

  async #serve(): Promise<void> {
    await this.#serveStored()
    if (this.#isRead) return
    this.#isRead = true
    this.#tellServed()
  }

  /** Puts into use what the store says: the latest of the log, or the version of a rollback. */
  async #serveStored(): Promise<void> {
    if (await this.#followsLog()) {
      const { base, training, promotions } = this.#run
      // A reload has replaced its models since, and the run that follows is begun already.
      if (base !== this.#settings.base) return
      const { promoted } = promotions
      if (promoted === 0) return this.#serveThis(NOTHING)
      return this.#serveThis({
        name: `${training.name} ${promoted}`,
        encode: () => training.encode(),
      })
    }
    const model = await this.#settings.store.promotedModel()
    // A version made for other base weights would be noise on these.
    if (model?.baseVersion !== this.#settings.base.version) {
      return this.#serveThis(NOTHING)
    }
    this.#serveThis({
      name: `version ${model.version}`,
      // It is megabytes, which the store has.
      encode: async () => (await this.#settings.store.promotedModel())?.deltas,
    })
  }

  #serveThis(source: Source): void {
    if (this.#served.name === source.name) return
    this.#served = source
    this.#tellServed()
  }

  #tellServed(): void {
    this.#encoding = undefined
    this.#settings.workers.tell(MODELS_SERVED)
  }

  #answer(workers: ServerProcesses): void {
    workers.on(DELTAS_SERVED, (has) => this.#servedDeltas(has))
    workers.on(WOULD_LEARN, (event) => this.wouldLearn(event))
    workers.on(PROGRESS, () => this.progress())
    workers.on(CHANGE_VERSION, async (change) => {
      try {
        return { version: await this[change]() }
      } catch (error) {
        return { error: sentError(error) }
      }
    })
  }

  async #servedDeltas(has: string): Promise<ServedDeltas | 'as before'> {
    if (!this.#isRead) return 'as before'
    const name = `${this.#id} ${this.#served.name}`
    if (name === has) return 'as before'
    const base = this.#settings.base.version
    const encoding =
      this.#encoding ?? this.#served.encode().then((bytes) => ({ base, name, bytes }))
    this.#encoding = encoding
    try {
      return await encoding
    } finally {
      // They are megabytes, and of use only to those that ask at the same time.
      if (this.#encoding === encoding) this.#encoding = undefined
    }
  }

  async #followsLog(): Promise<boolean> {
    const versions = await this.#settings.store.models()
    const [latest] = versions
    return latest === undefined || latest.state === 'promoted'
  }

  /** True if something has been learned that the version in use does not hold: a rollback from that returns to this version. */
  async #isBeyondKept(): Promise<boolean> {
    if (!(await this.#followsLog())) return false
    const kept = await this.#settings.store.promotedModel()
    return (
      kept === undefined || Buffer.compare(kept.deltas, await this.#run.training.encode()) !== 0
    )
  }

  async #keepVersion(as: 'promoted' | 'rejected'): Promise<number> {
    const { base, training, seq, taken, promotions } = this.#run
    this.#versionMs = performance.now()
    const model = {
      baseVersion: base.version,
      deltas: await training.encode(),
      learnedToSeq: seq,
      metrics: { corrections: taken, promotions: promotions.promoted, refused: promotions.refused },
    }
    return await this.#settings.store.saveModel(model, as)
  }
}
