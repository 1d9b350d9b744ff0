/**
 * Analysis and Evidence -> Verdict: who decides, and with what probability.
 *
 * Precedence (docs/verdict.md): a URL feed, the user's rule, the user's memory, the models. A feed
 * gives way to what the user said of this very message, and to a Thread or Template rule made from an
 * authenticated message, if this one is authenticated for the same domain. A rule or memory that only
 * lifts gives way to every feed, and to models that are sure. Where a scanner has found a virus, no rule and no
 * memory that says "not spam" has a say. `parse_error` says that neither feed, rule nor memory decided, and that
 * the models had only part of the message.
 */
import { escalates } from '../models/models.ts'
import {
  byClass,
  CLASSES,
  type ClassProbabilities,
  logit,
  type MessageClass,
  sigmoid,
  sumOf,
} from '../models/prediction.ts'
import type { MemoryVote } from '../personalization/memory-votes.ts'
import type { RuleMatch } from '../personalization/rules.ts'
import { allowanceLogit } from './allowances.ts'
import type { Analysis } from './analysis.ts'
import type { Evidence } from './evidence.ts'
import { listTerms } from './list-findings.ts'
import { type Policy, SURE_LOGIT_MARGIN } from './policy.ts'
import { hasVirus, scanTerms } from './scan-finding.ts'
import { scoreTerms } from './score-terms.ts'
import { senderTerms } from './sender-term.ts'
import type { BypassReason, ClassVerdict, Verdict } from './verdict.ts'

/** The spam half of a verdict, and who decided it. */
interface SpamDecision {
  readonly isSpam: boolean
  readonly probability: number
  readonly reason: BypassReason | null
}

/** How far past the threshold a memory's share is moved, so that it agrees with its own label: one part in a million. */
const THRESHOLD_STEP = 1e-6

/** The verdict for one recipient. */
export function decide(analysis: Analysis, evidence: Evidence, policy: Policy): Verdict {
  const { classification } = decideClass(analysis, evidence)
  if (!policy.spamEntitled) return classOnly(analysis, classification, evidence, policy)

  const { isSpam, probability, reason } = decideSpam(analysis, evidence, policy)
  const disagreement = Math.abs(analysis.text.probability - analysis.meta.probability)
  return {
    isSpam,
    spamProbability: probability,
    classification,
    textSpamScore: analysis.text.probability,
    metaSpamScore: analysis.meta.probability,
    confidenceMargin: Math.abs(probability - policy.threshold),
    entropy: binaryEntropy(probability),
    disagreement,
    // Nobody has to look at what a scanner knows.
    shouldEscalate:
      !hasVirus(evidence.scan) &&
      (shouldEscalate(reason, probability, disagreement, policy) ||
        (reason === null && !isSpam && analysis.textUnread) ||
        (reason === null && evidence.correspondent?.isHeld === true) ||
        (reason === null && evidence.scores?.isCut === true)),
    bypassReason: reason,
    senderAuthenticated: evidence.senderAuthenticated,
  }
}

/** The class for one recipient: the user's rule, else the models mixed with the user's memory. */
export function decideClass(analysis: Analysis, evidence: Evidence): ClassVerdict {
  const { classRule, classVote, shift } = evidence
  if (classRule !== undefined) return classVerdict(certain(classRule.classification), 'tabs_rule')
  const shared = sharedClasses(analysis)
  const modelled = shift === undefined ? shared : shifted(shared, shift.classes)
  if (classVote === undefined) return classVerdict(modelled, null)
  return classVerdict(mixed(modelled, classVote.shares, classVote.weight), 'tabs_knn')
}

/** The classes before what is this recipient's own. */
function sharedClasses({ tabs, classTerm }: Analysis): ClassProbabilities {
  if (classTerm === undefined) return tabs
  return shifted(
    tabs,
    CLASSES.map((name) => (name === classTerm.class ? classTerm.logit : 0)),
  )
}

function decideSpam(analysis: Analysis, evidence: Evidence, policy: Policy): SpamDecision {
  const { memoryVote } = evidence
  const rule = rulingRule(analysis, evidence, policy)
  const hasSay =
    memoryVote && !isSparedByMemory(evidence) && sayOf(analysis, evidence, policy)(memoryVote)
  const vote = hasSay ? memoryVote : undefined
  if (analysis.feedHits.length > 0 && !outranksFeed(rule, vote))
    return ruled(true, 'phishtank_match')
  if (rule !== undefined) return ruled(rule.label === 'spam', 'user_rule')
  if (vote !== undefined) return remembered(vote, policy)
  return modelled(analysis, evidence, policy)
}

