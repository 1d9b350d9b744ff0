/**
 * Trains the deltas by what users agree about, none of whom need be honest.
 *
 * A correction moves the candidate by those of its words that enough users have taught the same way
 * (agreement.ts), each by no more than DELTA_MAX from the shipped weight; never by how a message is
 * made, never by words that much other mail has too, and never the bias: what five people say of
 * their mail is not to move everybody's. The candidate is promoted when the canary set is judged no
 * worse by it than by the shipped models; where it is, the candidate goes back to what is promoted,
 * so that what was refused is not built on.
 *
 * Chance has no part in it. Memory is bounded: three times 5 MB of deltas and squares of gradients,
 * and 13 MB of voters, of each the pages that were touched.
 */
import type { SparseVector } from '../features/sparse-vector.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import { type Canary, type CanaryErrors, classErrors, spamErrors } from '../models/canary.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import { Agreement, voterOf } from './agreement.ts'
import { type Deltas, withDeltas, zeroDeltas } from './deltas.ts'
import type { Fit, Steps } from './fit.ts'
import { type LearnEvent, type Lesson, SPAM_LABELS } from './learn-event.ts'
import { isWorse } from './promotion-gate.ts'
import { SpamFit } from './spam-fit.ts'
import { TabsFit } from './tabs-fit.ts'

/**
 * As far as a crowd moves the weight of a word, either way. The words of a message add up to 10 in the
 * middle and 20 at most (canary set), and the fused logit grows 1.4 times as fast: 4 for an ordinary
 * message all of whose words were moved as far as they go, where 1 is what honest users reach
 * with a hundred and 4 with a thousand. With 1 in its place a thousand honest users have a third
 * fewer errors, and ten who slander one sender move its mail three times as far (packages/lab/reports/learning).
 */
const DELTA_MAX = 0.3

/** A tenth of the operator's: a step needs five users, and is no one's word alone. */
const WORD_RATE = 0.1

/** Less, as the operator's are: four weights move with each word. */
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
 * Words that stand in a larger share of the canary set are not moved: they tell nothing, and lies
 * about any mail move all mail by them. Without this twelve who call ham spam for a month lose 6.8 % of
 * others' ham for 3.7 % (2.9 % is what the shipped model loses), and honest corrections are refused
 * fifteen times as often, for next to no gain.
 */
const COMMON_SHARE = 0.02

/**
 * Corrections between two tries to promote: a try judges the canary set (1 to 3 ms), and every worker
 * gets 5 MB of new weights. As many as have to agree, so that five users are heeded at once.
 */
const PROMOTION_INTERVAL = 5

interface Course {
  readonly fit: Fit
  /** What is wrong about the canary set with the candidate. */
  readonly errors: () => readonly CanaryErrors[]
  /** The same with the shipped models alone. */
  readonly shippedErrors: readonly CanaryErrors[]
  readonly agreement: Agreement
  /** Corrections since the last try to promote. */
  waiting: number
  /** Whether the candidate differs from what is promoted. */
  moved: boolean
}

/** What became of a correction. */
export type CrowdOutcome = 'held' | 'promoted' | 'refused'

export class CrowdTraining {
  /** Of the latest step. Changes with every correction: copy what is to stay. */
  readonly candidate: Deltas
  /** Changes with promotions: copy what is to stay. */
  readonly promoted: Deltas
  readonly #commonWords: ReadonlySet<number>
  readonly #courses: Readonly<Record<LearnEvent['kind'], Course>>

  constructor(base: Models, canary: Canary) {
    this.candidate = zeroDeltas(base)
    this.promoted = zeroDeltas(base)
    this.#commonWords = commonWordsOf(canary)
    const models = withDeltas(base, this.candidate)
    this.#courses = {
      spam: course(new SpamFit(base, this.candidate, SPAM_STEPS), SPAM_LABELS.length, () =>
        spamErrors(models, canary),
      ),
      tabs: course(new TabsFit(base, this.candidate, TABS_STEPS), CLASSES.length, () =>
        classErrors(models, canary),
      ),
    }
  }

  train({ kind, userId }: Pick<LearnEvent, 'kind' | 'userId'>, lesson: Lesson): CrowdOutcome {
    const taught = this.#courses[kind]
    const voter = voterOf(userId)
    const wordsOf = ({ text, label }: Lesson) =>
      taught.agreement.agreed(without(text, this.#commonWords), label, voter)
    if (taught.fit.step(lesson, wordsOf)) taught.moved = true
    taught.waiting++
    if (!taught.moved || taught.waiting < PROMOTION_INTERVAL) return 'held'
    return this.#promoteUnlessWorse(taught)
  }

  #promoteUnlessWorse(taught: Course): CrowdOutcome {
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
function course(fit: Fit, labels: number, errors: Course['errors']): Course {
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
