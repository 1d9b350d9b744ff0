/**
 * Learns the global model's deltas from the log of corrections: a fold over its events in order.
 *
 * The state depends on the base models, the settings and the events alone; all chance is drawn
 * from the events' own ids. So the log replayed without one user's events gives, bit for bit, the
 * model that has never seen them, and events taken one by one give what they give in batches.
 *
 * A correction moves the candidate, which then repeats some earlier ones, so that new evidence
 * does not wash out the old. One correction in sixteen, chosen by its message, is never learned
 * from but held out. The candidate is promoted when it is not worse than the promoted deltas on the latest of
 * these.
 *
 * Memory is bounded, whatever is sent: a kind keeps RESERVOIR_MAX + HELD_OUT_MAX lessons (3.4 KB a
 * typical message, 14 KB at most: 8 MB, at most 32), all kinds three times 5 MB of deltas and squares of
 * gradients, and teaching-limits.ts its 20 MB. An event costs 0.3 ms of CPU in the mode `users` and 0.8 ms
 * in the mode `operator`, where each is followed by a try to promote.
 */
import type { Models } from '../models/models.ts'
import { chancesOf } from './chances.ts'
import { type Deltas, zeroDeltas } from './deltas.ts'
import type { Fit } from './fit.ts'
import { type LearnEvent, type Lesson, lessonOf } from './learn-event.ts'
import { Reservoir } from './reservoir.ts'
import { SpamFit } from './spam-fit.ts'
import { TabsFit } from './tabs-fit.ts'
import { LIMITS, type LimitSettings, TeachingLimits } from './teaching-limits.ts'

/**
 * Whose corrections teach: of whoever runs the service, each once (`operator`); of many users,
 * within limits (`users`); nobody's (`off`). `auto` is `operator` until USERS_MIN users have
 * corrected.
 */
export type LearningMode = 'auto' | 'operator' | 'users' | 'off'

export interface LearningSettings {
  readonly mode: LearningMode
  /** For the mode `users`. */
  readonly limits?: LimitSettings
}

/** Below this there is nobody to hide behind: they are one household or one team. */
const USERS_MIN = 5

/** Events repeated from. On the stream 1,000 did as well as all 5,795 (reports/stream). */
const RESERVOIR_MAX = 2_048

/** Of the latest corrections. */
const HELD_OUT_MAX = 256

/** A sixteenth: the stream loses nothing measurable by it. */
const HELD_OUT_SHARE = 1 / 16

/** Fewer decide as if the others up to this number had not changed: two or three are chance. */
const HELD_OUT_FEW = 16

/**
 * Growth of the mean loss on the held-out that still counts as no worse, of all promotions since
 * the least together. Each correction moves the loss a little up or down: with none allowed the
 * stream's promoted deltas stand still for hundreds of corrections (1-ROCA 0.48 % for 0.11 %).
 */
const WORSENED_MAX = 0.02

/**
 * Corrections between two tries to promote: an operator is heeded at once; a crowd's corrections
 * are gathered, since every worker gets 5 MB of new weights each time.
 */
const PROMOTION_INTERVAL = { operator: 1, users: 50 } as const

/**
 * In a crowd, a lesson is passed over while the candidate errs by more: it is sure of the
 * opposite, and this is more often a lie than news (reports/learning). The user who is right has rules
 * and a memory.
 */
const CROWD_ERROR_MAX = 0.9

/**
 * The candidate may overrule users like this only while its mean loss on the held-out is below. If
 * lies have made it wrong, it is corrected again like any other.
 */
const OVERRULING_LOSS_MAX = 0.1

interface HeldOut {
  readonly lesson: Lesson
  /** With the promoted deltas. */
  promotedLoss: number
}

interface Course {
  readonly fit: Fit
  readonly reservoir: Reservoir<Lesson>
  readonly heldOut: HeldOut[]
  sincePromotion: number
  /** By how much the mean loss on the held-out has grown since it was at its least. */
  worsened: number
  /** Whether the candidate may overrule users. */
  overrules: boolean
}

export class Learner {
  /** Of the latest step. Changes with every event: copy what is to stay. */
  readonly candidate: Deltas = zeroDeltas()
  /** What is to be added to the base weights now. Changes with promotions: copy what is to stay. */
  readonly promoted: Deltas = zeroDeltas()
  readonly #mode: LearningMode
  readonly #limits: TeachingLimits
  readonly #courses: Readonly<Record<LearnEvent['kind'], Course>>
  /** At most USERS_MIN. */
  readonly #users = new Set<string>()
  #promotions = 0

