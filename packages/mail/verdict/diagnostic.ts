/**
 * The diagnostic (interface, §2.3): everything that led to a verdict, for a person to read. Its groups are
 * those of the interface; the fields inside them may vary between versions.
 */
import type { Correspondent } from '../personalization/correspondents.ts'
import type { ClassVote, MemoryVote } from '../personalization/memory-votes.ts'
import type { DecidingCorrection } from '../personalization/personal-deltas.ts'
import type { RuleMatch } from '../personalization/rules.ts'
import type { Signal } from '../signals/signal.ts'
import type { FeedHit } from '../urls/feed-table.ts'
import type { Analysis, AnalysisDetail, ModelTrace } from './analysis.ts'
import { decide, decideClass, modelledLogit, rulingRule } from './decide.ts'
import type { Evidence, ListFinding, NearestSimilarities, ScanFinding } from './evidence.ts'
import { type Explained, explain, standingOfSender, type Term, termsBeside } from './explain.ts'
import type { MarkedMessage } from './marked-message.ts'
import type { Policy } from './policy.ts'
import { evidenceOf, reasonDescription, termDescription } from './reasons.ts'
import { type Sentence, sentenceOf, strongestReasons } from './sentence.ts'
import type { ClassVerdict, Verdict } from './verdict.ts'

export interface Diagnostic {
  readonly email: AnalysisDetail['email'] & {
    /** The results of SPF, DKIM, DMARC and ARC, and where they come from; null when nothing was checked. */
    readonly authentication: object | null
    /** What each DNS list said; absent when none was asked. */
    readonly lists?: readonly ListFinding[]
    /** What the virus scanner said; absent when it was not asked. */
    readonly scan?: ScanFinding
  }
  readonly result: Verdict
  /** Fields about spam are null or absent under a licence without spam detection. */
  readonly models: {
    readonly text: ModelTrace | null
    readonly meta: ModelTrace | null
    readonly tabs: ModelTrace
    readonly embedding: EmbeddingTrace
  }
  readonly urlScanner: {
    /** Each link with the feed entry that it matches. */
    readonly links: readonly (AnalysisDetail['links'][number] & {
      readonly match: Omit<FeedHit, 'href'> | null
    })[]
    /** The first match. */
    readonly match: FeedHit | null
  }
  readonly tabs: ClassVerdict
  readonly personalization: {
    /** The rule that decided; if none did, the one that only lifts and was outweighed. */
    readonly rule: RuleMatch | null
    readonly memory: MemoryVote | null
    /** The corrections with the largest part in what the user's own models add, which is the term `personal`. Each can be withdrawn (`DELETE /feedback/{feedbackId}`). */
    readonly learned: readonly DecidingCorrection[]
    readonly classRule: Evidence['classRule'] | null
    readonly classMemory: ClassVote | null
    /** How the sender is known to the recipient; null for a stranger. */
    readonly correspondent: Correspondent | null
    /** False when the recipient's rules and memory could not be looked up. */
    readonly available: boolean
  }
  readonly explanation: Explanation | null
  readonly timing: Timing & Analysis['timing']
}

/**
 * Milliseconds spent around the analysis, whose stages have their own times: waiting for a worker
 * (`queue`), on the way to it and back (`worker`), looking up the recipient and deciding (`decision`); in
 * parallel to these, until the sender was known (`sender`); and from the body received to the answer
 * (`total`).
 */
export type Timing = Readonly<Record<'queue' | 'worker' | 'sender' | 'decision' | 'total', number>>

/** What the recipient's memory was searched with, and the nearest item, however far. */
export interface EmbeddingTrace {
  /** What embedded the message; null where its terms left it no neighbour. */
  readonly model: string | null
  readonly inputs: { readonly terms: number }
  /** Similarities in [-1, 1]; absent when the recipient has corrected nothing of that kind. */
  readonly outputs: NearestSimilarities
}

/** A term or a signal, with what it says as a sentence, and what in the message it rests on. */
type Described<Thing> = Thing & {
  readonly description: string
  readonly evidence?: string
}

/** What the message is, and why, in words; of the verdict, with what decided it. */
export interface Explanation extends Explained {
  readonly sentence: Sentence
  readonly signals: readonly Described<Signal>[]
  readonly for: readonly Described<Term>[]
  readonly against: readonly Described<Term>[]
}

/**
 * The diagnostic of an analysis made with its detail; `timing` is asked when all else is done.
 *
 * @throws TypeError when the analysis has no detail.
 */
