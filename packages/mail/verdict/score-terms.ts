/** What scores of the operator's rules add to the log-odds of spam: each is a term of its own, as those of DNS lists are. */
import type { Message } from '../message/message.ts'
import { sumOf } from '../models/prediction.ts'
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

// GTUBE, the text that an operator sends to see whether a filter is in the way of mail: a message with it is
// spam, whatever the models say (SpamAssassin's Generic Test for Unsolicited Bulk Email).

const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'

/** What it adds to the log-odds of spam: beyond every threshold, for any other text beside it. */
const GTUBE_LOGIT = 40

/** What GTUBE in a visible text of `message` adds to the log-odds of spam; 0 without it. */
export function gtubeLogit({ texts }: Message): number {
  return texts.some(({ visible }) => visible.includes(GTUBE)) ? GTUBE_LOGIT : 0
}