/** Whether a vote for spam does not count: the message is from somebody whom the user knows, and is not itself what was reported. */
function isSparedByMemory({ correspondent, memoryVote }: Evidence): boolean {
  if (correspondent === undefined || correspondent.logit >= 0) return false
  return memoryVote?.label === 'spam' && !memoryVote.sameMessage
}

/** The first of the user's rules that has a say. */
export function rulingRule(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
): RuleMatch | undefined {
  return evidence.ruleMatches?.find(sayOf(analysis, evidence, policy))
}

/**
 * How far below the threshold, in log-odds, the models are sure of ham: there a text that is like reported spam is not
 * called spam for that alone. With 5 it would reach no more of the campaigns in the corpora, with 3 a point less, with 2 two
 * (docs/decisions/0030-memory-by-identity.md).
 */
const SURE_OF_HAM_MARGIN = 4

/**
 * Whether a rule or a vote has a say: one that decides has, one that lifts where the models are not sure of the contrary.
 * None that says "not spam" has one about a virus, of which the user knew nothing.
 */
function sayOf(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
): (said: Pick<RuleMatch | MemoryVote, 'force' | 'label'>) => boolean {
  const mayLift = allowsLifting(analysis, evidence, policy)
  const isInfected = hasVirus(evidence.scan)
  const modelsLogit = ownLogit(analysis) + policy.priorLogit
  const mayCondemn = modelsLogit > logit(policy.threshold) - SURE_OF_HAM_MARGIN
  return ({ force, label }) => {
    if (label === 'spam') return force === 'decides' || mayCondemn
    return !isInfected && (force === 'decides' || mayLift)
  }
}

/**
 * False when a feed, or the models with the DNS lists, the scanner and what scores of rules say for spam, outweigh "not
 * spam" without proof of the sender.
 */
function allowsLifting(
  analysis: Analysis,
  { lists, scan, scores, sender }: Evidence,
  { priorLogit, threshold }: Policy,
): boolean {
  const { feedHits, allowance, gtubeLogit = 0 } = analysis
  const ofRules = Math.max(0, sumOf(scoreTerms(scores, sender)))
  const ofOthers = sumOf(listTerms(lists)) + sumOf(scanTerms(scan)) + ofRules
  const ofMessage = ownLogit(analysis) + allowanceLogit(allowance, sender) + gtubeLogit
  const spamLogit = ofMessage + priorLogit + ofOthers
  const isSureOfSpam = spamLogit > logit(threshold) + SURE_LOGIT_MARGIN
  return feedHits.length === 0 && !isSureOfSpam
}

/** Whether a rule or a vote that decides outranks a feed. One that merely lifts never does. */
function outranksFeed(rule: RuleMatch | undefined, vote: MemoryVote | undefined): boolean {
  if (vote?.sameMessage && vote.label === 'ham') return true
  return rule?.label === 'ham' && (rule.ruleType === 'Thread' || rule.ruleType === 'Template')
}

function ruled(isSpam: boolean, reason: BypassReason): SpamDecision {
  return { isSpam, probability: isSpam ? 1 : 0, reason }
}

function remembered(vote: MemoryVote, policy: Policy): SpamDecision {
  const isSpam = vote.label === 'spam'
  const probability = isSpam
    ? Math.max(vote.spamShare, Math.min(1, policy.threshold + THRESHOLD_STEP))
    : Math.min(vote.spamShare, policy.threshold)
  return { isSpam, probability, reason: 'knn_memory' }
}

function modelled(analysis: Analysis, evidence: Evidence, policy: Policy): SpamDecision {
  const probability = sigmoid(modelledLogit(analysis, evidence, policy))
  const reason = partlyRead(analysis) ? 'parse_error' : null
  return { isSpam: probability > policy.threshold, probability, reason }
}

/** The log-odds of spam before a rule, the memory or a feed. */
export function modelledLogit(analysis: Analysis, evidence: Evidence, policy: Policy): number {
  return unheldLogit(analysis, evidence, policy) + heldTerm(analysis, evidence, policy)
}

/** How far below the threshold a message is put that is held for a person, in log-odds. */
const HELD_BELOW = 0.01

/**
 * What is taken from the log-odds of a program that comes from somebody whom the user knows, so that it is not spam: at most 0.
 * The message is escalated instead. Nothing is taken where the program is a virus; and what scores of rules say for spam
 * counts all the same, since whoever made them knows of programs.
 */
