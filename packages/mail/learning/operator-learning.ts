/**
 * Learns the deltas from the operator's corrections, one by one.
 *
 * A correction moves the candidate, which then repeats some earlier ones, so that new evidence
 * does not wash out the old. One correction in sixteen, chosen by its message, is held out and never
 * learned from. The candidate is promoted when it is not worse than the promoted deltas on the latest
 * of the held-out samples. Every random choice is drawn from the corrections' own ids.
 *
 * Memory is bounded, whatever is sent: a kind keeps RESERVOIR_MAX + HELD_OUT_MAX samples (3.4 KB for a
 * typical message, 14 KB at most: 8 MB, at most 32), and all kinds three times 5 MB of deltas and
 * squares of gradients. A correction costs 0.8 ms of CPU, the attempt to promote included.
 */
import type { Models } from '../models/models.ts'
import { chancesOf } from './chances.ts'
import { ClassLearning } from './class-learning.ts'
import { type ModelDeltas, zeroModelDeltas } from './deltas.ts'
import type { LearnEvent, LearningExample } from './learn-event.ts'
import type { ModelLearning, Steps } from './model-learning.ts'
import { Reservoir } from './reservoir.ts'
import { SpamLearning } from './spam-learning.ts'

/** A text vector has length 1 at most and hundreds of features: each may move far. */
const TEXT_RATE = 1

/** Some 75 meta features of value 1: each moves little, or how a message is made outweighs what it says. */
const META_RATE = 0.05

/** The operator's corrections may move a weight without bound. */
const deltaMax = Number.POSITIVE_INFINITY

const SPAM_STEPS: Steps = {
  text: { rate: TEXT_RATE, initialSquare: 1e-5, deltaMax },
  meta: { rate: META_RATE, initialSquare: 1e-2, deltaMax },
}

const TABS_STEPS: Steps = {
  text: { rate: 0.15, initialSquare: 1e-5, deltaMax },
  meta: { rate: 0.01, initialSquare: 1e-2, deltaMax },
}

/** Samples kept for repetition. On the stream 1,000 did as well as all 5,795 (packages/lab/reports/stream). */
const RESERVOIR_MAX = 2_048

/** Held-out samples kept: the latest. */
const HELD_OUT_MAX = 256

/** A sixteenth: on the stream holding these out costs nothing measurable. */
const HELD_OUT_SHARE = 1 / 16

/** With fewer held-out samples the missing ones count as unchanged: two or three would decide by chance. */
const HELD_OUT_FEW = 16

/**
 * By how much the mean loss on the held-out samples may exceed its minimum and still count as no worse.
 * Each correction moves the loss a little up or down: without this allowance the promoted deltas stand
 * still on the stream for hundreds of corrections (1-ROCA 0.48 % instead of 0.11 %).
 */
const WORSENED_MAX = 0.02

interface HeldOut {
  readonly example: LearningExample
  /** With the promoted deltas. */
  promotedLoss: number
}

interface KindState {
  readonly fit: ModelLearning
  readonly reservoir: Reservoir<LearningExample>
  readonly heldOut: HeldOut[]
  /** By how much the mean loss on the held-out samples exceeds its minimum so far. */
  worsened: number
}

export class OperatorLearning {
  /** The deltas of the latest step. They change with every correction: copy what must stay. */
  readonly candidate: ModelDeltas
  /** The promoted deltas. They change with promotions: copy what must stay. */
  readonly promoted: ModelDeltas
  readonly #states: Readonly<Record<LearnEvent['kind'], KindState>>

  constructor(base: Models) {
    this.candidate = zeroModelDeltas(base)
    this.promoted = zeroModelDeltas(base)
    this.#states = {
      spam: stateOf(new SpamLearning(base, 'operator', this.candidate, SPAM_STEPS)),
      tabs: stateOf(new ClassLearning(base, 'operator', this.candidate, TABS_STEPS)),
    }
  }

  /** Whether the candidate was promoted with it. */
  train(
    { kind, feedbackId, messageKey }: Pick<LearnEvent, 'kind' | 'feedbackId' | 'messageKey'>,
    example: LearningExample,
  ): boolean {
    const state = this.#states[kind]
    if (isHeldOut(messageKey)) this.#holdOut(state, example)
    else this.#study(state, example, feedbackId)
    return this.#promoteUnlessWorse(state)
  }

  #study({ fit, reservoir }: KindState, example: LearningExample, feedbackId: string): void {
    fit.step(example)
    for (const earlier of reservoir.draw(chancesOf(`repeat ${feedbackId}`))) fit.step(earlier)
    reservoir.add(example, chancesOf(`keep ${feedbackId}`)[0]!)
  }

  #promoteUnlessWorse(state: KindState): boolean {
    const { fit, heldOut } = state
    const losses = heldOut.map(({ example }) => fit.loss(example, this.candidate))
    const worsened = Math.max(0, state.worsened + meanGrowth(losses, heldOut))
    if (worsened > WORSENED_MAX) return false
    state.worsened = worsened
    fit.copy(this.candidate, this.promoted)
    heldOut.forEach((each, i) => {
      each.promotedLoss = losses[i]!
    })
    return true
  }

  #holdOut({ fit, heldOut }: KindState, example: LearningExample): void {
    heldOut.push({ example, promotedLoss: fit.loss(example, this.promoted) })
    if (heldOut.length > HELD_OUT_MAX) heldOut.shift()
  }
}

/** By how much the mean loss of the candidate exceeds that of the promoted deltas. */
function meanGrowth(losses: readonly number[], heldOut: readonly HeldOut[]): number {
  const before = sumOf(heldOut.map(({ promotedLoss }) => promotedLoss))
  return (sumOf(losses) - before) / Math.max(HELD_OUT_FEW, losses.length)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function stateOf(fit: ModelLearning): KindState {
  return { fit, reservoir: new Reservoir(RESERVOIR_MAX), heldOut: [], worsened: 0 }
}

/** Chosen by the message, so that all corrections of one message are learned from, or all held out. */
function isHeldOut(messageKey: Uint8Array): boolean {
  return chancesOf(messageKey)[0]! < HELD_OUT_SHARE
}
