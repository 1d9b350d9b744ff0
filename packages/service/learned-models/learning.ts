/**
 * The learning job: learns the models of the installation from the log of corrections, from its beginning each time, and
 * keeps the result in the store, from which serving threads take it (learned-models.ts).
 *
 * It runs every six hours or after a hundred corrections, at once when a user is deleted from whom something was learned, and
 * on request. Of the services that share a store, one runs it: the holder of the lease on the row `learning` of `jobs`. The
 * next run does not see corrections that were removed from the log, so nothing else is needed to forget them.
 *
 * Versions are kept so that one call goes back to an earlier one. After a rollback the job goes on, but what it learns is not
 * put into use until it is promoted.
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { encodeDeltas } from '../../mail/learning/deltas.ts'
import { learn } from '../../mail/learning/learn.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import { NO_CHOICES } from '../rules/operator-rules.ts'
import type { Store } from '../store/store.ts'
import type { LoggedCorrection } from '../users/correction.ts'
import type { Job } from '../users/job.ts'
import { type DeletionJobs, Deletions, type DeletionsLog } from '../users/rebuilding.ts'
import type { LearnedFrom } from './learned-models.ts'
import type { LearningState } from './model-version.ts'

const INTERVAL_MS = 6 * 60 * 60_000

/** Corrections after which the next run does not wait for the six hours. */
const CORRECTIONS_MIN = 100

/** It takes half a millisecond a correction: however many there are, it works for a twentieth of the time at most. */
const PAUSE_FACTOR = 20

/** Corrections read from the log and learned from in one step of this thread: some 10 ms. */
const PAGE = 20

/** A lease that is not renewed for so long expires, and another service takes the job. */
const LEASE_MS = 10 * 60_000

/** How often to look for due work, and how soon to retry what failed. */
const LOOK_INTERVAL_MS = 5_000

/** Pause before a look after a change: changes come in bursts. */
const LOOK_DELAY_MS = 500

type LearningStore = DeletionJobs &
  Pick<
    Store,
    'correctionsInOrder' | 'learningState' | 'releaseJob' | 'saveLearned' | 'takeLearning' | 'watch'
  >

export interface LogSettings extends LearnedFrom {
  readonly store: Pick<Store, 'correctionsInOrder'>
  readonly base: Models
  /** The canary set: what is learned from users must not make verdicts on it worse. */
  readonly canary: Canary
}

export interface LearningSettings extends LogSettings {
  readonly store: LearningStore
  /** Called with an error in the background; the work is tried again. */
  readonly onError: (error: unknown) => void
  readonly log: DeletionsLog
}

export class Learning {
  readonly #settings: LearningSettings
  readonly #deletions: Deletions
  #lookTimer: NodeJS.Timeout | undefined
  readonly #timers: readonly NodeJS.Timeout[]
  /** The learning job, while it runs here. */
  #job: Job | undefined
  /** Whether weights, mode and choices must still be compared with those of the last run. */
  #isBasisNew = true
  #working: Promise<void> | undefined
  #stopWatching: () => void = () => {}
  #isClosed = false

  private constructor(settings: LearningSettings) {
    this.#settings = settings
    this.#deletions = new Deletions(settings.store, settings.log, LEASE_MS)
    this.#timers = [
      setInterval(() => void this.look(), LOOK_INTERVAL_MS).unref(),
      setInterval(() => void this.#renew(), LEASE_MS / 4).unref(),
    ]
  }

  static async open(settings: LearningSettings): Promise<Learning> {
    const learning = new Learning(settings)
    learning.#stopWatching = settings.store.watch(() => learning.#lookSoon())
    void learning.look()
    return learning
  }

  /** Stops after the current step, and gives back the lease of a running job. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopWatching()
    clearTimeout(this.#lookTimer)
    for (const timer of this.#timers) clearInterval(timer)
    await this.#working
  }

  /** Does what is due, once at a time. Resolves when it is done; an error is reported. */
  async look(): Promise<void> {
    if (this.#isClosed) return
    this.#working ??= this.#doDue()
      .catch(this.#settings.onError)
      .finally(() => {
        this.#working = undefined
      })
    await this.#working
  }

  /** The rules have changed from whom to learn. */
  choicesChanged(): void {
    this.#isBasisNew = true
    this.#lookSoon()
  }

  #lookSoon(): void {
    if (this.#lookTimer !== undefined || this.#isClosed) return
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = undefined
      void this.look()
    }, LOOK_DELAY_MS).unref()
  }

