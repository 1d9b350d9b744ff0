/** What scores of the operator's rules add to the log-odds of spam: each is a term of its own, as those of DNS lists are. */
import type { RuleScores } from '../operator-rules/match.ts'
import type { SenderFinding } from './sender-term.ts'

/** What one rule adds to the log-odds of spam. */
export interface ScoreTerm {
  readonly kind: 'rule'
  /** 'ACME_FAX_SPAM' */
  readonly name: string
  readonly logit: number
}

/**
 * Most that all rules together add, or take away: odds of 3,000. One rule may have 6, so two that agree count for more
 * than one; without a bound two hundred could add 1,200, and one mistake in common would outweigh all else that is known.
 */
export const SCORES_LOGIT_MAX = 8

/**
 * The terms of the rules that hold; they add up to SCORES_LOGIT_MAX at most, either way.
 *
 * Whoever knows a rule that speaks against spam can write what it asks for. So none counts for a message with an
 * attachment that runs or hides what it is, nor for one whose sender is not who it claims to be.
 */
export function scoreTerms(
  scores: RuleScores | undefined,
  sender: SenderFinding | undefined,
): ScoreTerm[] {
  if (scores === undefined) return []
  const mayExcuse = scores.unsafe === undefined && sender?.result !== 'failed'
  const terms = scores.holding
    .filter(({ weight }) => weight > 0 || mayExcuse)
    .map(({ name, weight }) => ({ kind: 'rule' as const, name, logit: weight }))
  const sum = Math.abs(sumOf(terms))
  if (sum <= SCORES_LOGIT_MAX) return terms
  return terms.map((term) => ({ ...term, logit: (term.logit * SCORES_LOGIT_MAX) / sum }))
}

/** What scores add to the log-odds of spam. */
export function scoreLogit(
  scores: RuleScores | undefined,
  sender: SenderFinding | undefined,
): number {
  return sumOf(scoreTerms(scores, sender))
}

function sumOf(terms: readonly ScoreTerm[]): number {
  return terms.reduce((total, { logit }) => total + logit, 0)
}
