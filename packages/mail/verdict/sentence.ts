/**
 * The one sentence that says what a message is, and why: the same in header fields, log lines, the history, the
 * console and commands. It is made from the strongest reasons (topics.ts).
 */
import { logit } from '../models/prediction.ts'
import { namedCorrection } from '../personalization/named-correction.ts'
import type { Analysis } from './analysis.ts'
import { decide, modelledLogit, rulingRule } from './decide.ts'
import type { Evidence } from './evidence.ts'
import { explain, standingOfSender } from './explain.ts'
import type { Policy } from './policy.ts'
import {
  deciderOf,
  distanceOf,
  isOfList,
  own,
  type Reason,
  reasonOf,
  ruleNamed,
  signalClause,
} from './reasons.ts'
import { resultNamed } from './scan-finding.ts'
import { isJustUnder, type Level, percent, standingOf } from './standing.ts'
import { correctionClause, say, senderClause, TEXTS, textFor } from './texts.ts'
import { listedReasons, namedReasons, REASONS_MAX } from './topics.ts'
import type { BypassReason, Verdict } from './verdict.ts'

export interface Sentence {
  /** 'Probably spam'. */
  readonly verdict: string
  /** 'a link leads to a bare IP address, and the greeting is generic'. It has no semicolon and no quotation mark. */
  readonly reasons: string
}

export interface Judged extends Pick<Verdict, 'isSpam' | 'spamProbability' | 'bypassReason'> {
  /** The recipient's threshold. */
  readonly threshold: number
}

/** What overrode the models, so that their reasons do not matter. */
const DECIDERS: Readonly<Record<Exclude<BypassReason, 'parse_error'>, readonly string[]>> = {
  user_rule: ['TAMIS_USER_RULE', 'TAMIS_OPERATOR_RULE'],
  knn_memory: ['TAMIS_USER_MEMORY'],
  phishtank_match: ['TAMIS_URL_FEED'],
}

/** Terms that say nothing about the message by themselves. */
const UNNAMED: ReadonlySet<string> = new Set(['TAMIS_BASE', 'TAMIS_OTHER'])

/** Points below this are written as 0.0. */
const NEGLIGIBLE = 0.05

/**
 * The strongest reasons for a verdict, at most REASONS_MAX, for log lines, header fields and the history; none under a
 * licence without spam detection.
 *
 * Those of a header field are made with the `evidence` of no user: all recipients of a message read its header, and
 * the sender too when it bounces. Those of the history, which only the operator reads, have what is the recipient's own.
 */
export function strongestReasons(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  verdict: Verdict = decide(analysis, evidence, policy),
): Reason[] {
  if (!policy.spamEntitled) return []
  const standing = standingOfSender(evidence)
  const reasons = explain(analysis, evidence, policy)
    .map((term) => reasonOf(term, standing))
    .filter(({ name }) => !UNNAMED.has(name))
    .map((reason) => withCorrection(reason, evidence))
  const all = [...decidingReason(analysis, evidence, policy, verdict), ...reasons]
  const forSpam = speaksForSpam({ ...verdict, threshold: policy.threshold })
  // It weighs nothing, and is why a person is to look.
  const missing = evidence.scores?.isCut ? [own('TAMIS_RULES_CUT', 0)] : []
  return [
    ...listedReasons(
      all.filter(({ points }) => Math.abs(points) >= NEGLIGIBLE),
      forSpam,
      REASONS_MAX - missing.length,
    ),
    ...missing,
  ]
}

/** What decided in place of the models, with what it added to what they said. */
function decidingReason(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  verdict: Verdict,
): Reason[] {
  const rule = rulingRule(analysis, evidence, policy)
  const decider = deciderOf(verdict.bypassReason, rule?.source === 'operator' ? rule : undefined)
  if (decider === undefined || decider.name === 'TAMIS_PARTLY_READ') return []
  const distance = modelledLogit(analysis, evidence, policy) - logit(policy.threshold)
  const reason = own(decider.name, distanceOf(verdict) - distance)
  return [withCorrection(reason, evidence)]
}