  constructor(base: Models, { mode, limits = LIMITS }: LearningSettings) {
    this.#mode = mode
    this.#limits = new TeachingLimits(limits)
    this.#courses = {
      spam: course(new SpamFit(base, this.candidate)),
      tabs: course(new TabsFit(base, this.candidate)),
    }
  }

  /** How often candidates were promoted. */
  get promotions(): number {
    return this.#promotions
  }

  /** Whether `event` would teach the global model, being the next. Changes nothing. */
  wouldTeach(event: LearnEvent): boolean {
    if (lessonOf(event) === undefined) return false
    const mode = this.#modeWith(event)
    return mode === 'operator' || (mode === 'users' && this.#limits.admits(event))
  }

  /** Takes the next event of the log. True when it taught the global model, held out or not. */
  learn(event: LearnEvent): boolean {
    const teaches = this.wouldTeach(event)
    const mode = this.#modeWith(event)
    if (this.#users.size < USERS_MIN) this.#users.add(event.userId)
    if (mode === 'users') this.#limits.note(event, teaches)
    if (!teaches) return false
    const taught = this.#courses[event.kind]
    const lesson = lessonOf(event)!
    const errorMax = mode === 'users' && taught.overrules ? CROWD_ERROR_MAX : 1
    if (isHeldOut(event)) this.#holdOut(taught, lesson)
    else this.#study(taught, lesson, event.feedbackId, errorMax)
    const interval = PROMOTION_INTERVAL[mode === 'users' ? 'users' : 'operator']
    if (++taught.sincePromotion >= interval) this.#promoteUnlessWorse(taught)
    return true
  }

  #modeWith({ userId }: LearnEvent): Exclude<LearningMode, 'auto'> {
    if (this.#mode !== 'auto') return this.#mode
    const users = this.#users.size + (this.#users.has(userId) ? 0 : 1)
    return users < USERS_MIN ? 'operator' : 'users'
  }

  #study({ fit, reservoir }: Course, lesson: Lesson, feedbackId: string, errorMax: number): void {
    fit.step(lesson, errorMax)
    for (const earlier of reservoir.draw(chancesOf(`repeat ${feedbackId}`))) {
      fit.step(earlier, errorMax)
    }
    reservoir.add(lesson, chancesOf(`keep ${feedbackId}`)[0]!)
  }

  #promoteUnlessWorse(taught: Course): void {
    taught.sincePromotion = 0
    const { fit, heldOut } = taught
    const losses = heldOut.map(({ lesson }) => fit.loss(lesson, this.candidate))
    taught.overrules = sumOf(losses) < OVERRULING_LOSS_MAX * losses.length
    const worsened = Math.max(0, taught.worsened + meanGrowth(losses, heldOut))
    if (worsened > WORSENED_MAX) return
    taught.worsened = worsened
    fit.promote(this.candidate, this.promoted)
    heldOut.forEach((each, i) => {
      each.promotedLoss = losses[i]!
    })
    this.#promotions++
  }

  #holdOut({ fit, heldOut }: Course, lesson: Lesson): void {
    heldOut.push({ lesson, promotedLoss: fit.loss(lesson, this.promoted) })
    if (heldOut.length > HELD_OUT_MAX) heldOut.shift()
  }
}

/** By how much the mean loss has grown since the held-out were judged with the promoted deltas. */
function meanGrowth(losses: readonly number[], heldOut: readonly HeldOut[]): number {
  const before = sumOf(heldOut.map(({ promotedLoss }) => promotedLoss))
  return (sumOf(losses) - before) / Math.max(HELD_OUT_FEW, losses.length)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function course(fit: Fit): Course {
  return {
    fit,
    reservoir: new Reservoir(RESERVOIR_MAX),
    heldOut: [],
    sincePromotion: 0,
    worsened: 0,
    overrules: false,
  }
}

/** By the message, so that what several users say of it is all learned from or all held out. */
function isHeldOut({ messageKey }: LearnEvent): boolean {
  return chancesOf(messageKey)[0]! < HELD_OUT_SHARE
}
