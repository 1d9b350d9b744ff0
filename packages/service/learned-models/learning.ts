/**
 * The learning job: learns the models of the installation from the log of corrections, from its beginning each time, and
 * keeps the result in the store, from which serving threads take it (learned-models.ts).
 *
 * It runs every six hours or after a hundred corrections, at once when a user is deleted from whom something was learned, and
 * on request. Of the services that share a store, one runs it: the holder of the lease (store/jobs.ts). The
 * next run does not see corrections that were removed from the log, so nothing else is needed to forget them. The job of a
 * deletion is done when nothing of the user is left in the files either.
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

/** The shortest and the longest time between two attempts to scrub the files. */
const SCRUB_MS_MIN = 5_000
const SCRUB_MS_MAX = 5 * 60_000

type LearningStore = Pick<
  Store,
  | 'correctionsInOrder'
  | 'finishDeletions'
  | 'learningState'
  | 'renewLearning'
  | 'saveLearned'
  | 'scrub'
  | 'takeLearning'
  | 'watch'
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
  readonly log: { warn(fields: object, message: string): void }
}

export class Learning {
  readonly #settings: LearningSettings
  #lookTimer: NodeJS.Timeout | undefined
  readonly #timers: readonly NodeJS.Timeout[]
  /** The lease, while it is held here. */
  #lease: number | undefined
  /** Deletions of whose users nothing is left but in the log of the database. */
  #overwritten: readonly string[] = []
  #scrubPauseMs = 0
  /** On the clock of `performance.now`. */
  #nextScrubMs = 0
  #working: Promise<void> | undefined
  #stopWatching: () => void = () => {}
  #isClosed = false

  private constructor(settings: LearningSettings) {
    this.#settings = settings
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
    const { store } = this.#settings
    const state = await store.learningState(CORRECTIONS_MIN)
    const { deletions } = state
    const learned = deletions.filter(({ isLearned }) => isLearned)
    const learns = learned.length > 0 || this.#isDue(state)
    const scrubs = deletions.length > 0 && performance.now() >= this.#nextScrubMs
    if (!learns && !scrubs) return
    this.#lease = await store.takeLearning(LEASE_MS)
    if (this.#lease === undefined) return
    try {
      // Deletions end with the next look: until then serving threads have the new model.
      if (learns) await this.#learn(this.#lease, idsOf(learned))
      else await this.#scrub(idsOf(deletions))
    } catch (error) {
      if (!this.#isClosed) throw error
    } finally {
      await store.renewLearning(this.#lease, 0)
      this.#lease = undefined
    }
  }

  #isDue({ last, isQueued, newCorrections }: LearningState): boolean {
    if (isQueued) return true
    if (last === undefined) return newCorrections > 0
    if (last.basis !== basisOf(this.#settings)) return true
    const pausedMs = Date.now() - last.finishedAt.getTime()
    // If the clock was set back, the next run would be far away.
    if (pausedMs >= INTERVAL_MS || pausedMs < 0) return true
    return newCorrections >= CORRECTIONS_MIN && pausedMs >= PAUSE_FACTOR * last.tookMs
  }

  /** Saves nothing if the lease was lost meanwhile. */
  async #learn(lease: number, forgotten: readonly string[]): Promise<void> {
    const { store, log } = this.#settings
    const learned = await learnFromLog(this.#settings, () => this.#isClosed)
    const saved = await store.saveLearned(lease, { ...learned, forgotten })
    const { refused } = learned.progress
    if (saved !== undefined && refused > 0) {
      log.warn(
        { refused },
        'Learned changes were refused: they make verdicts on the canary set worse',
      )
    }
  }

  /** Overwrites what is left of deleted users in the files, and ends their jobs; if that cannot be done now, the next attempt comes later. */
  async #scrub(deletions: readonly string[]): Promise<void> {
    if (await this.#scrubAll(deletions)) {
      this.#scrubPauseMs = 0
      return
    }
    if (this.#scrubPauseMs === 0) {
      this.#settings.log.warn(
        { deletions: deletions.length },
        'Deletions are not done: another process reads or locks the store, or there is no room to write it anew. Tamis will try again',
      )
    }
    this.#scrubPauseMs = Math.min(Math.max(SCRUB_MS_MIN, 2 * this.#scrubPauseMs), SCRUB_MS_MAX)
    this.#nextScrubMs = performance.now() + this.#scrubPauseMs
  }

  /**
   * A reader of a SQLite file keeps old pages in the log. Until it ends, the emptying of the log is all that is tried again: to
   * overwrite the file once more would write all of it into that log each time.
   */
  async #scrubAll(deletions: readonly string[]): Promise<boolean> {
    const { store } = this.#settings
    let left = deletions
    while (left.length > 0) {
      if (this.#overwritten.length === 0) {
        if (!(await store.scrub('overwrite'))) return false
        this.#overwritten = left
      }
      if (!(await store.scrub('empty log'))) return false
      const done = this.#overwritten
      await store.finishDeletions(done)
      this.#overwritten = []
      left = left.filter((id) => !done.includes(id))
    }
    return true
  }

  async #renew(): Promise<void> {
    try {
      if (this.#lease !== undefined) await this.#settings.store.renewLearning(this.#lease, LEASE_MS)
    } catch (error) {
      this.#settings.onError(error)
    }
  }
}

function idsOf(deletions: LearningState['deletions']): string[] {
  return deletions.map(({ id }) => id)
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
