/**
 * Learns deltas from the operator's corrections, which need no agreement. Each is followed by a repetition of some
 * earlier ones, so that new evidence does not wash out the old. Every random choice is drawn from the corrections' own ids.
 *
 * Memory is bounded: a kind keeps RESERVOIR_MAX examples (3.4 KB for a typical message, 14 KB at most). A correction costs
 * 0.7 ms of CPU.
 */
import { createHash } from 'node:crypto'
import type { Models } from '../models/models.ts'
import { type ModelDeltas, zeroModelDeltas } from './deltas.ts'
import { classFit, type Fit, type Steps, spamFit } from './fits.ts'
import type { LearnEvent, LearningExample } from './learn-event.ts'

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

/** Examples kept for repetition. On the stream 1,000 did as well as all 5,795 (packages/lab/reports/stream). */
const RESERVOIR_MAX = 2_048

/** Random numbers of one id, and so repetitions after one correction: one for each 32-bit word of a SHA-256. */
const CHANCES = 8

interface KindState {
  readonly fit: Fit
  readonly reservoir: LearningExample[]
  seen: number
}

export class OperatorLearning {
  readonly deltas: ModelDeltas
  readonly #states: Readonly<Record<LearnEvent['kind'], KindState>>

  constructor(base: Models) {
    this.deltas = zeroModelDeltas(base)
    const stateOf = (fit: Fit): KindState => ({ fit, reservoir: [], seen: 0 })
    this.#states = {
      spam: stateOf(spamFit(base, 'operator', this.deltas, SPAM_STEPS)),
      tabs: stateOf(classFit(base, 'operator', this.deltas, TABS_STEPS)),
    }
  }

  /** Whether the correction, or what is repeated after it, moved anything. */
  train(
    { kind, feedbackId }: Pick<LearnEvent, 'kind' | 'feedbackId'>,
    example: LearningExample,
  ): boolean {
    const state = this.#states[kind]
    const { fit, reservoir } = state
    let isMoved = fit(example)
    if (reservoir.length > 0) {
      for (const chance of chancesOf(`repeat ${feedbackId}`)) {
        if (fit(reservoir[Math.floor(chance * reservoir.length)]!)) isMoved = true
      }
    }
    this.#keep(state, example, chancesOf(`keep ${feedbackId}`)[0]!)
    return isMoved
  }

  /** Each correction so far is as likely to be kept as any other: algorithm R (Vitter, ACM TOMS 11, 1985). */
  #keep(state: KindState, example: LearningExample, chance: number): void {
    state.seen++
    const isFull = state.reservoir.length === RESERVOIR_MAX
    const place = isFull ? Math.floor(chance * state.seen) : state.reservoir.length
    if (place < RESERVOIR_MAX) state.reservoir[place] = example
  }
}

/** Pseudo-random numbers in [0, 1), the same for the same identifier. */
function chancesOf(identifier: string): number[] {
  const digest = createHash('sha256').update(identifier).digest()
  return Array.from({ length: CHANCES }, (_, word) => digest.readUInt32LE(word * 4) / 2 ** 32)
}
