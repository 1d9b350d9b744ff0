/** What is known about a message and one recipient beside the Analysis. */
import type { ClassVote, MemoryVote } from '../personalization/memory-votes.ts'
import type { ClassRuleMatch, RuleMatch } from '../personalization/rules.ts'

/** How like the message are the likest of those the recipient has corrected, in [-1, 1]. */
export interface NearestSimilarities {
  readonly spam?: number
  readonly tabs?: number
}

export interface Evidence {
  readonly senderAuthenticated: boolean
  /** The user's rules that may have a say, the first before the second. */
  readonly ruleMatches?: readonly RuleMatch[]
  readonly memoryVote?: MemoryVote
  readonly classRule?: ClassRuleMatch
  readonly classVote?: ClassVote
  /** How SPF, DKIM, DMARC and ARC came out, and who says so; for the diagnostic alone. */
  readonly authentication?: object
  /** For the diagnostic alone. */
  readonly nearest?: NearestSimilarities
  /** True when what the recipient has taught could not be looked up. */
  readonly userUnknown?: boolean
}

/** Of a message without a known recipient, from a sender that nobody vouched for. */
export const NO_EVIDENCE: Evidence = { senderAuthenticated: false }
