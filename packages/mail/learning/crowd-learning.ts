/**
 * Learns the deltas from what users agree about, any of whom may be dishonest.
 *
 * A correction moves those of its words in the candidate that enough users have corrected the same way
 * (agreement.ts), each by no more than DELTA_MAX from the shipped weight. It never moves the meta
 * features, common words or the bias: what five people say about their mail must not move the mail of
 * all others. The candidate is promoted when it judges the canary set no worse than the shipped models
 * do; otherwise it is reset to what is promoted, so that nothing builds on what was refused.
 *
 * Nothing is random. Memory is bounded: three times 5 MB of deltas and squares of gradients, and 13 MB
 * of voters, of which only the pages that were written are allocated.
 */
import type { SparseVector } from '../features/sparse-vector.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import { type Canary, type CanaryErrors, classErrors, spamErrors } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { Agreement, voterOf } from './agreement.ts'
import { ClassLearning } from './class-learning.ts'
import { type Deltas, withDeltas, zeroDeltas } from './deltas.ts'
import { type LearnEvent, type LearningExample, SPAM_LABELS } from './learn-event.ts'
import type { ModelLearning, Steps } from './model-learning.ts'
import { isWorse } from './promotion-gate.ts'
import { SpamLearning } from './spam-learning.ts'

/**
 * How far a crowd can move the weight of a word, either way. The word values of a message add up to 10
 * in the median and 20 at most (canary set), and the fused logit grows 1.4 times as fast: 4 for an
 * ordinary message all of whose words were moved as far as possible, where a hundred honest users
 * reach 1 and a thousand reach 4. With a bound of 1 a thousand honest users have a third fewer errors,
 * but ten who slander one sender move its mail three times as far (packages/lab/reports/learning).
 */
const DELTA_MAX = 0.3

/** A tenth of the operator's rate: a step rests on what five users say, none of whom is trusted alone. */
const WORD_RATE = 0.1

/** Smaller, as for the operator: four weights move with each word. */
const CLASS_WORD_RATE = 0.02

const NOT_MOVED = { rate: 0, initialSquare: 1, deltaMax: 0 } as const

const SPAM_STEPS: Steps = {
  text: { rate: WORD_RATE, initialSquare: 1e-5, deltaMax: DELTA_MAX },
  meta: NOT_MOVED,
}

const TABS_STEPS: Steps = {
  text: { rate: CLASS_WORD_RATE, initialSquare: 1e-5, deltaMax: DELTA_MAX },
  meta: NOT_MOVED,
}

/**
 * Words in a larger share of the canary set are not moved: they tell nothing, and through them lies about
 * any mail would move all mail. Without this, twelve users who call ham spam for a month make others
 * lose 6.8 % of their ham instead of 3.7 % (the shipped model loses 2.9 %), and honest corrections are
 * refused fifteen times as often, for next to no gain.
 */
const COMMON_SHARE = 0.02

/**
 * Corrections between two attempts to promote: an attempt judges the canary set (1 to 3 ms), and a
 * promotion gives every worker 5 MB of new weights. The same number as have to agree, so that what five
 * users say takes effect at once.
 */
const PROMOTION_INTERVAL = 5

interface KindState {
  readonly fit: ModelLearning
  /** The errors of the candidate on the canary set. */
  readonly errors: () => readonly CanaryErrors[]
  /** The same for the shipped models alone. */
  readonly shippedErrors: readonly CanaryErrors[]
  readonly agreement: Agreement
  /** Corrections since the last attempt to promote. */
  waiting: number
  /** Whether the candidate differs from what is promoted. */
  moved: boolean
}

/** What became of a correction. */
export type CrowdOutcome = 'held' | 'promoted' | 'refused'

export class CrowdLearning {
  /** The deltas of the latest step. They change with every correction: copy what must stay. */
  readonly candidate: Deltas
  /** The promoted deltas. They change with promotions: copy what must stay. */
  readonly promoted: Deltas
  readonly #commonWords: ReadonlySet<number>
  readonly #states: Readonly<Record<LearnEvent['kind'], KindState>>

  constructor(base: Models, canary: Canary) {
    this.candidate = zeroDeltas(base)
    this.promoted = zeroDeltas(base)
    this.#commonWords = commonWordsOf(canary)
    const models = withDeltas(base, this.candidate)
    this.#states = {
      spam: stateOf(new SpamLearning(base, this.candidate, SPAM_STEPS), SPAM_LABELS.length, () =>
        spamErrors(models, canary),
      ),
      tabs: stateOf(new ClassLearning(base, this.candidate, TABS_STEPS), CLASSES.length, () =>
        classErrors(models, canary),
      ),
    }
  }

  train(
    { kind, userId }: Pick<LearnEvent, 'kind' | 'userId'>,
    example: LearningExample,
  ): CrowdOutcome {
    const taught = this.#states[kind]
    const voter = voterOf(userId)
    const wordsOf = ({ text, label }: LearningExample) =>
      taught.agreement.agreed(without(text, this.#commonWords), label, voter)
    if (taught.fit.step(example, wordsOf)) taught.moved = true
    taught.waiting++
    if (!taught.moved || taught.waiting < PROMOTION_INTERVAL) return 'held'
    return this.#promoteUnlessWorse(taught)
  }

  #promoteUnlessWorse(taught: KindState): CrowdOutcome {
    taught.waiting = 0
    taught.moved = false
    if (isWorse(taught.errors(), taught.shippedErrors)) {
      taught.fit.copy(this.promoted, this.candidate)
      return 'refused'
    }
    taught.fit.copy(this.candidate, this.promoted)
    return 'promoted'
  }
}

/** The candidate has not been moved yet. */
function stateOf(fit: ModelLearning, labels: number, errors: KindState['errors']): KindState {
  const agreement = new Agreement(TEXT_FEATURES_SIZE, labels)
  return { fit, agreement, errors, shippedErrors: errors(), waiting: 0, moved: false }
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