function heldTerm(analysis: Analysis, evidence: Evidence, policy: Policy): number {
  if (evidence.correspondent?.isHeld !== true || hasVirus(evidence.scan)) return 0
  const ofRules = Math.max(0, sumOf(scoreTerms(evidence.scores, evidence.sender)))
  const most = logit(policy.threshold) - HELD_BELOW + ofRules
  return Math.min(0, most - unheldLogit(analysis, evidence, policy))
}

/** What the user adds who knows the sender. */
export function correspondentTerm(analysis: Analysis, evidence: Evidence, policy: Policy): number {
  return (evidence.correspondent?.logit ?? 0) + heldTerm(analysis, evidence, policy)
}

/**
 * The models' log-odds without what users agree about. By these it is settled which rules and votes apply: otherwise a crowd
 * that moves a message by its 0.5 could have an allow rule ignored, and move it by far more.
 */
function ownLogit({ spam, crowdLogit = 0 }: Analysis): number {
  return spam.logit - crowdLogit
}

/** The same before a program from a correspondent is held. */
function unheldLogit(analysis: Analysis, evidence: Evidence, { priorLogit }: Policy): number {
  const { spam, fromDomain, ownMail, allowance, gtubeLogit = 0 } = analysis
  const { sender, lists, scan, scores, shift, correspondent } = evidence
  const ofUser = (shift?.spam ?? 0) + (correspondent?.logit ?? 0)
  const ofSender = sumOf(senderTerms(fromDomain, sender, ownMail))
  const ofOthers =
    sumOf(listTerms(lists)) + sumOf(scanTerms(scan)) + sumOf(scoreTerms(scores, sender))
  const ofMessage = spam.logit + allowanceLogit(allowance, sender) + gtubeLogit
  return ofMessage + priorLogit + ofUser + ofSender + ofOthers
}

function partlyRead(analysis: Analysis): boolean {
  return analysis.limitsReached.length > 0 || analysis.bodyUnread
}

function shouldEscalate(
  reason: BypassReason | null,
  probability: number,
  disagreement: number,
  policy: Policy,
): boolean {
  if (reason === 'user_rule' || reason === 'phishtank_match') return false
  if (reason === 'parse_error') return true
  const beyond = logit(probability) - logit(policy.threshold)
  return escalates(policy.escalation, beyond, disagreement)
}

/** -p log2 p - q log2 q, in bits; 0 when the outcome is certain. */
function binaryEntropy(probability: number): number {
  const term = (p: number) => (p <= 0 ? 0 : -p * Math.log2(p))
  return term(probability) + term(1 - probability)
}

/** The verdict under a licence without spam detection (interface, §1). */
function classOnly(
  analysis: Analysis,
  classification: MessageClass,
  evidence: Evidence,
  policy: Policy,
): Verdict {
  return {
    isSpam: false,
    spamProbability: 0,
    classification,
    textSpamScore: 0,
    metaSpamScore: 0,
    confidenceMargin: policy.threshold,
    entropy: 0,
    disagreement: 0,
    shouldEscalate: false,
    bypassReason: partlyRead(analysis) ? 'parse_error' : null,
    senderAuthenticated: evidence.senderAuthenticated,
  }
}

function classVerdict(
  probabilities: ClassProbabilities,
  source: ClassVerdict['personalizationSource'],
): ClassVerdict {
  const classification = CLASSES.reduce((best, name) =>
    probabilities[name] > probabilities[best] ? name : best,
  )
  return {
    classification,
    confidence: probabilities[classification],
    classificationProbabilities: probabilities,
    personalizationSource: source,
  }
}

function certain(classification: MessageClass): ClassProbabilities {
  return byClass(CLASSES.map((name) => (name === classification ? 1 : 0)))
}

/** `model` with `shift` added to the log-odds of each class, in the order of CLASSES. */
function shifted(model: ClassProbabilities, shift: readonly number[]): ClassProbabilities {
  const odds = CLASSES.map((name, c) => model[name] * Math.exp(shift[c]!))
  const sum = odds.reduce((total, each) => total + each, 0)
  return byClass(odds.map((each) => each / sum))
}

function mixed(
  model: ClassProbabilities,
  memory: ClassProbabilities,
  weight: number,
): ClassProbabilities {
  return byClass(CLASSES.map((name) => (1 - weight) * model[name] + weight * memory[name]))
}
