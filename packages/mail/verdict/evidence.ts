/** What is known about a message and one recipient besides the Analysis. */
import type { RuleScores, RulesSay } from '../operator-rules/match.ts'
import type { Correspondent } from '../personalization/correspondents.ts'
import type { ClassVote, MemoryVote } from '../personalization/memory-votes.ts'
import type { DecidingCorrection, PersonalShift } from '../personalization/personal-deltas.ts'
import type { ClassRuleMatch, RuleMatch } from '../personalization/rules.ts'
import type { ListFinding } from './list-findings.ts'
import type { ScanFinding } from './scan-finding.ts'
import type { SenderFinding } from './sender-term.ts'

/** The similarity of the nearest messages that the recipient has corrected, in [-1, 1]. */
export interface NearestSimilarities {
  readonly spam?: number
  readonly tabs?: number
}

export interface Evidence {
  readonly senderAuthenticated: boolean
  /** What checks say of the domain in From; absent when nothing was checked. */
  readonly sender?: SenderFinding
  /** What DNS lists say; absent when none was asked. */
  readonly lists?: readonly ListFinding[]
  /** What the virus scanner says; absent when it was not asked. */
  readonly scan?: ScanFinding
  /** The rules that may have a say, the user's before the operator's. */
  readonly ruleMatches?: readonly RuleMatch[]
  /** What the operator's rules add to the log-odds of spam. */
  readonly scores?: RuleScores
  readonly memoryVote?: MemoryVote
  readonly classRule?: ClassRuleMatch
  readonly classVote?: ClassVote
  /** What the user's corrections add to the models for this user alone. */
  readonly shift?: PersonalShift
  /** The corrections with the largest part in that about spam; for the diagnostic only. */
  readonly shiftFrom?: readonly DecidingCorrection[]
  /** How the sender is known to the user; absent for a stranger. */
  readonly correspondent?: Correspondent
  /** The results of SPF, DKIM, DMARC and ARC, and where they come from; absent where nothing was checked. */
  readonly authentication?: object
  /** For the diagnostic only. */
  readonly nearest?: NearestSimilarities
  /** What embedded the message, where that was asked. */
  readonly embeddingModel?: string
  /** True when the recipient's rules and memory could not be looked up. */
  readonly userUnknown?: boolean
}

/** The evidence for a message without a known recipient and from an unauthenticated sender. */
export const NO_EVIDENCE: Evidence = { senderAuthenticated: false }

/** With what the operator's rules say, which comes after the user's own rules. */
export function withRules(evidence: Evidence, { matches, classRule, scores }: RulesSay): Evidence {
  return {
    ...evidence,
    ...(matches.length > 0 && { ruleMatches: [...(evidence.ruleMatches ?? []), ...matches] }),
    ...(classRule && { classRule: evidence.classRule ?? classRule }),
    ...(scores && { scores }),
  }
}
