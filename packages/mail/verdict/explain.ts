/**
 * Why a verdict is as it is: terms that add up to the log-odds of spam. `decide` adds them up; the sentence (sentence.ts), the
 * symbols (reasons.ts) and the table of the diagnostic (diagnostic.ts) are made from them.
 *
 * What is known besides the models has stated weights, since corpora do not have it. Each kind is bounded, so that what many
 * say of one thing does not outweigh all else.
 */
import type { ModelTerm } from '../models/contributions.ts'
import { logit, sumOf } from '../models/prediction.ts'
import type { Tie } from '../personalization/correspondents.ts'
import type { Signal } from '../signals/signal.ts'
import type { Allowance } from './allowances.ts'
import type { Analysis } from './analysis.ts'
import type { Evidence, ListFinding, ListHit } from './evidence.ts'
import type { Policy } from './policy.ts'
import { type SenderTerm, senderTerms } from './sender-term.ts'
import { isClaim, type SenderStanding } from './texts.ts'

/** One term: `logit` is what it adds to the log-odds of spam. */
export type Term =
  | ModelTerm
  | SenderTerm
  | Allowance
  | ListTerm
  | ScanTerm
  /** A score of the operator's rule of that name, 'ACME_FAX_SPAM'. */
  | { readonly kind: 'rule'; readonly name: string; readonly logit: number }
  /** The recipient knows the sender (personalization/correspondents.ts). */
  | { readonly kind: 'correspondent'; readonly tie: Tie; readonly logit: number }
  /** The test text of operators; the share of spam that the operator expects; what the models have learned for this recipient alone. */
  | { readonly kind: 'gtube' | 'prior' | 'personal'; readonly logit: number }

/** What the weightiest hit of one DNS list adds. */
export interface ListTerm extends Omit<ListHit, 'logOdds'> {
  readonly kind: 'list'
  readonly list: string
  readonly logit: number
}

/** What a find of the virus scanner adds: a virus for a signature of something known, a suspicion for a guess. */
export interface ScanTerm {
  readonly kind: 'scan'
  readonly result: 'virus' | 'suspicion'
  readonly signature: string
  readonly logit: number
}

/** Terms that add up to `logit`, the log-odds of `probability` before rule, memory or feed. */
export interface Explained {
  readonly logit: number
  readonly probability: number
  readonly threshold: number
  readonly signals: readonly Signal[]
  /** What checks say of whom the message claims to be from. */
  readonly sender: SenderStanding
  /** Terms above 0, the largest first. */
  readonly for: readonly Term[]
  /** Terms below 0, the largest first. */
  readonly against: readonly Term[]
  /** True when not all of the operator's rules were compared; absent otherwise. */
  readonly rulesCut?: true
}

/**
 * The terms of a verdict, which add up to its log-odds of spam before rule, memory or feed, to rounding.
 *
 * @param ofModels those of the diagnostic; without them the few that are kept of every message.
 */
export function explain(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  ofModels: readonly Term[] = keptTerms(analysis),
): Term[] {
  return [
    ...confirmableTerms(ofModels, standingOfSender(evidence)),
    ...termsBeside(analysis, evidence, policy),
  ]
}

/** The models' terms in the summary, with one for all others. */
function keptTerms({ summary: { terms }, spam }: Analysis): Term[] {
  return [...terms, { kind: 'rest', count: 0, logit: spam.logit - sumOf(terms) }]
}

/** The terms of what is known besides the models. */
export function termsBeside(analysis: Analysis, evidence: Evidence, policy: Policy): Term[] {
  const { allowance, gtubeLogit = 0, fromDomain, ownMail, correspondence } = analysis
  const { correspondent, sender, lists, scan, scores, shift } = evidence
  const terms: Term[] = [
    ...(allowance && sender?.result !== 'failed' ? [allowance] : []),
    { kind: 'gtube', logit: gtubeLogit },
    { kind: 'prior', logit: policy.priorLogit },
    { kind: 'personal', logit: shift?.spam ?? 0 },
    ...senderTerms(fromDomain, sender, ownMail),
    ...listTerms(lists),
    ...scanTerms(scan),
    ...scoreTerms(scores, sender?.result !== 'failed' && correspondence.unsafe === undefined),
  ]
  if (correspondent !== undefined) {
    const held = correspondent.isHeld && !hasVirus(terms) ? heldLogit(analysis, terms, policy) : 0
    terms.push({ kind: 'correspondent', tie: correspondent.tie, logit: correspondent.logit + held })
  }
  return terms.filter((term) => term.logit !== 0)
}

/** How far below the threshold a message is put that is held for a person, in log-odds. */
const HELD_BELOW = 0.01

/**
 * What is taken from the log-odds of a program that comes from somebody whom the user knows, so that it is not spam: at most 0.
 * The message is escalated instead. What scores of rules say for spam counts all the same, since whoever made them knows of
 * programs.
 */