/** With the correction behind what the memory decided, or what the user's own models add. */
function withCorrection(reason: Reason, { memoryVote, shiftFrom }: Evidence): Reason {
  const learned = reason.name === 'TAMIS_USER_LEARNED' ? shiftFrom?.[0]?.correction : undefined
  const remembered = reason.name === 'TAMIS_USER_MEMORY' ? memoryVote?.decidedBy : undefined
  const correction = remembered === undefined ? learned : namedCorrection(remembered)
  return correction === undefined ? reason : { ...reason, correction }
}

/** The sentence for a verdict with these reasons; `senderDomain` is '' where it is not known. */
export function sentenceOf(
  judged: Judged,
  reasons: readonly Reason[],
  senderDomain: string,
): Sentence {
  const { isSpam, bypassReason } = judged
  if (isDecided(bypassReason)) {
    const deciders = DECIDERS[bypassReason]
    const decider = reasons.find(({ name }) => deciders.includes(name)) ?? { name: deciders[0]! }
    const clause = correctionClause(decider) ?? ownClause(decider.name, isSpam)
    return {
      verdict: TEXTS[isSpam ? 'decided.spam' : 'decided.ham'],
      reasons: clause ?? decider.name,
    }
  }
  const named = namedReasons(reasons, speaksForSpam(judged))
  const clauses = named.map((reason) => clauseOf(reason, senderDomain))
  const level = levelOf(judged)
  const verdict = level === 'suspicious' ? suspicion(judged) : TEXTS[`level.${level}`]
  const isPartly = bypassReason === 'parse_error'
  // Reasons for spam beside a message that is none would look like a mistake.
  const why =
    level === 'suspicious'
      ? say('sentence.although', { reasons: both(clauses) ?? TEXTS['small.spam'] })
      : (both(clauses) ?? TEXTS['small.any'])
  return { verdict: isPartly ? say('sentence.partly', { verdict }) : verdict, reasons: why }
}

/** Two clauses as one; undefined where there is none. */
function both([first, second]: readonly string[]): string | undefined {
  if (first === undefined || second === undefined) return first
  return say('sentence.two', { first, second })
}

/** 'Suspicious, just under your limit of 94.9 %'. */
function suspicion({ spamProbability, threshold }: Judged): string {
  const isNear = isJustUnder(spamProbability, threshold)
  const limit = percent(threshold)
  return say(isNear ? 'level.just under' : 'level.suspicious', { limit })
}

/** 'Probably spam: a link leads to a bare IP address, and the greeting is generic.' */
export function sentenceText({ verdict, reasons }: Sentence): string {
  return say('sentence', { verdict, reasons })
}

/** Whether the reasons for spam explain the verdict; else those against it do. Of a suspicious message it is said why it is. */
export function speaksForSpam(judged: Judged): boolean {
  if (judged.isSpam || isDecided(judged.bypassReason)) return judged.isSpam
  return levelOf(judged) === 'suspicious'
}

function isDecided(reason: BypassReason | null): reason is Exclude<BypassReason, 'parse_error'> {
  return reason !== null && reason !== 'parse_error'
}

function levelOf({ spamProbability, threshold }: Judged): Level {
  return standingOf(spamProbability, threshold).level
}

function clauseOf(reason: Reason, senderDomain: string): string {
  const { name, points, claim, signature = TEXTS['scan.unnamed'] } = reason
  const corrected = correctionClause(reason)
  if (corrected !== undefined) return corrected
  const rule = ruleNamed(name)
  if (rule !== undefined) return say('sides.rule', { name: rule })
  const scanned = resultNamed(name)
  if (scanned !== undefined) return say(`spam.${scanned}`, { signature })
  if (name === 'TAMIS_SENDER_PASSED') return senderClause('proved', senderDomain)
  if (name === 'TAMIS_SENDER_FAILED') return senderClause('unproved', senderDomain)
  const ofOwn = ownClause(isOfList(name) ? 'TAMIS_LIST' : name, points > 0)
  return ofOwn ?? signalClause(name, claim, senderDomain) ?? name
}

/** What a reason that is no signal says for spam, or against it; some speak for spam alone. */
function ownClause(name: string, forSpam: boolean): string | undefined {
  return textFor(`${forSpam ? 'spam' : 'ham'}.${name}`) ?? textFor(`spam.${name}`)
}
