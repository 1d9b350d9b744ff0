/**
 * How well rendered mail passes for real: a model that sees only how a message is made (the
 * features of the meta model) learns to tell written mail as it is rendered from mail as it was
 * received. An area under its curve of 0.5 would be mail that it cannot tell apart.
 *
 * Each mailbox or collection of real mail is left out whole in turn, and a fifth of the kinds of
 * written mail with it, so that no mailbox is known by its own marks. What collectors add is
 * masked as in training: the meta features have neither Received fields nor envelope. A collection
 * whose header fields were taken out by its publisher is left away, and so are posts to lists, of
 * which the real ones are all of one project.
 */
import { META_FEATURE_NAMES } from '../../../mail/features/meta-features.ts'
import type { SparseVector } from '../../../mail/features/sparse-vector.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { WRITTEN_SET } from '../../corpora/sets.ts'
import type { WrittenSample } from '../../corpora/written.ts'
import { fitLogistic, type LogisticSample } from '../../training/fit-logistic.ts'
import { FOLDS, foldOf } from '../../training/folds.ts'
import { HYPERPARAMETERS } from '../../training/train.ts'
import { readExamples } from '../left-out-models.ts'
import { oneMinusAuc, type Scored } from '../metrics.ts'

/** What mail is compared as: ham by who writes it, and spam. */
export const MAIL_KINDS = ['person', 'bulk', 'transactional', 'spam'] as const

export type MailKind = (typeof MAIL_KINDS)[number]

/** A feature by which rendered mail is told from real. */
export interface GiveAway {
  readonly feature: string
  /** Shares of messages that have it, in [0, 1]. */
  readonly rendered: number
  readonly real: number
  /** In the model's log-odds of being real. */
  readonly weight: number
}

export interface Likeness {
  readonly kind: MailKind
  readonly rendered: number
  readonly real: number
  /** Sources of real mail, each left out once. */
  readonly sources: number
  /** In [0, 1], the mean over sources, each weighing as it has messages. */
  readonly area: number
  /** The strongest first. */
  readonly giveAways: readonly GiveAway[]
}

/** Real mail of today with its header fields. */
const REAL_SOURCES: readonly string[] = ['household_2025', 'lists', 'finds']

/** Of the finds, the collection without transport fields. */
const STRIPPED_COLLECTION = 'evanpurkhiser/email-to-lunchmoney'

/** What the server of the lists adds. */
const LIST_SERVER_FEATURES: ReadonlySet<string> = new Set(['LIST_ID', 'LIST_PRECEDENCE_BULK'])

const GIVE_AWAYS = 10

/** Fewer real messages than this say nothing of a source left out. */
const SOURCE_MESSAGES_MIN = 5

interface Made {
  readonly kind: MailKind
  readonly isReal: boolean
  /** A mailbox or collection; of rendered mail its fold. */
  readonly source: string
  readonly fold: number
  readonly features: SparseVector
}

/** @throws TamisError CORPUS_INVALID when there is no mail. */
export function evaluateRendering(corpora: string): Likeness[] {
  const examples = readExamples(readCorpora(corpora, 'train').filter(isCompared))
  const made = examples.flatMap(({ spam, messageClass, source, collection, group, meta }) => {
    const kind = spam ? 'spam' : kindOf(messageClass)
    if (kind === undefined) return []
    const isReal = source !== WRITTEN_SET
    const origin = collection === undefined ? source : `${source} ${collection}`
    return [{ kind, isReal, source: origin, fold: foldOf(group), features: masked(meta) }]
  })
  return MAIL_KINDS.map((kind) => likeness(made, kind)).filter(({ sources }) => sources > 0)
}

function isCompared(sample: Sample): boolean {
  if (sample.source === WRITTEN_SET) {
    const { layout } = sample as WrittenSample
    return layout !== 'list' && layout !== 'bounce'
  }
  if (sample.collection === STRIPPED_COLLECTION) return false
  return REAL_SOURCES.includes(sample.source) && (sample.source !== 'lists' || sample.spam === true)
}

/** Without the features of the list server, which the spam of lists alone went through. */
function masked({ size, indices }: SparseVector): SparseVector {
  const kept = indices.filter((index) => !LIST_SERVER_FEATURES.has(META_FEATURE_NAMES[index]!))
  return { size, indices: kept, values: new Float32Array(kept.length).fill(1) }
}

function kindOf(messageClass: Sample['messageClass']): MailKind | undefined {
  switch (messageClass) {
    case 'primary':
      return 'person'
    case 'transactions':
      return 'transactional'
    case undefined:
      return undefined
    default:
      return 'bulk'
  }
}

function likeness(all: readonly Made[], kind: MailKind): Likeness {
  const made = all.filter((each) => each.kind === kind)
  const real = made.filter(({ isReal }) => isReal)
  const bySource = Map.groupBy(real, ({ source }) => source)
  const sources = [...bySource].filter(([, own]) => own.length >= SOURCE_MESSAGES_MIN)
  let area = 0
  let messages = 0
  sources.forEach(([source, own], at) => {
    const isLeft = (each: Made) => (each.isReal ? each.source === source : each.fold === at % FOLDS)
    const model = fit(made.filter((each) => !isLeft(each)))
    const scored = made
      .filter(isLeft)
      .map((each): Scored => ({ spam: each.isReal, score: scoreOf(each, model) }))
    area += own.length * (1 - oneMinusAuc(scored))
    messages += own.length
  })
  return {
    kind,
    rendered: made.length - real.length,
    real: real.length,
    sources: sources.length,
    area: area / messages,
    giveAways: giveAwaysOf(made),
  }
}

/** Rendered and real mail weigh alike. */
function fit(made: readonly Made[]): Float32Array {
  const real = made.filter(({ isReal }) => isReal).length
  const samples = made.map(
    ({ features, isReal }): LogisticSample => ({
      features,
      positive: isReal,
      weight: made.length / 2 / (isReal ? real : made.length - real),
    }),
  )
  return fitLogistic(samples, META_FEATURE_NAMES.length, HYPERPARAMETERS.meta).weights
}

function scoreOf({ features }: Made, weights: Float32Array): number {
  return features.indices.reduce((sum, index) => sum + weights[index]!, 0)
}

/** By how much each feature parts the two, on the whole: its weight times the difference of shares. */
function giveAwaysOf(made: readonly Made[]): GiveAway[] {
  const weights = fit(made)
  const shares = (isReal: boolean) => {
    const own = made.filter((each) => each.isReal === isReal)
    const found = new Float64Array(META_FEATURE_NAMES.length)
    for (const { features } of own) {
      for (const index of features.indices) found[index]! += 1 / own.length
    }
    return found
  }
  const rendered = shares(false)
  const real = shares(true)
  const parting = (index: number) => weights[index]! * (real[index]! - rendered[index]!)
  return META_FEATURE_NAMES.map((_, index) => index)
    .sort((a, b) => parting(b) - parting(a))
    .slice(0, GIVE_AWAYS)
    .map((index) => ({
      feature: META_FEATURE_NAMES[index]!,
      rendered: rendered[index]!,
      real: real[index]!,
      weight: weights[index]!,
    }))
}
