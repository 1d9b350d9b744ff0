/**
 * Fifty verdicts of the shipped models on mail of the corpora, with the sentence and the reasons that are told of each,
 * to be read by a person: whether they make sense is nothing that a program can measure. Beside them the signals
 * whose weights go against their descriptions.
 */
import { createHash } from 'node:crypto'
import { analyse } from '../../../mail/analyse.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { weigher } from '../../../mail/models/logistic.ts'
import type { Models } from '../../../mail/models/models.ts'
import { EXPECTATIONS } from '../../../mail/signals/expectations.ts'
import { SIGNAL_NAMES, type SignalName } from '../../../mail/signals/signals.ts'
import { agreesWithDescription } from '../../../mail/verdict/believed.ts'
import { decide } from '../../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../../mail/verdict/evidence.ts'
import { ENGLISH } from '../../../mail/verdict/languages/languages.ts'
import { policyFor } from '../../../mail/verdict/policy.ts'
import { sentenceOf, sentenceText } from '../../../mail/verdict/sentence.ts'
import { reasonsTold } from '../../../mail/verdict/told-reasons.ts'
import { wordsNamed } from '../../../mail/verdict/wording.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../../corpora/facts.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { TEMPLATES_SET, WRITTEN_SET } from '../../corpora/sets.ts'

/** One verdict as it is told. */
export interface ToldVerdict {
  readonly source: string
  /** Path inside the set, or the id of a written message. */
  readonly id: string
  /** What the corpus says. */
  readonly spam: boolean
  readonly spamProbability: number
  readonly sentence: string
  /** '+2.1 LINK_IP_HOST', the strongest first. */
  readonly reasons: readonly string[]
  /** 'wording +1.4: kindly, business'; undefined for mail of others, whose words are not ours to show. */
  readonly wording: string | undefined
}

/** A signal whose weight goes against its description, so that it is never told as a reason. */
export interface Contrary {
  readonly name: SignalName
  readonly direction: 'spam' | 'ham'
  /** What it adds to the log-odds of spam. */
  readonly logit: number
}

export interface ReasonsEvaluation {
  readonly verdicts: readonly ToldVerdict[]
  /** The heaviest first. */
  readonly contrary: readonly Contrary[]
}

/** Weights below this are no weight: what is shown as 0.0. */
const NEGLIGIBLE = 0.05

/** What a person reads in an hour. */
const VERDICTS = 50

/** Words of ours that are named. */
const WORDS_NAMED = 5

/** Mail that we wrote. */
const OWN_SOURCES: readonly string[] = [WRITTEN_SET, TEMPLATES_SET]

/** @throws TamisError CORPUS_INVALID when there is no mail. */
export function evaluateReasons(corpora: string, models: Models): ReasonsEvaluation {
  const samples = [...readCorpora(corpora, 'train'), ...readCorpora(corpora, 'evaluate')]
  const verdicts = chosen(samples.filter(hasLabel)).map((sample) => toldVerdict(sample, models))
  return { verdicts, contrary: contraryTo(models) }
}

function contraryTo({ meta, metaNumbering, fusion }: Models): Contrary[] {
  const weightOf = weigher(meta)
  return SIGNAL_NAMES.flatMap((name) => {
    const { direction } = EXPECTATIONS[name]
    const index = metaNumbering.signals.get(name)
    if (direction === 'either' || index === undefined) return []
    const logit = fusion.metaWeight * meta.calibration.slope * weightOf(index)
    const isContrary = Math.abs(logit) >= NEGLIGIBLE && !agreesWithDescription(name, logit)
    return isContrary ? [{ name, direction, logit }] : []
  }).sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
}

type Labelled = Sample & { readonly spam: boolean }

function hasLabel(sample: Sample): sample is Labelled {
  return sample.spam !== undefined
}

/**
 * VERDICTS of `samples`, spread over sources and labels: each source's ham and spam gives one in turn, in the order
 * of the SHA-256 of source and id, so that nobody has picked them.
 */
function chosen(samples: readonly Labelled[]): Labelled[] {
  const groups = [...Map.groupBy(samples, ({ source, spam }) => `${source} ${spam}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => own.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1)))
  const rounds = Math.max(0, ...groups.map(({ length }) => length))
  const taken: Labelled[] = []
  for (let round = 0; round < rounds && taken.length < VERDICTS; round++) {
    taken.push(...groups.flatMap((own) => own.slice(round, round + 1)))
  }
  return taken.slice(0, VERDICTS)
}

function rankOf({ source, id }: Sample): string {
  return createHash('sha256').update(`${source} ${id}`).digest('hex')
}

function toldVerdict({ source, id, spam, bytes }: Labelled, models: Models): ToldVerdict {
  const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
  const options = { detail: true, knowledge: CORPUS_KNOWLEDGE }
  const analysis = analyse(memoryOctets(bytes), CORPUS_FACTS, models, options)
  const verdict = decide(analysis, NO_EVIDENCE, policy)
  const reasons = reasonsTold(analysis, NO_EVIDENCE, policy, verdict)
  const isOwn = OWN_SOURCES.includes(source)
  const domain = isOwn ? analysis.summary.senderDomain : ''
  const judged = { ...verdict, threshold: policy.threshold }
  const wording = analysis.detail!.contributions.find(({ kind }) => kind === 'wording')
  return {
    source,
    id,
    spam,
    spamProbability: verdict.spamProbability,
    sentence: sentenceText(ENGLISH, sentenceOf(ENGLISH, judged, reasons, domain)),
    reasons: reasons.map(({ name, points }) => `${signed(points)} ${name}`),
    wording:
      isOwn && wording?.kind === 'wording'
        ? `wording ${signed(wording.logit)}: ${wordsNamed(wording, WORDS_NAMED).join(', ')}`
        : undefined,
  }
}

/** '+2.1'. */
function signed(points: number): string {
  return points > 0 ? `+${points.toFixed(1)}` : points.toFixed(1)
}
