/**
 * Analysis and Evidence -> Verdict: who decides, and with what probability.
 *
 * Precedence (docs/verdict.md): a URL feed, the user's rule, the user's memory, the models. A feed gives way to what the user
 * said of this very message, and to a Thread or Template rule made from an authenticated message, if this one is authenticated
 * for the same domain. A rule or memory that only lifts gives way to every feed, and to models that are sure.
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
import type { Analysis } from './analysis.ts'
import type { Evidence } from './evidence.ts'
import { hasVirus, type Term, termsBeside } from './explain.ts'
import { type Policy, SURE_LOGIT_MARGIN } from './policy.ts'
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
  const { senderAuthenticated } = evidence
  if (!policy.spamEntitled) return classOnly(analysis, classification, senderAuthenticated, policy)

  const beside = termsBeside(analysis, evidence, policy)
  const { isSpam, probability, reason } = decideSpam(analysis, evidence, policy, beside)
  const disagreement = Math.abs(analysis.text.probability - analysis.meta.probability)
  const needsPerson =
    (!isSpam && analysis.textUnread) ||
    evidence.correspondent?.isHeld === true ||
    evidence.scores?.isCut === true
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
      !hasVirus(beside) &&
      (shouldEscalate(reason, probability, disagreement, policy) ||
        (reason === null && needsPerson)),
    bypassReason: reason,
    senderAuthenticated,
  }
}

/** The class for one recipient: the user's rule, else the models mixed with the user's memory. */
export function decideClass(
  { tabs, classTerm }: Analysis,
  { classRule, classVote, shift }: Evidence,
): ClassVerdict {
  if (classRule !== undefined) {
    const certain = CLASSES.map((name) => Number(name === classRule.classification))
    return classVerdict(byClass(certain), 'tabs_rule')
  }
  const stated =
    classTerm && CLASSES.map((name) => (name === classTerm.class ? classTerm.logit : 0))
  const modelled = shifted(shifted(tabs, stated), shift?.classes)
  if (classVote === undefined) return classVerdict(modelled, null)
  const { shares, weight } = classVote
  const mixed = CLASSES.map((name) => (1 - weight) * modelled[name] + weight * shares[name])
  return classVerdict(byClass(mixed), 'tabs_knn')
}

function decideSpam(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  beside: readonly Term[],
): SpamDecision {
  const { memoryVote, ruleMatches } = evidence
  const hasSay = sayOf(analysis, policy, beside)
  const rule = ruleMatches?.find(hasSay)
  const isHeard = memoryVote && !isSparedByMemory(evidence) && hasSay(memoryVote)
  const vote = isHeard ? memoryVote : undefined
  if (analysis.feedHits.length > 0 && !outranksFeed(rule, vote))
    return ruled(true, 'phishtank_match')
  if (rule !== undefined) return ruled(rule.label === 'spam', 'user_rule')
  if (vote !== undefined) return remembered(vote, policy)
  const probability = sigmoid(logitWith(analysis, beside))
  const reason = partlyRead(analysis) ? 'parse_error' : null
  return { isSpam: probability > policy.threshold, probability, reason }
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
  const { ruleMatches } = evidence
  return ruleMatches?.find(sayOf(analysis, policy, termsBeside(analysis, evidence, policy)))
}

/**
 * How far below the threshold, in log-odds, the models are sure of ham: there a text that is like reported spam is not
 * called spam for that alone. With 5 it would reach no more of the campaigns in the corpora, with 3 a point less, with 2 two
 * (docs/decisions/0030-memory-by-identity.md).
 */
const SURE_OF_HAM_MARGIN = 4

/** What may outweigh "not spam" without proof of the sender, besides the models: not what is this recipient's own. */
const OUTWEIGHING: ReadonlySet<Term['kind']> = new Set(['allowance', 'gtube', 'list', 'scan'])

/**
 * Whether a rule or a vote has a say: one that decides has, one that lifts where the models are not sure of the contrary; "not
 * spam" also where no feed has a link, and the models with what others say of the message are not sure of spam. None that says
 * "not spam" has one about a virus, of which the user knew nothing.
 */
function sayOf(
  { spam, crowdLogit = 0, feedHits }: Analysis,
  { priorLogit, threshold }: Policy,
  beside: readonly Term[],
): (said: Pick<RuleMatch | MemoryVote, 'force' | 'label'>) => boolean {
  // Without what users agree about: otherwise a crowd that moves a message by its 0.5 could have an allow rule ignored.
  const ofModels = spam.logit - crowdLogit + priorLogit
  const ofRules = Math.max(0, sumOf(beside.filter(({ kind }) => kind === 'rule')))
  const ofOthers = sumOf(beside.filter(({ kind }) => OUTWEIGHING.has(kind))) + ofRules
  const isSureOfSpam = ofModels + ofOthers > logit(threshold) + SURE_LOGIT_MARGIN
  const mayLift = feedHits.length === 0 && !isSureOfSpam
  const mayCondemn = ofModels > logit(threshold) - SURE_OF_HAM_MARGIN
  const isInfected = hasVirus(beside)
  return ({ force, label }) => {
    if (label === 'spam') return force === 'decides' || mayCondemn
    return !isInfected && (force === 'decides' || mayLift)
  }
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

/** The log-odds of spam before a rule, the memory or a feed. */
export function modelledLogit(analysis: Analysis, evidence: Evidence, policy: Policy): number {
  return logitWith(analysis, termsBeside(analysis, evidence, policy))
}

function logitWith({ spam }: Analysis, beside: readonly Term[]): number {
  return beside.reduce((sum, term) => sum + term.logit, spam.logit)
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
  senderAuthenticated: boolean,
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
    senderAuthenticated,
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

/** `model` with `shift`, if there is one, added to the log-odds of each class, in the order of CLASSES. */
function shifted(
  model: ClassProbabilities,
  shift: readonly number[] | undefined,
): ClassProbabilities {
  if (shift === undefined) return model
  const odds = CLASSES.map((name, c) => model[name] * Math.exp(shift[c]!))
  const sum = odds.reduce((total, each) => total + each, 0)
  return byClass(odds.map((each) => each / sum))
}
