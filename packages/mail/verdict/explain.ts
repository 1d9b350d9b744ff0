/**
 * Why a verdict is as it is: terms that add up to the log-odds of spam. The sentence (sentence.ts), the symbols
 * (points.ts) and the table of the diagnostic (diagnostic.ts) are made from them.
 *
 * Not all of the models' terms are named, but only those that a person believes. The others count in a sum. A weight may go against what its signal says: most newsletters have a tracking pixel, so it weighs for ham.
 * And a reading that is a part of the message may be plain text where the message is a page.
 */
import type { Message } from '../message/message.ts'
import type { Contribution, TextTerm } from '../models/contributions.ts'
import type { ScoredReading } from '../models/worst-reading.ts'
import { signalNamed, signalsOfAspects } from '../signals/table.ts'
import { allowanceLogit } from './allowances.ts'
import type { Analysis } from './analysis.ts'
import { correspondentTerm } from './decide.ts'
import type { Evidence } from './evidence.ts'
import { listTerms } from './list-findings.ts'
import type { Policy } from './policy.ts'
import { scanTerms } from './scan-finding.ts'
import { scoreTerms } from './score-terms.ts'
import { senderTerms } from './sender-term.ts'
import { isClaim, type SenderStanding } from './texts.ts'
import { wordingOf } from './wording.ts'

/** Signals of how the whole message is made. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(signalsOfAspects(['mime', 'html']))

/**
 * The terms of a verdict, which add up to `modelledLogit`, to rounding: those of the models, and what is known besides.
 *
 * @param ofModels those of the diagnostic; without them the few that are kept of every message.
 */
export function explain(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  ofModels: readonly Contribution[] = keptTerms(analysis),
): Contribution[] {
  const { allowance, gtubeLogit = 0, fromDomain, ownMail } = analysis
  const { correspondent, sender } = evidence
  const terms: Contribution[] = [
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
function keptTerms({ summary, spam }: Analysis): Contribution[] {
  const terms = summary.reasons.map(({ name, points }): Contribution => {
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

/** False where `logit` speaks for spam and the description of the signal against it, or the other way round. True for what is no signal. */
export function agreesWithDescription(name: string, logit: number): boolean {
  const direction = signalNamed(name)?.direction ?? 'either'
  return direction === 'either' || (direction === 'spam') === logit > 0
}

/** False for what a sender claims of itself in its favour, where that was checked and nothing confirms it; and for the suspicion that a proved sender is another. */
function isConfirmable(name: string, logit: number, standing: SenderStanding): boolean {
  if (standing === 'proved' && name === 'FROM_OWN_DOMAIN_OUTSIDE') return false
  return standing !== 'unproved' || logit > 0 || !isClaim(name)
}

/** `terms` with those that cannot be confirmed in the rest; the sum stays. */
export function confirmableTerms(
  terms: readonly Contribution[],
  standing: SenderStanding,
): Contribution[] {
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

/** The names of signals that are true of the part that was judged and not of the message. */
export function onlyOfReading(
  whole: Pick<ScoredReading, 'signals'>,
  decided: Pick<ScoredReading, 'signals'>,
): ReadonlySet<string> {
  if (whole === decided) return new Set()
  const ofWhole = new Set<string>(whole.signals.map(({ name }) => name))
  const names = decided.signals.map(({ name }) => name)
  return new Set(names.filter((name) => OF_THE_WHOLE.has(name) && !ofWhole.has(name)))
}

/**
 * `terms`, the baseline last, as they are shown, with the same sum: all words as one term, the
 * `count` largest of the others that are believed, and one for the rest.
 *
 * @param message the reading that `terms` are of.
 * @param disbelieved names of signals that are not true of the message.
 */
export function believedTerms(
  terms: readonly (Contribution | TextTerm)[],
  message: Message,
  disbelieved: ReadonlySet<string>,
  count: number,
): Contribution[] {
  const words = terms.filter((term) => term.kind === 'text')
  const wording = words.length === 0 ? [] : [wordingOf(words, message)]
  const others = terms.slice(0, -1).filter((term) => term.kind !== 'text')
  const isBelieved = (term: Contribution) =>
    term.kind !== 'meta' ||
    (agreesWithDescription(term.name, term.logit) && !disbelieved.has(term.name))
  const named = others.filter(isBelieved).slice(0, count)
  const rest = others.filter((term) => !named.includes(term))
  const logit = rest.reduce((sum, term) => sum + term.logit, 0)
  return [
    ...[...wording, ...named].sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit)),
    ...(rest.length === 0 ? [] : [{ kind: 'rest' as const, count: rest.length, logit }]),
    terms.at(-1) as Contribution,
  ]
}
