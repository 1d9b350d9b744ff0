/**
 * The reasons that terms are, by the names that clients of other filters know them by, and in points: what SpamAssassin
 * calls a test, and Rspamd a symbol. Their words are in texts.json, those of signals in signals/signals.tsv.
 *
 * A point is a unit of log-odds: one more makes spam e times as likely against ham. The scale is
 * shifted so that the threshold, wherever the operator has put it, is at REQUIRED_POINTS. So the
 * score rises with `spamProbability`, and never contradicts `isSpam`.
 */
import { logit } from '../models/prediction.ts'
import type { NamedCorrection } from '../personalization/named-correction.ts'
import type { RuleMatch } from '../personalization/rules.ts'
import { signalNamed } from '../signals/table.ts'
import type { Explained, ListTerm, ScanTerm, Term } from './explain.ts'
import {
  capital,
  claimClause,
  correctionClause,
  filled,
  isClaim,
  isSignal,
  type OwnSymbol,
  type SenderStanding,
  say,
  senderClause,
  TEXTS,
  textFor,
} from './texts.ts'
import type { BypassReason, Verdict } from './verdict.ts'
import { wordsNamed } from './wording.ts'

/** A reason for the score. */
export interface DescribedReason {
  /** The name of the signal, or `TAMIS_` and another source. */
  readonly name: string
  /** Negative speaks against spam. */
  readonly points: number
  /** A sentence for people; absent for a signal of another version. */
  readonly description?: string
  /** What the reason rests on; may contain words of the message. */
  readonly evidence?: string
}

/** A reason by what it says, before it is put into words. */
export interface Reason extends Omit<DescribedReason, 'description'> {
  /** What a DNS list says; absent where only its name was kept. */
  readonly listed?: Pick<ListTerm, 'list' | 'meaning'>
  /** How the sender stands, for what it claims of itself. */
  readonly claim?: Exclude<SenderStanding, 'unchecked'>
  /** The name of the signature, for what a virus scanner found; absent where only the name of the reason was kept. */
  readonly signature?: string
  /** The correction that is behind it. */
  readonly correction?: NamedCorrection
}

/** A reason that is no signal. */
export function own<Name extends OwnSymbol>(
  name: Name,
  points: number,
): Reason & { readonly name: Name } {
  return { name, points }
}

const SCAN_SYMBOLS: Readonly<Record<ScanTerm['result'], OwnSymbol>> = {
  virus: 'TAMIS_VIRUS',
  suspicion: 'TAMIS_SCAN_SUSPICION',
}

/** The reason that a term is. All terms without a name of their own are TAMIS_OTHER, TAMIS_FORM or TAMIS_BASE. */
export function reasonOf(term: Term, sender: SenderStanding): Reason {
  const { logit } = term
  switch (term.kind) {
    case 'wording':
      return own('TAMIS_TEXT', logit)
    case 'meta':
      return isSignal(term.name) ? signalReason(term.name, logit, sender) : own('TAMIS_FORM', logit)
    case 'rest':
      return own('TAMIS_OTHER', logit)
    case 'personal':
      return own('TAMIS_USER_LEARNED', logit)
    case 'correspondent':
      return own('TAMIS_CORRESPONDENT', logit)
    case 'sender':
      return own(term.result === 'passed' ? 'TAMIS_SENDER_PASSED' : 'TAMIS_SENDER_FAILED', logit)
    case 'allowance':
      return own(`TAMIS_${term.reason}`, logit)
    case 'gtube':
      return own('TAMIS_GTUBE', logit)
    case 'scan':
      return { ...own(SCAN_SYMBOLS[term.result], logit), signature: term.signature }
    case 'rule':
      return { name: `TAMIS_RULE_${term.name}`, points: logit }
    case 'list': {
      // Each list has a symbol of its own: clients keep one of each name.
      const name = `TAMIS_LIST_${term.list.toUpperCase().replaceAll('-', '_')}`
      return { name, points: logit, listed: { list: term.list, meaning: term.meaning } }
    }
    default:
      return own('TAMIS_BASE', logit)
  }
}

/** What a term says as a sentence: more exactly than its reason, which stands for several. */
export function termDescription(term: Term, sender: SenderStanding): string {
  switch (term.kind) {
    case 'prior':
      return TEXTS.prior
    case 'reading':
      return say('reading', { reading: TEXTS[`reading.${term.reading}`] })
    case 'sender':
      return TEXTS[`checks.${term.result}.${term.fromDomain}`]
    case 'correspondent':
      return TEXTS[`tie.${term.tie}`]
    case 'meta':
      if (!isSignal(term.name)) return countText(term.name)
  }
  const reason = reasonOf(term, sender)
  return reasonDescription(reason) ?? reason.name
}

