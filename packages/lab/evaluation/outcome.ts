/** What models predict for a message that none of them was trained on. */
import { type AnalyseOptions, analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import type { Thresholds } from '../../mail/models/fusion.ts'
import type { Models } from '../../mail/models/models.ts'
import type { MessageClass } from '../../mail/models/prediction.ts'
import { type LayerMeans, type ReaderLogits, readerLogits } from '../../mail/models/reader.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decide, modelledLogit, wantsReading } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { type Policy, policyFor } from '../../mail/verdict/policy.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../corpora/facts.ts'
import type { Example } from '../training/features.ts'

/** An example without what models are given of it: what a report may tell of it. */
export type Labelled = Omit<Example, 'text' | 'meta' | 'texts' | 'essence' | 'means'>

export interface Outcome extends Labelled {
  readonly textProbability: number
  readonly metaProbability: number
  /** The probability of the verdict, at a prior of 50 %. */
  readonly spamProbability: number
  /** The same in log-odds, which still tells apart probabilities that round to 1. */
  readonly spamLogit: number
  /** True above the shipped preset, `balanced`. */
  readonly calledSpam: boolean
  /** True above each preset. */
  readonly calledSpamBy: Readonly<Record<keyof Thresholds, boolean>>
  readonly escalated: boolean
  readonly predictedClass: MessageClass
  /** Whether the reader had a say at `balanced`. */
  readonly wasRead: boolean
  /** What both models say without the reader, at their own threshold. */
  readonly unread: Pick<Outcome, 'spamLogit' | 'calledSpam' | 'predictedClass'>
}

/** Reads a text for the reader. */
export type ReadText = (text: string) => Promise<LayerMeans>

const PRESETS = ['cautious', 'balanced', 'strict'] as const

/** The policy of a default installation. */
export function shippedPolicy(
  models: Pick<Models, 'fusion' | 'reader'>,
  threshold: keyof Thresholds = 'balanced',
): Policy {
  return policyFor(models, { threshold, spamPrior: 0.5, spamEntitled: true })
}

/**
 * The one place where the evaluation asks the models, as the service asks them: the worst reading
 * counts. Nobody is corrected for, and the sender is unknown, as in a default installation.
 */
export function judge(
  bytes: Uint8Array,
  models: Models,
  options: AnalyseOptions = {},
): { readonly analysis: Analysis; readonly verdict: Verdict } {
  const means = { knowledge: CORPUS_KNOWLEDGE }
  const analysis = analyse(memoryOctets(bytes), CORPUS_FACTS, models, { ...options, ...means })
  return { analysis, verdict: decide(analysis, NO_EVIDENCE, shippedPolicy(models)) }
}

/** The same with the reader, which is asked where the models are not sure. */
export async function judgeAndRead(
  bytes: Uint8Array,
  models: Models,
  readText: ReadText,
): Promise<{ readonly analysis: Analysis; readonly verdict: Verdict }> {
  const { reader } = models
  const { analysis: unread, verdict } = judge(bytes, models, { essence: reader !== undefined })
  const policy = shippedPolicy(models)
  if (reader === undefined || !wantsReading(unread, NO_EVIDENCE, policy)) {
    return { analysis: unread, verdict }
  }
  const analysis = withReading(unread, readerLogits(reader, await readText(unread.essence!)))
  return { analysis, verdict: decide(analysis, NO_EVIDENCE, policy) }
}

function withReading(analysis: Analysis, { spam, classes }: ReaderLogits): Analysis {
  return { ...analysis, read: spam, readClasses: classes }
}

/** @param readText asked only where the models have a reader, and are not sure. */
export async function outcomeOf(
  example: Example,
  bytes: Uint8Array,
  models: Models,
  readText: ReadText,
): Promise<Outcome> {
  const {
    text: _text,
    meta: _meta,
    texts: _texts,
    essence: _,
    means: _means,
    ...labelled
  } = example
  const { reader, fusion } = models
  const { analysis: unread } = judge(bytes, models, { essence: reader !== undefined })
  const policies = PRESETS.map((preset) => shippedPolicy(models, preset))
  const isWanted = policies.some((policy) => wantsReading(unread, NO_EVIDENCE, policy))
  const analysis =
    isWanted && reader !== undefined
      ? withReading(unread, readerLogits(reader, await readText(unread.essence!)))
      : unread
  const [cautious, verdict, strict] = policies.map((policy) =>
    decide(analysis, NO_EVIDENCE, policy),
  ) as [Verdict, Verdict, Verdict]
  const withoutReader = decide(unread, NO_EVIDENCE, shippedPolicy({ fusion }))
  return {
    ...labelled,
    textProbability: verdict.textSpamScore,
    metaProbability: verdict.metaSpamScore,
    spamProbability: verdict.spamProbability,
    spamLogit: modelledLogit(analysis, NO_EVIDENCE, policies[1]!),
    calledSpam: verdict.isSpam,
    calledSpamBy: {
      cautious: cautious.isSpam,
      balanced: verdict.isSpam,
      strict: strict.isSpam,
    },
    escalated: verdict.shouldEscalate,
    predictedClass: verdict.classification,
    wasRead: wantsReading(unread, NO_EVIDENCE, policies[1]!),
    unread: {
      spamLogit: unread.spam.logit,
      calledSpam: withoutReader.isSpam,
      predictedClass: withoutReader.classification,
    },
  }
}
