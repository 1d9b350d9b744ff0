/**
 * Trains the deltas by the word of whoever runs the service, correction by correction.
 *
 * A correction moves the candidate, which then repeats some earlier ones, so that new evidence
 * does not wash out the old. One correction in sixteen, chosen by its message, is never learned
 * from but held out. The candidate is promoted when it is not worse than the promoted deltas on
 * the latest of these. All chance is drawn from the corrections' own ids.
 *
 * Memory is bounded, whatever is sent: a kind keeps RESERVOIR_MAX + HELD_OUT_MAX lessons (3.4 KB a
 * typical message, 14 KB at most: 8 MB, at most 32), and all kinds three times 5 MB of deltas and
 * squares of gradients. A correction costs 0.8 ms of CPU, a try to promote included.
 */
import type { Models } from '../models/models.ts'
import { chancesOf } from './chances.ts'
import { type Deltas, zeroDeltas } from './deltas.ts'
import type { Fit, Steps } from './fit.ts'
import type { LearnEvent, Lesson } from './learn-event.ts'
import { Reservoir } from './reservoir.ts'
import { SpamFit } from './spam-fit.ts'
import { TabsFit } from './tabs-fit.ts'

/** A text vector is at most 1 long and has hundreds of features: each may move far. */
const TEXT_RATE = 1

/** Some 75 meta features of value 1: each moves little, or how a message is made outweighs what it says. */
const META_RATE = 0.05

/** His word is enough, wherever it leads. */
const deltaMax = Number.POSITIVE_INFINITY

const SPAM_STEPS: Steps = {
  text: { rate: TEXT_RATE, initialSquare: 1e-5, deltaMax },
  meta: { rate: META_RATE, initialSquare: 1e-2, deltaMax },
}

const TABS_STEPS: Steps = {
  text: { rate: 0.15, initialSquare: 1e-5, deltaMax },
  meta: { rate: 0.01, initialSquare: 1e-2, deltaMax },
}

/** Events repeated from. On the stream 1,000 did as well as all 5,795 (packages/lab/reports/stream). */
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

interface HeldOut {
  readonly lesson: Lesson
  /** With the promoted deltas. */
  promotedLoss: number
}

interface Course {
  readonly fit: Fit
  readonly reservoir: Reservoir<Lesson>
  readonly heldOut: HeldOut[]
  /** By how much the mean loss on the held-out has grown since it was at its least. */
  worsened: number
}

export class OperatorTraining {
  /** Of the latest step. Changes with every correction: copy what is to stay. */
  readonly candidate: Deltas
  /** Changes with promotions: copy what is to stay. */
  readonly promoted: Deltas
  readonly #courses: Readonly<Record<LearnEvent['kind'], Course>>

  constructor(base: Models) {
    this.candidate = zeroDeltas(base)
    this.promoted = zeroDeltas(base)
    this.#courses = {
      spam: course(new SpamFit(base, this.candidate, SPAM_STEPS)),
      tabs: course(new TabsFit(base, this.candidate, TABS_STEPS)),
    }
  }

  /** Whether the candidate was promoted with it. */
  train(
    { kind, feedbackId, messageKey }: Pick<LearnEvent, 'kind' | 'feedbackId' | 'messageKey'>,
    lesson: Lesson,
  ): boolean {
    const taught = this.#courses[kind]
    if (isHeldOut(messageKey)) this.#holdOut(taught, lesson)
    else this.#study(taught, lesson, feedbackId)
    return this.#promoteUnlessWorse(taught)
  }

  #study({ fit, reservoir }: Course, lesson: Lesson, feedbackId: string): void {
    fit.step(lesson)
    for (const earlier of reservoir.draw(chancesOf(`repeat ${feedbackId}`))) fit.step(earlier)
    reservoir.add(lesson, chancesOf(`keep ${feedbackId}`)[0]!)
  }

  #promoteUnlessWorse(taught: Course): boolean {
    const { fit, heldOut } = taught
    const losses = heldOut.map(({ lesson }) => fit.loss(lesson, this.candidate))
    const worsened = Math.max(0, taught.worsened + meanGrowth(losses, heldOut))
    if (worsened > WORSENED_MAX) return false
    taught.worsened = worsened
    fit.copy(this.candidate, this.promoted)
    heldOut.forEach((each, i) => {
      each.promotedLoss = losses[i]!
    })
    return true
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
  return { fit, reservoir: new Reservoir(RESERVOIR_MAX), heldOut: [], worsened: 0 }
}

/** By the message, so that what is said of it later is all learned from or all held out. */
function isHeldOut(messageKey: Uint8Array): boolean {
  return chancesOf(messageKey)[0]! < HELD_OUT_SHARE
}
