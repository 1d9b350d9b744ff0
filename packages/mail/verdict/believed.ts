/**
 * Which of the models' terms a person believes. The others count as well, but only in a sum.
 *
 * A weight may go against what its signal says: most newsletters have a tracking pixel, so it weighs for ham.
 * And a reading that is a part of the message may be plain text where the message is a page.
 */
import type { Message } from '../message/message.ts'
import type { Contribution, TextTerm } from '../models/contributions.ts'
import type { ScoredReading } from '../models/worst-reading.ts'
import { signalNamed, signalsOfAspects } from '../signals/table.ts'
import { isClaim, type SenderStanding } from './clauses.ts'
import { wordingOf } from './wording.ts'

/** Signals of how the whole message is made. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(signalsOfAspects(['mime', 'html']))

/** False where `logit` speaks for spam and the description of the signal against it, or the other way round. True for what is no signal. */
export function agreesWithDescription(name: string, logit: number): boolean {
  const direction = signalNamed(name)?.direction ?? 'either'
  return direction === 'either' || (direction === 'spam') === logit > 0
}

/** False for what a sender claims of itself in its favour, where that was checked and nothing confirms it; and for the suspicion that a proved sender is another. */
export function isConfirmable(name: string, logit: number, standing: SenderStanding): boolean {
  if (standing === 'proved' && name === 'FROM_OWN_DOMAIN_OUTSIDE') return false
  return standing !== 'unproved' || logit > 0 || !isClaim(name)
}

/** `terms` with those that cannot be confirmed in the rest; the sum stays. */
export function confirmableTerms(
  terms: readonly Contribution[],
  standing: SenderStanding,
): Contribution[] {
  const told = terms.filter(
    (term) => term.kind !== 'meta' || isConfirmable(term.name, term.logit, standing),
  )
  const doubted = terms.filter((term) => !told.includes(term))
  if (doubted.length === 0) return told
  const rest = told.find((term) => term.kind === 'rest')
  const logit = doubted.reduce((sum, term) => sum + term.logit, rest?.logit ?? 0)
  const count = doubted.length + (rest?.count ?? 0)
  return [...told.filter((term) => term !== rest), { kind: 'rest', count, logit }]
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
 * `terms`, the baseline last, as a person is told of them, with the same sum: all words as one term, the
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
  const told = others.filter(isBelieved).slice(0, count)
  const rest = others.filter((term) => !told.includes(term))
  const logit = rest.reduce((sum, term) => sum + term.logit, 0)
  return [
    ...[...wording, ...told].sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit)),
    ...(rest.length === 0 ? [] : [{ kind: 'rest' as const, count: rest.length, logit }]),
    terms.at(-1) as Contribution,
  ]
}
