/**
 * Learns what is added to the weights of the shipped models from the log of corrections, in order: the operator's
 * corrections, and what users agree about, separately.
 *
 * The result depends on the models, the canary set, the settings and the corrections alone: so the same log without one
 * user's corrections gives, bit for bit, what it would have given had that user never been there.
 */
import { createHash } from 'node:crypto'
import type { Canary } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { CrowdLearning } from './crowd-learning.ts'
import { type Deltas, type ModelDeltas, zeroModelDeltas } from './deltas.ts'
import { classFit, type Fit, type Steps, spamFit } from './fits.ts'
import { exampleOf, type LearnEvent, type LearningExample } from './learn-event.ts'
import { LearningLimits, LIMITS, type LimitSettings } from './learning-limits.ts'

/**
 * What changes the shared model: corrections that users agree on (`users`); also the operator's (`operator`); nothing (`off`).
 */
export const LEARNING_MODES = ['users', 'operator', 'off'] as const

export type LearningMode = (typeof LEARNING_MODES)[number]

export interface LearningSettings {
  readonly mode: LearningMode
  /** Whether nothing is learned from a user, whatever the mode. */
  readonly isOff?: (userId: string) => boolean
  readonly limits?: LimitSettings
}

export interface Learned {
  readonly deltas: Deltas
  /** Corrections that were learned from, or count towards an agreement. */
  readonly corrections: number
  /** How often a step was taken into the deltas, and how often refused because it judged the canary set worse. */
  readonly promoted: number
  readonly refused: number
}

/** Learns from all of `events`, which are the log in order. */
export async function learn(
  base: Models,
  canary: Canary,
  settings: LearningSettings,
  events: AsyncIterable<LearnEvent>,
): Promise<Learned> {
  const learner = new Learner(base, canary, settings)
  for await (const event of events) learner.take(event)
  return learner.learned()
}

/** The same, one correction after the other. */
export class Learner {
  readonly #base: Models
  readonly #canary: Canary
  readonly #mode: LearningMode
  readonly #isOff: (userId: string) => boolean
  readonly #limits: LearningLimits
  /** Each from its first correction on: they take megabytes. */
  #operator: OperatorLearning | undefined
  #crowd: CrowdLearning | undefined
  #corrections = 0
  #promoted = 0
  #refused = 0

  constructor(
    base: Models,
    canary: Canary,
    { mode, isOff = () => false, limits = LIMITS }: LearningSettings,
  ) {
    this.#base = base
    this.#canary = canary
    this.#mode = mode
    this.#isOff = isOff
    this.#limits = new LearningLimits(limits)
  }

  /** Takes the next correction of the log. */
  take(event: LearnEvent): void {
    if (this.#mode === 'off') return
    // Features that other code drew from a message mean something else to this code.
    if (event.featureVersion !== this.#base.featureVersion) {
      this.#limits.hear(event)
      return
    }
    const example = this.#isOff(event.userId) ? undefined : exampleOf(event, this.#base)
    if (this.#mode === 'operator' && event.authority === 'operator') {
      if (example === undefined) return
      this.#operator ??= new OperatorLearning(this.#base)
      if (this.#operator.train(event, example)) this.#promoted++
    } else {
      const agreeing = this.#limits.take(event, example !== undefined)
      if (example === undefined || agreeing === undefined) return
      this.#crowd ??= new CrowdLearning(this.#base, this.#canary)
      const outcome = this.#crowd.train(event, example, agreeing)
      if (outcome === 'promoted') this.#promoted++
      if (outcome === 'refused') this.#refused++
    }
    this.#corrections++
  }

  learned(): Learned {
    return {
      deltas: {
        operator: this.#operator?.deltas ?? zeroModelDeltas(this.#base),
        crowd: this.#crowd?.promoted ?? zeroModelDeltas(this.#base),
      },
      corrections: this.#corrections,
      promoted: this.#promoted,
      refused: this.#refused,
    }
  }
}

// Learns deltas from the operator's corrections, which need no agreement. Each is followed by a repetition of some
// earlier ones, so that new evidence does not wash out the old. Every random choice is drawn from the corrections' own ids.
//
// Memory is bounded: a kind keeps RESERVOIR_MAX examples (3.4 KB for a typical message, 14 KB at most). A correction costs
// 0.7 ms of CPU.

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