export function diagnostic(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  timing: () => Timing = untimed,
): Diagnostic {
  const { detail, personal } = analysis
  if (detail === undefined) {
    throw new TypeError('The analysis was made without its detail')
  }
  const { spamEntitled } = policy
  const nearest = evidence.nearest ?? {}
  return {
    email: {
      ...detail.email,
      reading: spamEntitled ? detail.email.reading : unmarked(detail.email.reading),
      authentication: evidence.authentication ?? null,
      ...(spamEntitled && evidence.lists && { lists: evidence.lists }),
      ...(spamEntitled && evidence.scan && { scan: evidence.scan }),
    },
    result: decide(analysis, evidence, policy),
    models: {
      text: spamEntitled ? detail.models.text : null,
      meta: spamEntitled ? detail.models.meta : null,
      tabs: detail.models.tabs,
      embedding: {
        model: evidence.embeddingModel ?? null,
        inputs: { terms: personal.sparse.length },
        outputs: spamEntitled ? nearest : withoutSpam(nearest),
      },
    },
    urlScanner: urlScanner(detail.links, spamEntitled ? analysis.feedHits : []),
    tabs: decideClass(analysis, evidence),
    personalization: {
      rule: spamEntitled ? shownRule(analysis, evidence, policy) : null,
      memory: (spamEntitled && evidence.memoryVote) || null,
      learned: spamEntitled ? (evidence.shiftFrom ?? []) : [],
      classRule: evidence.classRule ?? null,
      classMemory: evidence.classVote ?? null,
      correspondent: spamEntitled ? shownCorrespondent(analysis, evidence, policy) : null,
      available: evidence.userUnknown !== true,
    },
    explanation: spamEntitled ? explanationOf(analysis, evidence, policy) : null,
    timing: { ...analysis.timing, ...timing() },
  }
}

/** The timing when there is no clock. */
function untimed(): Timing {
  return { queue: 0, worker: 0, sender: 0, decision: 0, total: 0 }
}

/** With what it adds to this verdict. */
function shownCorrespondent(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
): Correspondent | null {
  const { correspondent } = evidence
  if (correspondent === undefined) return null
  const term = termsBeside(analysis, evidence, policy).find(({ kind }) => kind === 'correspondent')
  return { ...correspondent, logit: term?.logit ?? 0 }
}

/** The rule that decided, else the most specific that did not. */
function shownRule(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
): Diagnostic['personalization']['rule'] {
  return rulingRule(analysis, evidence, policy) ?? evidence.ruleMatches?.[0] ?? null
}

/** The text without its marks, which are weights of the spam models. */
function unmarked({ subject, body }: MarkedMessage): MarkedMessage {
  return { subject: { ...subject, marks: [] }, body: { ...body, marks: [] } }
}

function withoutSpam({ spam: _, ...nearest }: NearestSimilarities): NearestSimilarities {
  return nearest
}

function urlScanner(
  links: AnalysisDetail['links'],
  hits: readonly FeedHit[],
): Diagnostic['urlScanner'] {
  const matches = new Map(hits.map(({ href, ...match }) => [href, match]))
  return {
    links: links.map((link) => ({ ...link, match: matches.get(link.href) ?? null })),
    match: hits[0] ?? null,
  }
}

/**
 * What spoke for spam and what against, in an analysis made with its detail.
 *
 * @throws TypeError when the analysis has no detail.
 */
export function explanationOf(analysis: Analysis, evidence: Evidence, policy: Policy): Explanation {
  const { detail } = analysis
  if (detail === undefined) throw new TypeError('The analysis was made without its detail')
  const sender = standingOfSender(evidence)
  const ofSignals = new Map<string, string | undefined>(
    detail.signals.map((signal) => [signal.name, signal.evidence]),
  )
  const terms = explain(analysis, evidence, policy, detail.contributions)
    .toSorted((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
    .map((term): Described<Term> => {
      const basis = term.kind === 'meta' ? ofSignals.get(term.name) : evidenceOf(term).evidence
      const description = termDescription(term, sender)
      return { ...term, description, ...(basis !== undefined && { evidence: basis }) }
    })
  const logit = modelledLogit(analysis, evidence, policy)
  const verdict = decide(analysis, evidence, policy)
  return {
    sentence: sentenceOf(
      { ...verdict, threshold: policy.threshold },
      strongestReasons(analysis, evidence, policy, verdict),
      analysis.summary.senderDomain,
    ),
    logit,
    probability: 1 / (1 + Math.exp(-logit)),
    threshold: policy.threshold,
    signals: detail.signals.map((signal) => ({
      ...signal,
      description: reasonDescription(signal) ?? signal.name,
    })),
    sender,
    for: terms.filter((term) => term.logit > 0),
    against: terms.filter((term) => term.logit < 0),
    ...(evidence.scores?.isCut && { rulesCut: true }),
  }
}
