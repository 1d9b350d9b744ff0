/**
 * Why a verdict is as it is: terms that add up to the log-odds of spam. The sentence (sentence.ts), the symbols
 * (points.ts) and the table of the diagnostic (diagnostic.ts) are made from them.
 */
import type { ModelTerm } from '../models/contributions.ts'
import type { Tie } from '../personalization/correspondents.ts'
import { type Allowance, allowanceLogit } from './allowances.ts'
import type { Analysis } from './analysis.ts'
import { correspondentTerm } from './decide.ts'
import type { Evidence } from './evidence.ts'
import { type ListTerm, listTerms } from './list-findings.ts'
import type { Policy } from './policy.ts'
import { type ScanTerm, scanTerms } from './scan-finding.ts'
import { type ScoreTerm, scoreTerms } from './score-terms.ts'
import { type SenderTerm, senderTerms } from './sender-term.ts'
import { isClaim, type SenderStanding } from './texts.ts'

/** One term: `logit` is what it adds to the log-odds of spam. */
export type Term =
  | ModelTerm
  | SenderTerm
  | Allowance
  | ListTerm
  | ScoreTerm
  | ScanTerm
  /** The recipient knows the sender (personalization/correspondents.ts). */
  | { readonly kind: 'correspondent'; readonly tie: Tie; readonly logit: number }
  /** The test text of operators; the share of spam that the operator expects; what the models have learned for this recipient alone. */
  | { readonly kind: 'gtube' | 'prior' | 'personal'; readonly logit: number }

/**
 * The terms of a verdict, which add up to `modelledLogit`, to rounding: those of the models, and what is known besides.
 *
 * @param ofModels those of the diagnostic; without them the few that are kept of every message.
 */
export function explain(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  ofModels: readonly Term[] = keptTerms(analysis),
): Term[] {
  const { allowance, gtubeLogit = 0, fromDomain, ownMail } = analysis
  const { correspondent, sender } = evidence
  const terms: Term[] = [
    ...confirmableTerms(ofModels, standingOfSender(evidence)),
    ...listTerms(evidence.lists),
    ...scanTerms(evidence.scan),
    ...scoreTerms(evidence.scores, sender),
    { kind: 'personal', logit: evidence.shift?.spam ?? 0 },
  ]
  if (correspondent !== undefined) {
    const logit = correspondentTerm(analysis, evidence, policy)
    terms.push({ kind: 'correspondent', tie: correspondent.tie, logit })
  }
  if (allowance !== undefined) {
    terms.push({ ...allowance, logit: allowanceLogit(allowance, sender) })
  }
  terms.push({ kind: 'gtube', logit: gtubeLogit }, ...senderTerms(fromDomain, sender, ownMail), {
    kind: 'prior',
    logit: policy.priorLogit,
  })
  return terms.filter(({ logit }) => logit !== 0)
}

/** The models' terms in the summary, with one for all others. */
function keptTerms({ summary, spam }: Analysis): Term[] {
  const terms = summary.reasons.map(({ name, points }): Term => {
    if (name === 'TAMIS_TEXT') return { kind: 'wording', logit: points, count: 0, words: [] }
    return { kind: 'meta', name, value: 1, logit: points }
  })
  const logit = terms.reduce((left, term) => left - term.logit, spam.logit)
  return [...terms, { kind: 'rest', count: 0, logit }]
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
function isConfirmable(name: string, logit: number, standing: SenderStanding): boolean {
  if (standing === 'proved' && name === 'FROM_OWN_DOMAIN_OUTSIDE') return false
  return standing !== 'unproved' || logit > 0 || !isClaim(name)
}

/** `terms` with those that cannot be confirmed in the rest; the sum stays. */
export function confirmableTerms(terms: readonly Term[], standing: SenderStanding): Term[] {
  const named = terms.filter(
    (term) => term.kind !== 'meta' || isConfirmable(term.name, term.logit, standing),
  )
  const doubted = terms.filter((term) => !named.includes(term))
  if (doubted.length === 0) return named
  const rest = named.find((term) => term.kind === 'rest')
  const logit = doubted.reduce((sum, term) => sum + term.logit, rest?.logit ?? 0)
  const count = doubted.length + (rest?.count ?? 0)
  return [...named.filter((term) => term !== rest), { kind: 'rest', count, logit }]
}