/** 'Links share: 2–3 %.' for 'linksShare 2-3'. */
function countText(name: string): string {
  const [count = '', ...range] = name.split(' ')
  const words = count.replace(/([A-Z])/g, ' $1').toLowerCase()
  const amount = range.join(' ').replace('-', '–').replace('>=', '≥')
  return `${capital(words)}: ${amount}${words.endsWith(' share') ? ' %' : ''}.`
}

/** What a signal adds; with how the sender stands, where it is a claim of the sender's that was checked. */
function signalReason(name: string, points: number, sender: SenderStanding): Reason {
  return { name, points, ...(isClaim(name) && sender !== 'unchecked' && { claim: sender }) }
}

/** What is true of a message with the signal `name`; undefined for a signal of another version. */
export function signalClause(
  name: string,
  standing?: SenderStanding,
  senderDomain?: string,
): string | undefined {
  return claimClause(name, standing, senderDomain) ?? signalNamed(name)?.clause
}

/** By what name texts.json has the reason `name`: all lists and all rules of the operator have one. */
function textNameOf(name: string): string {
  return /^TAMIS_(?:LIST|RULE)(?=_)/.exec(name)?.[0] ?? name
}

function valuesOf({ name, listed, signature = TEXTS['scan.unnamed'] }: Omit<Reason, 'points'>) {
  return { ...listed, signature, name: name.slice(textNameOf(name).length + 1) }
}

/** What the reason says as a sentence; undefined for one that this version does not have. */
export function reasonDescription(reason: Omit<Reason, 'points' | 'evidence'>): string | undefined {
  const { name, listed, claim, signature, correction } = reason
  const textName = textNameOf(name)
  const isDetailed = listed !== undefined || signature !== undefined
  const ofOne = isDetailed ? textFor(`one.${textName}`) : undefined
  const corrected = correctionClause(name, correction)
  const text = corrected === undefined ? (ofOne ?? textFor(`reason.${textName}`)) : undefined
  if (text !== undefined) return filled(text, valuesOf(reason))
  const clause = corrected ?? signalClause(name, claim)
  return clause && `${capital(clause)}.`
}

/** What the reason says for spam or against it, to be read on after a colon; its name where this version does not have it. */
export function clauseOf(
  reason: Omit<Reason, 'points'>,
  forSpam: boolean,
  senderDomain = '',
): string {
  const { name, claim, correction } = reason
  if (name === 'TAMIS_SENDER_PASSED') return senderClause('proved', senderDomain)
  if (name === 'TAMIS_SENDER_FAILED') return senderClause('unproved', senderDomain)
  const textName = textNameOf(name)
  // Some speak for spam alone.
  const text = textFor(`${forSpam ? 'spam' : 'ham'}.${textName}`) ?? textFor(`spam.${textName}`)
  return (
    correctionClause(name, correction) ??
    (text && filled(text, valuesOf(reason))) ??
    signalClause(name, claim, senderDomain) ??
    name
  )
}

/** Largest distance from the threshold, in log-odds: a rule is certain, which would be infinite. */
const DISTANCE_MAX = 20

const SYMBOL_OF_REASON: Readonly<Record<BypassReason, OwnSymbol>> = {
  user_rule: 'TAMIS_USER_RULE',
  knn_memory: 'TAMIS_USER_MEMORY',
  phishtank_match: 'TAMIS_URL_FEED',
  parse_error: 'TAMIS_PARTLY_READ',
}

/** The part of a verdict that says how far it is from the threshold. */
type Scored = Pick<Verdict, 'isSpam' | 'spamProbability' | 'confidenceMargin'>

/** What overrode the models, without points so far. @param rule the rule that decided, if one did. */
export function deciderOf(
  reason: BypassReason | null,
  rule: Pick<RuleMatch, 'pattern' | 'source'> | undefined,
): (Reason & { readonly name: OwnSymbol }) | undefined {
  if (reason === null) return undefined
  if (reason !== 'user_rule' || rule?.source !== 'operator') return own(SYMBOL_OF_REASON[reason], 0)
  return { ...own('TAMIS_OPERATOR_RULE', 0), evidence: rule.pattern }
}