  async #doDue(): Promise<void> {
    const state = await this.#settings.store.learningState(CORRECTIONS_MIN)
    if (state.deletions > this.#deletions.held.length) await this.#deletions.take()
    if (this.#deletions.waitForLearning || this.#isDue(state)) await this.#run()
    if (!this.#isClosed) await this.#deletions.scrub()
  }

  #isDue({ last, isQueued, newCorrections }: LearningState): boolean {
    if (isQueued) return true
    if (last === undefined) return newCorrections > 0
    if (this.#isBasisNew && last.basis !== basisOf(this.#settings)) return true
    this.#isBasisNew = false
    const pausedMs = Date.now() - last.finishedAt.getTime()
    // If the clock was set back, the next run would be far away.
    if (pausedMs >= INTERVAL_MS || pausedMs < 0) return true
    return newCorrections >= CORRECTIONS_MIN && pausedMs >= PAUSE_FACTOR * last.tookMs
  }

  async #run(): Promise<void> {
    const { store, log } = this.#settings
    const job = await store.takeLearning(LEASE_MS)
    if (job === undefined) return
    this.#job = job
    // Users whose corrections were removed from the log before this run reads it.
    const forgotten = this.#deletions.held
    try {
      const learned = await learnFromLog(this.#settings, () => this.#isClosed)
      const version = await store.saveLearned(job, {
        ...learned,
        forgetsOlder: forgotten.length > 0,
      })
      if (version === undefined) return
      this.#isBasisNew = false
      this.#deletions.learnedWithout(forgotten)
      const { refused } = learned.progress
      if (refused > 0) {
        log.warn(
          { refused },
          'Learned changes were refused: they make verdicts on the canary set worse',
        )
      }
    } catch (error) {
      await store.releaseJob(job)
      if (!this.#isClosed) throw error
    } finally {
      this.#job = undefined
    }
  }

  async #renew(): Promise<void> {
    try {
      if (this.#job !== undefined) await this.#settings.store.renewJob(this.#job, LEASE_MS)
      await this.#deletions.renew()
    } catch (error) {
      this.#settings.onError(error)
    }
  }
}

/** Learns from the whole log, in steps between which the thread does other things. Rejects once it `isStopped`. */
export async function learnFromLog(settings: LogSettings, isStopped: () => boolean = () => false) {
  const { base, canary, mode } = settings
  const choices = settings.rules?.learning ?? NO_CHOICES
  const basis = basisOf(settings)
  const started = performance.now()
  const read = { toSeq: 0, corrections: 0 }
  const isOff = (userId: string) => choices.of(userId) === 'off'
  const events = logged(settings.store, read, isStopped)
  const { deltas, promoted, refused } = await learn(base, canary, { mode, isOff }, events)
  return {
    model: {
      baseVersion: base.version,
      deltas: encodeDeltas(deltas),
      learnedToSeq: read.toSeq,
      metrics: { corrections: read.corrections, promotions: promoted, refused },
    },
    progress: {
      learnedToSeq: read.toSeq,
      ...{ basis, promoted, refused },
      tookMs: performance.now() - started,
    },
    isEmpty: promoted === 0,
  }
}

/** The log in order; `read` says how far it was read. */
async function* logged(
  store: LogSettings['store'],
  read: { toSeq: number; corrections: number },
  isStopped: () => boolean,
): AsyncGenerator<LoggedCorrection> {
  for (;;) {
    const page = await store.correctionsInOrder(read.toSeq, PAGE)
    for (const correction of page) {
      read.toSeq = correction.seq
      read.corrections++
      yield correction
    }
    if (page.length < PAGE) return
    await setImmediate()
    if (isStopped()) throw new Error('Learning was stopped')
  }
}

/** Names everything but the log that decides what is learned. A hash, because the choices name users. */
function basisOf({ base, mode, rules }: LearnedFrom & Pick<LogSettings, 'base'>): string {
  const name = JSON.stringify([base.version, mode, rules?.learning.name ?? ''])
  return createHash('sha256').update(name).digest('base64url')
}
