/**
 * The reasons that are told of a verdict, in log lines, header fields and the history: those of the models from the
 * summary of the analysis, and what is known besides. Only numbers that are there already go into them, because
 * they are made for every message.
 */
import { logit } from '../models/prediction.ts'
import { type NamedCorrection, namedCorrection } from '../personalization/named-correction.ts'
import type { RuleMatch } from '../personalization/rules.ts'
import { allowanceLogit } from './allowances.ts'
import type { Analysis } from './analysis.ts'
import { isConfirmable } from './believed.ts'
import { isClaim, type SenderStanding } from './clauses.ts'
import { correspondentTerm, decide, modelledLogit, rulingRule } from './decide.ts'
import type { Evidence } from './evidence.ts'
import { listTerms } from './list-findings.ts'
import type { Policy } from './policy.ts'
import {
  listReason,
  own,
  scanReason,
  scoreReason,
  senderReason,
  type UntoldReason,
} from './reason-descriptions.ts'
import { scanTerms } from './scan-finding.ts'
import { scoreTerms } from './score-terms.ts'
import { senderTerms } from './sender-term.ts'
import { speaksForSpam } from './sentence.ts'
import type { OwnSymbol } from './texts.ts'
import { REASONS_MAX, toldReasons } from './topics.ts'
import type { BypassReason, Verdict } from './verdict.ts'

/** Largest distance from the threshold, in log-odds: a rule is certain, which would be infinite. */
const DISTANCE_MAX = 20

/** Points below this are written as 0.0. */
const NEGLIGIBLE = 0.05

const SYMBOL_OF_REASON: Readonly<Record<BypassReason, OwnSymbol>> = {
  user_rule: 'TAMIS_USER_RULE',
  knn_memory: 'TAMIS_USER_MEMORY',
  phishtank_match: 'TAMIS_URL_FEED',
  parse_error: 'TAMIS_PARTLY_READ',
}

type NamedRule = Pick<RuleMatch, 'pattern'>

/** The part of a verdict that says how far it is from the threshold. */
export type Scored = Pick<Verdict, 'isSpam' | 'spamProbability' | 'confidenceMargin'>

/**
 * The strongest reasons for a verdict, at most REASONS_MAX; none under a licence without spam detection.
 *
 * Those of a header field are made with the `evidence` of no user: all recipients of a message read its header, and
 * the sender too when it bounces. Those of the history, which only the operator reads, have what is the recipient's own.
 */
export function reasonsTold(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  verdict: Verdict = decide(analysis, evidence, policy),
): UntoldReason[] {
  if (!policy.spamEntitled) return []
  const reasons = [
    ...reasonsOfModels(analysis, standingOfSender(evidence)),
    ...reasonsBesideModels(analysis, evidence, policy, verdict),
  ].filter(({ points }) => Math.abs(points) >= NEGLIGIBLE)
  const forSpam = speaksForSpam({ ...verdict, threshold: policy.threshold })
  // It weighs nothing, and is why a person is to look.
  const missing = evidence.scores?.isCut ? [own('TAMIS_RULES_CUT', 0)] : []
  return [...toldReasons(reasons, forSpam, REASONS_MAX - missing.length), ...missing]
}

/** Whether somebody vouches for the sender. */
export function standingOfSender({
  senderAuthenticated,
  authentication,
}: Evidence): SenderStanding {
  if (senderAuthenticated) return 'proved'
  return authentication === undefined ? 'unchecked' : 'unproved'
}

function reasonsOfModels({ summary }: Analysis, standing: SenderStanding): UntoldReason[] {
  const believed = summary.reasons.filter(({ name, points }) =>
    isConfirmable(name, points, standing),
  )
  return believed.map(({ name, points }) => ({
    name,
    points,
    ...(isClaim(name) && standing !== 'unchecked' && { claim: standing }),
  }))
}

/** What moved the log-odds beside the models, and what decided in their place. */
function reasonsBesideModels(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  verdict: Verdict,
): UntoldReason[] {
  const rule = rulingRule(analysis, evidence, policy)
  const decider = deciderOf(verdict.bypassReason, rule?.source === 'operator' ? rule : undefined)
  const distance = modelledLogit(analysis, evidence, policy) - logit(policy.threshold)
  const isDecided = decider !== undefined && decider.name !== 'TAMIS_PARTLY_READ'
  return [
    ...(isDecided
      ? [{ ...own(decider.name, distanceOf(verdict) - distance), ...behind(decider, evidence) }]
      : []),
    ...listTerms(evidence.lists).map(listReason),
    ...scanTerms(evidence.scan).map(scanReason),
    ...scoreTerms(evidence.scores, evidence.sender).map(scoreReason),
    {
      ...own('TAMIS_USER_LEARNED', evidence.shift?.spam ?? 0),
      ...correctionIn(evidence.shiftFrom?.[0]?.correction),
    },
    own('TAMIS_CORRESPONDENT', correspondentTerm(analysis, evidence, policy)),
    ...(analysis.allowance
      ? [
          own(
            `TAMIS_${analysis.allowance.reason}`,
            allowanceLogit(analysis.allowance, evidence.sender),
          ),
        ]
      : []),
    own('TAMIS_GTUBE', analysis.gtubeLogit ?? 0),
    ...senderTerms(analysis.fromDomain, evidence.sender, analysis.ownMail).map(senderReason),
  ]
}

/** The correction behind what decided, if that is the memory. */
function behind({ name }: UntoldReason, { memoryVote }: Evidence) {
  return name === 'TAMIS_USER_MEMORY' && memoryVote !== undefined
    ? correctionIn(namedCorrection(memoryVote.decidedBy))
    : {}
}

function correctionIn(correction: NamedCorrection | undefined): Pick<UntoldReason, 'correction'> {
  return correction === undefined ? {} : { correction }
}

/** What overrode the models, without points so far. */
export function deciderOf(
  reason: BypassReason | null,
  operatorRule: NamedRule | undefined,
): (UntoldReason & { readonly name: OwnSymbol }) | undefined {
  if (reason === null) return undefined
  if (reason !== 'user_rule' || operatorRule === undefined) return own(SYMBOL_OF_REASON[reason], 0)
  return { ...own('TAMIS_OPERATOR_RULE', 0), evidence: operatorRule.pattern }
}

/** Log-odds between the probability and the threshold, at most DISTANCE_MAX either way. */
export function distanceOf({ isSpam, spamProbability, confidenceMargin }: Scored): number {
  const threshold = spamProbability + (isSpam ? -confidenceMargin : confidenceMargin)
  const distance = logit(spamProbability) - logit(threshold)
  return Math.max(-DISTANCE_MAX, Math.min(DISTANCE_MAX, distance))
}