/** Log-odds between the probability and the threshold, at most DISTANCE_MAX either way. */
export function distanceOf({ isSpam, spamProbability, confidenceMargin }: Scored): number {
  const threshold = spamProbability + (isSpam ? -confidenceMargin : confidenceMargin)
  const distance = logit(spamProbability) - logit(threshold)
  return Math.max(-DISTANCE_MAX, Math.min(DISTANCE_MAX, distance))
}

/** Points from which a message is spam: SpamAssassin's default, which its clients have in mind. */
export const REQUIRED_POINTS = 5

/** Points are given in tenths, and a message that is not spam stays below the required points. */
const TENTH = 0.1

/** Words named as evidence for the points of the text. */
const WORDS_NAMED = 3

/** The score of a verdict, in tenths of a point: at least REQUIRED_POINTS for spam, less for all else. */
export function pointsOf(verdict: Scored): number {
  const points = Math.round((REQUIRED_POINTS + distanceOf(verdict)) / TENTH) * TENTH
  const onItsSide = verdict.isSpam
    ? Math.max(points, REQUIRED_POINTS)
    : Math.min(points, REQUIRED_POINTS - TENTH)
  return Number(onItsSide.toFixed(1))
}

/**
 * The reasons for `pointsOf(verdict)`, the weightiest first; their points add up to it. A rule, memory or
 * feed that decided has the points between what the models said and the score.
 *
 * @param rule the rule that decided, if one did.
 */
export function reasonsOf(
  verdict: Scored & Pick<Verdict, 'bypassReason' | 'classification' | 'shouldEscalate'>,
  explanation: Explained | null,
  rule?: Pick<RuleMatch, 'pattern' | 'source'>,
): DescribedReason[] {
  const reasons = explanation === null ? new Map<string, Reason>() : modelReasons(explanation)
  const rest = pointsOf(verdict) - sumOfPoints(reasons)
  const decider = deciderOf(verdict.bypassReason, rule)
  const isOfModels = decider === undefined || decider.name === 'TAMIS_PARTLY_READ'
  if (decider !== undefined) add(reasons, decider)
  if (explanation?.rulesCut) add(reasons, own('TAMIS_RULES_CUT', 0))
  if (verdict.shouldEscalate) add(reasons, own('TAMIS_REVIEW', 0))
  add(reasons, own(`TAMIS_CLASS_${upperCase(verdict.classification)}`, 0))
  add(reasons, own(isOfModels ? 'TAMIS_BASE' : decider.name, rest))
  return [...reasons.values()]
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .map(described)
}

function sumOfPoints(reasons: ReadonlyMap<string, Reason>): number {
  return [...reasons.values()].reduce((sum, { points }) => sum + points, 0)
}

/** Adds a reason to those before: one of each name, with the points of all. */
function add(reasons: Map<string, Reason>, reason: Reason): void {
  const before = reasons.get(reason.name)
  const points = (before?.points ?? 0) + reason.points
  reasons.set(reason.name, { ...before, ...reason, points })
}

function described(reason: Reason): DescribedReason {
  const { name, points, evidence } = reason
  const description = reasonDescription(reason)
  return {
    name,
    points,
    ...(description !== undefined && { description }),
    ...(evidence !== undefined && { evidence }),
  }
}

/** What is known of the verdict before a rule, memory or feed. A signal has a symbol also where the models give it no weight. */
function modelReasons({ signals, threshold, sender, for: pro, against }: Explained) {
  const reasons = new Map<string, Reason>()
  for (const { name, evidence } of signals) {
    const ofSignal = signalReason(name, 0, sender)
    reasons.set(name, { ...ofSignal, ...(evidence !== undefined && { evidence }) })
  }
  for (const name of ['TAMIS_TEXT', 'TAMIS_FORM', 'TAMIS_OTHER'] as const)
    add(reasons, own(name, 0))
  add(reasons, own('TAMIS_BASE', REQUIRED_POINTS - logit(threshold)))
  for (const term of [...pro, ...against]) {
    add(reasons, { ...reasonOf(term, sender), ...evidenceOf(term) })
  }
  return reasons
}

/** What in the message a term rests on. */
export function evidenceOf(term: Term): Pick<Reason, 'evidence'> {
  if (term.kind === 'list') return { evidence: term.listed }
  if (term.kind === 'scan') return { evidence: term.signature }
  const words = term.kind === 'wording' ? wordsNamed(term, WORDS_NAMED) : []
  return words.length === 0 ? {} : { evidence: words.join(', ') }
}

function upperCase<Text extends string>(text: Text): Uppercase<Text> {
  return text.toUpperCase() as Uppercase<Text>
}
