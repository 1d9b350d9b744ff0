/**
 * Trains the deltas, correction by correction.
 *
 * A correction moves the candidate, which then repeats some earlier ones, so that new evidence
 * does not wash out the old. One correction in sixteen, chosen by its message, is never learned
 * from but held out. The candidate is promoted when it is not worse than the promoted deltas on
 * the latest of these. All chance is drawn from the corrections' own ids.
 *
 * Memory is bounded, whatever is sent: a kind keeps RESERVOIR_MAX + HELD_OUT_MAX lessons (3.4 KB a
 * typical message, 14 KB at most: 8 MB, at most 32), and all kinds three times 5 MB of deltas and
 * squares of gradients. A correction costs 0.3 ms of CPU in a crowd and 0.8 ms as the operator's,
 * where each is followed by a try to promote.
 */
import type { Models } from '../models/models.ts'
import { chancesOf } from './chances.ts'
import type { Teaching } from './curriculum.ts'
import { type Deltas, zeroDeltas } from './deltas.ts'
import type { Fit } from './fit.ts'
import { type LearnEvent, type Lesson, lessonOf } from './learn-event.ts'
import { Reservoir } from './reservoir.ts'
import { SpamFit } from './spam-fit.ts'
import { TabsFit } from './tabs-fit.ts'

/** What training needs of a correction. */
export type TrainingEvent = Pick<
  LearnEvent,
  'feedbackId' | 'kind' | 'label' | 'messageKey' | 'features'
>

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

export class OnlineTraining {
  /** Of the latest step. Changes with every correction: copy what is to stay. */
  readonly candidate: Deltas = zeroDeltas()
  /** What is to be added to the base weights now. Changes with promotions: copy what is to stay. */
  readonly promoted: Deltas = zeroDeltas()
  readonly #courses: Readonly<Record<LearnEvent['kind'], Course>>
  #promotions = 0

  constructor(base: Models) {
    this.#courses = {
      spam: course(new SpamFit(base, this.candidate)),
      tabs: course(new TabsFit(base, this.candidate)),
    }
  }

  /** How often candidates were promoted. */
  get promotions(): number {
    return this.#promotions
  }

  /** Takes a correction that teaches. @throws TypeError for one that `lessonOf` makes no lesson of. */
  train(event: TrainingEvent, teaching: Teaching): void {
    const taught = this.#courses[event.kind]
    const lesson = lessonOf(event)
    if (lesson === undefined) throw new TypeError('The correction is no lesson')
    const errorMax = teaching === 'users' && taught.overrules ? CROWD_ERROR_MAX : 1
    if (isHeldOut(event)) this.#holdOut(taught, lesson)
    else this.#study(taught, lesson, event.feedbackId, errorMax)
    if (++taught.sincePromotion >= PROMOTION_INTERVAL[teaching]) this.#promoteUnlessWorse(taught)
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
function isHeldOut({ messageKey }: TrainingEvent): boolean {
  return chancesOf(messageKey)[0]! < HELD_OUT_SHARE
}