function heldLogit({ spam }: Analysis, beside: readonly Term[], { threshold }: Policy): number {
  const ofRules = Math.max(0, sumOf(beside.filter(({ kind }) => kind === 'rule')))
  const most = logit(threshold) - HELD_BELOW + ofRules
  return Math.min(0, most - spam.logit - sumOf(beside))
}

/**
 * Most that lists add to the log-odds of spam: more than half of all ham stays ham whatever they say
 * (docs/decisions/0018-dns-lists.md). Without a bound the five lists that Tamis knows could add 20.
 */
export const LISTS_LOGIT_MAX = 6

/** Lists copy from each other, and one message has many links of one sender: each list counts once. */
function listTerms(findings: readonly ListFinding[] = []): ListTerm[] {
  const terms = findings.flatMap(({ list, hits }) =>
    hits.slice(0, 1).map(({ listed, meaning, logOdds }) => {
      return { kind: 'list' as const, list, listed, meaning, logit: logOdds }
    }),
  )
  return bounded(terms, LISTS_LOGIT_MAX)
}

/**
 * Most that all scores of rules together add, or take away: odds of 3,000. One rule may have 6, so two that agree count for
 * more than one; without a bound two hundred could add 1,200, and one mistake in common would outweigh all else that is known.
 */
const SCORES_LOGIT_MAX = 8

/**
 * Whoever knows a rule that speaks against spam can write what it asks for. So none counts for a message with an
 * attachment that runs or hides what it is, nor for one whose sender is not who it claims to be.
 */
function scoreTerms(scores: Evidence['scores'], mayExcuse: boolean) {
  const terms = (scores?.holding ?? [])
    .filter(({ weight }) => weight > 0 || mayExcuse)
    .map(({ name, weight }) => ({ kind: 'rule' as const, name, logit: weight }))
  return bounded(terms, SCORES_LOGIT_MAX)
}

/** `terms`, each made smaller in proportion where together they add more than `max`, either way. */
function bounded<Of extends Term>(terms: readonly Of[], max: number): Of[] {
  const sum = Math.abs(sumOf(terms))
  return terms.map((term) => (sum > max ? { ...term, logit: (term.logit * max) / sum } : term))
}

/**
 * What a signature adds to the log-odds of spam: beyond every threshold, like the test text of operators. It is spam whatever
 * else speaks for the message, and no rule and no memory of a user delivers it: whoever allowed the sender did not know of it.
 */
const VIRUS_LOGIT = 40

/** What a guess adds: less than a DNS list that names a spam source (docs/lists.md), more than one that guesses. */
const SUSPICION_LOGIT = 2

/**
 * Names of guesses: by the form of a message or a file (encrypted archives, macros, addresses that differ from
 * what is shown), and programs that are unwanted but do no harm by themselves. Honest mail has them too.
 * https://docs.clamav.net/manual/Signatures/SignatureNames.html
 */
const GUESS = /^(?:Heuristics|PUA)\./

function scanTerms(finding: Evidence['scan']): ScanTerm[] {
  const signature = finding?.signature ?? null
  if (signature === null) return []
  return GUESS.test(signature)
    ? [{ kind: 'scan', result: 'suspicion', signature, logit: SUSPICION_LOGIT }]
    : [{ kind: 'scan', result: 'virus', signature, logit: VIRUS_LOGIT }]
}

/** Whether the scanner knows what the message carries, and does not only suspect it. */
export function hasVirus(terms: readonly Term[]): boolean {
  return terms.some((term) => term.kind === 'scan' && term.result === 'virus')
}

/** Whether somebody vouches for the sender. */
export function standingOfSender({
  senderAuthenticated,
  authentication,
}: Evidence): SenderStanding {
  if (senderAuthenticated) return 'proved'
  return authentication === undefined ? 'unchecked' : 'unproved'
}

/** False for what a sender claims of itself in its favour, where that was checked and nothing confirms it; and for the suspicion that a proved sender is another. */
function isConfirmable(term: Term, standing: SenderStanding): boolean {
  if (term.kind !== 'meta') return true
  if (standing === 'proved') return term.name !== 'FROM_OWN_DOMAIN_OUTSIDE'
  return standing === 'unchecked' || term.logit > 0 || !isClaim(term.name)
}

/** `terms` with those that cannot be confirmed in the rest; the sum stays. */
export function confirmableTerms(terms: readonly Term[], standing: SenderStanding): Term[] {
  const named = terms.filter((term) => isConfirmable(term, standing))
  if (named.length === terms.length) return named
  const doubted = terms.filter((term) => !named.includes(term))
  const rest = named.find((term) => term.kind === 'rest')
  const logit = sumOf(doubted) + (rest?.logit ?? 0)
  const count = doubted.length + (rest?.count ?? 0)
  return [...named.filter((term) => term !== rest), { kind: 'rest', count, logit }]
}
