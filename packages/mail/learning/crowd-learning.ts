/**
 * Learns deltas from what users agree about, any of whom may be dishonest.
 *
 * A correction moves those of its words that enough users have corrected the same way in as many unlike texts (agreement.ts),
 * each by no more than DELTA_MAX; none once the message is moved by CROWD_REACH (deltas.ts). It never moves the meta features,
 * common words or the bias: what five people say about their mail must not move the mail of all others. The candidate is
 * promoted if it judges the canary set no worse than the shipped models do; otherwise it is reset to what is promoted.
 *
 * Memory is bounded: three times 5 MB of deltas and squares of gradients, 13 MB of voters and 1 MB of texts, of which only the
 * pages that were written are allocated.
 */
import type { SparseVector } from '../features/sparse-vector.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import { type Canary, type CanaryErrors, classErrors, spamErrors } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { Agreement, TextGroups, voterOf } from './agreement.ts'
import { type ModelDeltas, withDeltas, zeroModelDeltas } from './deltas.ts'
import { classFit, type Fit, type Steps, spamFit } from './fits.ts'
import { type LearnEvent, type LearningExample, SPAM_LABELS } from './learn-event.ts'

/**
 * How far a crowd can move the weight of a word, either way. What a message is moved by is bounded apart (CROWD_REACH), so
 * this bounds how fast a few words reach that. With 0.3, and steps half as large, a thousand honest users gain three
 * quarters as much (packages/lab/reports/learning).
 */
const DELTA_MAX = 0.6

/** A fifth of the operator's rate: a step rests on what several users say, none of whom is trusted alone. */
const WORD_RATE = 0.2

/** Smaller, as for the operator: four weights move with each word. */
const CLASS_WORD_RATE = 0.02

/** Words move alone. */
const stepsOf = (rate: number): Steps => ({
  text: { rate, initialSquare: 1e-5, deltaMax: DELTA_MAX },
  meta: { rate: 0, initialSquare: 1, deltaMax: 0 },
})

/**
 * Words in a larger share of the canary set are not moved: they tell nothing, and through them lies about
 * any mail would move all mail. Without this, twelve users who call ham spam for a month make others
 * lose 6.8 % of their ham instead of 3.7 % (the shipped model loses 2.9 %), and honest corrections are
 * refused fifteen times as often, for next to no gain.
 */
const COMMON_SHARE = 0.02

/** Corrections between two looks at the canary set (1 to 3 ms each): as many as have to agree. */
const PROMOTION_INTERVAL = 5

/**
 * How many more errors than the shipped models make are allowed, as a share: a hundredth each of the
 * canary's ham that is lost, its spam that is missed, and its messages in the wrong class. Honest
 * corrections of other mail push a message over the threshold now and then (packages/lab/reports/learning).
 */
const WORSE_MAX = 0.01

interface KindState {
  readonly fit: Fit
  /** The array of the deltas that the fit moves. */
  readonly part: 'text' | 'tabs'
  /** The errors of the candidate on the canary set. */
  readonly errors: () => readonly CanaryErrors[]
  /** The same for the shipped models alone. */
  readonly shippedErrors: readonly CanaryErrors[]
  readonly agreement: Agreement
  /** Corrections since the last look at the canary set. */
  waiting: number
  /** Whether the candidate differs from what is promoted. */
  moved: boolean
}

/** What became of a correction. */
export type CrowdOutcome = 'held' | 'promoted' | 'refused'

export class CrowdLearning {
  readonly candidate: ModelDeltas
  readonly promoted: ModelDeltas
  readonly #commonWords: ReadonlySet<number>
  readonly #texts = new TextGroups()
  readonly #states: Readonly<Record<LearnEvent['kind'], KindState>>

  constructor(base: Models, canary: Canary) {
    this.candidate = zeroModelDeltas(base)
    this.promoted = zeroModelDeltas(base)
    this.#commonWords = commonWordsOf(canary)
    const models = withDeltas(base, { crowd: this.candidate })
    const stateOf = (
      part: KindState['part'],
      fit: Fit,
      labels: number,
      errors: KindState['errors'],
    ): KindState => {
      const agreement = new Agreement(TEXT_FEATURES_SIZE, labels)
      return { fit, part, agreement, errors, shippedErrors: errors(), waiting: 0, moved: false }
    }
    this.#states = {
      spam: stateOf(
        'text',
        spamFit(base, 'crowd', this.candidate, stepsOf(WORD_RATE)),
        SPAM_LABELS.length,
        () => spamErrors(models, canary),
      ),
      tabs: stateOf(
        'tabs',
        classFit(base, 'crowd', this.candidate, stepsOf(CLASS_WORD_RATE)),
        CLASSES.length,
        () => classErrors(models, canary),
      ),
    }
  }

  train(
    { kind, userId }: Pick<LearnEvent, 'kind' | 'userId'>,
    example: LearningExample,
    agreeing: number,
  ): CrowdOutcome {
    const state = this.#states[kind]
    const wordsOf = ({ text, label }: LearningExample) => {
      const words = without(text, this.#commonWords)
      const vote = { label, voter: voterOf(userId), text: this.#texts.groupOf(words) }
      return state.agreement.agreed(words, vote, agreeing)
    }
    if (state.fit(example, wordsOf)) state.moved = true
    state.waiting++
    if (!state.moved || state.waiting < PROMOTION_INTERVAL) return 'held'
    return this.#promoteUnlessWorse(state)
  }

  #promoteUnlessWorse(state: KindState): CrowdOutcome {
    state.waiting = 0
    state.moved = false
    const [candidate, promoted] = [this.candidate[state.part], this.promoted[state.part]]
    if (isWorse(state.errors(), state.shippedErrors)) {
      candidate.set(promoted)
      return 'refused'
    }
    promoted.set(candidate)
    return 'promoted'
  }
}

/** Whether any of `errors` exceeds what is allowed, given `shipped` in the same order. */
export function isWorse(
  errors: readonly CanaryErrors[],
  shipped: readonly CanaryErrors[],
): boolean {
  return errors.some(({ wrong, of }, i) => wrong - shipped[i]!.wrong > WORSE_MAX * of)
}

function commonWordsOf(canary: Canary): ReadonlySet<number> {
  const counts = new Map<number, number>()
  for (const { text } of canary) {
    for (const index of text.indices) counts.set(index, (counts.get(index) ?? 0) + 1)
  }
  const common = [...counts].filter(([, count]) => count > COMMON_SHARE * canary.length)
  return new Set(common.map(([index]) => index))
}

function without({ size, indices, values }: SparseVector, left: ReadonlySet<number>): SparseVector {
  const isKept = (_: number, i: number) => !left.has(indices[i]!)
  return { size, indices: indices.filter(isKept), values: values.filter(isKept) }
}
