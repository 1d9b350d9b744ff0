/** What is known about a message and one recipient besides the Analysis. */
import type { RuleScores, RulesSay } from '../operator-rules/match.ts'
import type { Correspondent } from '../personalization/correspondents.ts'
import type { ClassVote, MemoryVote } from '../personalization/memory-votes.ts'
import type { DecidingCorrection, PersonalShift } from '../personalization/personal-deltas.ts'
import type { ClassRuleMatch, RuleMatch } from '../personalization/rules.ts'

/** What a domain asks receivers to do with mail that fails DMARC (RFC 9989 §4.7, the tag `p`). */
export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const

export type DmarcPolicy = (typeof DMARC_POLICIES)[number]

/** What checks say of the domain in From. */
export type SenderFinding =
  /** Something vouches for it: DMARC, or an aligned signature or envelope. `isOwn` when it is the domain of the recipient's address. */
  | { readonly result: 'passed'; readonly isOwn?: boolean }
  /** It is not the domain's mail: by DMARC, or by SPF alone. `policy` is there where DMARC fails and the policy is known. */
  | { readonly result: 'failed'; readonly policy?: DmarcPolicy }
  /** Nothing was checked, or nothing came of it. `excuse` says why a failure does not count. */
  | { readonly result: 'unknown'; readonly excuse?: SenderExcuse }

/** How a message that fails came, if that explains the failure: sealed by a trusted host, by a mailing list, or by a forwarder. */
export type SenderExcuse = 'sealed' | 'list' | 'forwarded'

/** An entry of a DNS list that the message has to do with. */
export interface ListHit {
  /** The domain or IP address that is listed. */
  readonly listed: string
  /** What the code of the answer means: 'phishing'. */
  readonly meaning: string
  /** What it adds to the log-odds of spam, above 0: stated by the operator, or by Tamis for the lists that it knows (docs/lists.md). */
  readonly logOdds: number
}

/** Why a list did not say what it knows. */
export type ListFailure = 'NO_ANSWER' | 'REFUSED' | 'NOT_A_LIST' | 'UNKNOWN_CODE'

/** What one DNS list said. */
export interface ListFinding {
  /** The name of the list: 'spamhaus-dbl'. */
  readonly list: string
  /** Questions asked, also when the answer was remembered; 0 when there was nothing to ask, or the list is given a rest. */
  readonly lookups: number
  /** The strongest first. */
  readonly hits: readonly ListHit[]
  /** Null when all questions were answered. */
  readonly failure: ListFailure | null
}

/** Why the virus scanner did not say what it knows (docs/scanner.md). */
export type ScanFailure = 'UNREACHABLE' | 'NO_ANSWER' | 'TOO_LARGE' | 'REFUSED' | 'NOT_A_SCANNER'

/** What the virus scanner said. */
export interface ScanFinding {
  /** The name of the signature that matches, as `signatureName` gives it; null when none does, or there was no answer. */
  readonly signature: string | null
  /** True when the message is longer than what is scanned: then it is the beginning that was. */
  readonly isPartial: boolean
  /** Null when the scanner answered. */
  readonly failure: ScanFailure | null
}

/** Characters of a name: longer than any in ClamAV's own databases, short enough for a header field. */
const NAME_LENGTH_MAX = 80

/** What is not in the names of ClamAV's own databases. It could end a header field, or a quotation in a sentence. */
const NOT_IN_NAMES = /[^\w.:/@+-]/g

/** The name of a signature as it is shown: in ASCII and at most NAME_LENGTH_MAX characters, with `_` for what names do not have. */
export function signatureName(name: string): string {
  return name.slice(0, NAME_LENGTH_MAX).replace(NOT_IN_NAMES, '_')
}

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
