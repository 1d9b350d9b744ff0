/**
 * A verdict in points, for programs that know the scale of SpamAssassin and Rspamd: spam from
 * REQUIRED_POINTS on, and symbols whose points add up to the score.
 *
 * A point is a unit of log-odds: one more makes spam e times as likely against ham. The scale is
 * shifted so that the threshold, wherever the operator has put it, is at REQUIRED_POINTS. So the
 * score rises with `spamProbability`, and never contradicts `isSpam`.
 */
import { type Contribution, spanName } from '../models/contributions.ts'
import { logit } from '../models/logit.ts'
import type { RuleMatch } from '../personalization/rules.ts'
import type { FoundSignal } from '../signals/signals.ts'
import { SIGNALS } from '../signals/signals.ts'
import type { Analysis, ReaderAnswer } from './analysis.ts'
import { correspondentTerm, modelledLogit, readerTerm, rulingRule, unanswered } from './decide.ts'
import type { Explanation } from './diagnostic.ts'
import type { Evidence } from './evidence.ts'
import { type ListTerm, listTerms } from './list-findings.ts'
import type { Policy } from './policy.ts'
import { type SenderTerm, senderTerms } from './sender-term.ts'
import { addReason, REASONS_MAX } from './summary.ts'
import type { BypassReason, Verdict } from './verdict.ts'

/** Points from which a message is spam: SpamAssassin's default, which its clients have in mind. */
export const REQUIRED_POINTS = 5

/** Largest distance from the threshold, in log-odds: a rule is certain, which would be infinite. */
const DISTANCE_MAX = 20

/** Points are given in tenths, and a message that is not spam stays below the required points. */
const TENTH = 0.1

/** Words and phrases named as evidence for the points of the text. */
const WORDS_NAMED = 3

/** A reason for the score: what those programs call a symbol or a test. */
export interface Reason {
  /** The name of the signal, or `TAMIS_` and another source. */
  readonly name: string
  /** Negative speaks against spam. */
  readonly points: number
  /** A sentence for people; absent for a signal of another version. */
  readonly description?: string
  /** What the reason rests on; may contain words of the message. */
  readonly evidence?: string
}

/** A reason in a summary. */
export type SummaryReason = Required<Omit<Reason, 'evidence'>>

/** Symbols that are not signals, with their descriptions. */
const OWN_SYMBOLS = {
  TAMIS_BASE: 'The starting score, the same for all messages.',
  TAMIS_TEXT: 'Words and phrases of the message.',
  TAMIS_FORM: 'How the message is built: counts of fields, parts, links and the like.',
  TAMIS_OTHER: 'Many small reasons together.',
  TAMIS_USER_RULE: 'A rule of the recipient decided, not the models.',
  TAMIS_SITE_RULE: 'A site rule decided, not the models.',
  TAMIS_SENDER_PASSED: 'The sender was checked: the message comes from the known domain in From.',
  TAMIS_SENDER_FAILED: 'The sender was checked: the message does not come from the domain in From.',
  TAMIS_READER: 'What the text means, by the second reading.',
  TAMIS_READER_LATE: 'The second reading was not done in time: a person should review the verdict.',
  TAMIS_READER_FAILED: 'The second reading failed: a person should review the verdict.',
  TAMIS_GTUBE: 'The message has the test text for spam filters (GTUBE).',
  TAMIS_USER_LEARNED: "The recipient's corrections of similar mail.",
  TAMIS_CORRESPONDENT:
    'The recipient has written to the sender, is answered by it, or has long received its mail.',
  TAMIS_USER_MEMORY: 'The recipient has corrected messages like this one.',
  TAMIS_URL_FEED: 'A link in the message is in a feed of malicious URLs.',
  TAMIS_PARTLY_READ: 'Only part of the message could be read.',
  TAMIS_REVIEW: 'The verdict is uncertain: a person should review it.',
  TAMIS_CLASS_PRIMARY: 'The message is personal, or needs the recipient now.',
  TAMIS_CLASS_PROMOTIONS: 'The message wants the recipient to buy, donate or come back.',
  TAMIS_CLASS_UPDATES: 'The message is automated or from a mailing list, and sells nothing.',
  TAMIS_CLASS_TRANSACTIONS: 'The message is about one order, payment, booking or delivery.',
} as const

/** What the names of DNS lists begin with. */
const LIST_PREFIX = 'TAMIS_LIST_'

type OwnSymbol = keyof typeof OWN_SYMBOLS

const SYMBOL_OF_REASON: Readonly<Record<BypassReason, OwnSymbol>> = {
  user_rule: 'TAMIS_USER_RULE',
  knn_memory: 'TAMIS_USER_MEMORY',
  phishtank_match: 'TAMIS_URL_FEED',
  parse_error: 'TAMIS_PARTLY_READ',
}

const SYMBOL_WITHOUT_ANSWER: Readonly<Record<Exclude<ReaderAnswer, number>, OwnSymbol>> = {
  late: 'TAMIS_READER_LATE',
  failed: 'TAMIS_READER_FAILED',
}

type TextContribution = Extract<Contribution, { readonly kind: 'text' }>

type NamedRule = Pick<RuleMatch, 'ruleType' | 'pattern'>

type Scored = Pick<Verdict, 'isSpam' | 'spamProbability' | 'confidenceMargin'>

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
 * @param siteRule the rule of the site that decided, if one did.
 */
export function reasonsOf(
  verdict: Scored & Pick<Verdict, 'bypassReason' | 'classification' | 'shouldEscalate'>,
  explanation: Explanation | null,
  siteRule?: NamedRule,
): Reason[] {
  const reasons = explanation === null ? [] : modelReasons(explanation)
  const rest = pointsOf(verdict) - reasons.reduce((sum, { points }) => sum + points, 0)
  const decider = deciderOf(verdict.bypassReason, siteRule)
  if (decider !== undefined) reasons.push(decider)
  if (explanation?.unanswered) reasons.push(own(SYMBOL_WITHOUT_ANSWER[explanation.unanswered], 0))
  if (verdict.shouldEscalate) reasons.push(own('TAMIS_REVIEW', 0))
  reasons.push(own(`TAMIS_CLASS_${upperCase(verdict.classification)}`, 0))
  const modelsDecided = decider === undefined || decider.name === 'TAMIS_PARTLY_READ'
  return withRest(reasons, rest, modelsDecided ? 'TAMIS_BASE' : decider.name).sort(
    (a, b) => Math.abs(b.points) - Math.abs(a.points),
  )
}

/**
 * The strongest reasons that lie in the message itself and in what the site knows, for a log line or a header
 * field. `evidence` is that of no user: all recipients of a message read its header, and the sender too when it bounces.
 */
export function summaryReasons(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
): SummaryReason[] {
  if (!policy.spamEntitled) return []
  const reasons = reasonsOfModels(analysis)
  const distance = modelledLogit(analysis, evidence, policy) - logit(policy.threshold)
  const rule = rulingRule(analysis, evidence, policy)
  if (analysis.feedHits.length > 0) {
    addReason(reasons, own('TAMIS_URL_FEED', DISTANCE_MAX - distance))
  } else if (rule !== undefined) {
    const decided = rule.label === 'spam' ? DISTANCE_MAX : -DISTANCE_MAX
    addReason(reasons, own('TAMIS_SITE_RULE', decided - distance))
  }
  addReasonsBesideModels(reasons, analysis, evidence, policy)
  return reasons
}

/**
 * The strongest reasons for the verdict on one recipient, with what was the recipient's own: for the
 * history, which only the tenant reads. They have no description, which `reasonDescription` gives.
 */
export function recipientReasons(
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
  verdict: Scored & Pick<Verdict, 'bypassReason'>,
): Omit<SummaryReason, 'description'>[] {
  if (!policy.spamEntitled) return []
  const reasons = reasonsOfModels(analysis)
  const rule = rulingRule(analysis, evidence, policy)
  const decider = deciderOf(verdict.bypassReason, rule?.source === 'site' ? rule : undefined)
  if (decider !== undefined && decider.name !== 'TAMIS_PARTLY_READ') {
    const distance = modelledLogit(analysis, evidence, policy) - logit(policy.threshold)
    addReason(reasons, own(decider.name, distanceOf(verdict) - distance))
  }
  addReason(reasons, own('TAMIS_USER_LEARNED', evidence.shift?.spam ?? 0))
  addReason(reasons, own('TAMIS_CORRESPONDENT', correspondentTerm(analysis, evidence, policy)))
  addReasonsBesideModels(reasons, analysis, evidence, policy)
  return reasons.map(({ name, points }) => ({ name, points }))
}

/** What the reason of that name says in a sentence; undefined for one that this version does not have. */
export function reasonDescription(name: string): string | undefined {
  if (name.startsWith(LIST_PREFIX)) return 'A DNS list names a domain or IP address of the message.'
  const descriptions: Readonly<Record<string, string | undefined>> = OWN_SYMBOLS
  const signals: Readonly<Record<string, { readonly description: string } | undefined>> = SIGNALS
  if (Object.hasOwn(descriptions, name)) return descriptions[name]
  return Object.hasOwn(signals, name) ? signals[name]?.description : undefined
}

function reasonsOfModels({ summary }: Analysis): SummaryReason[] {
  return summary.reasons.map(({ name, points }) =>
    name === 'TAMIS_TEXT' || name === 'TAMIS_FORM'
      ? own(name, points)
      : { name, points, description: SIGNALS[name].description },
  )
}

/** Adds what moved the log-odds beside the models: DNS lists, the reader, the test text, checks of the sender. */
function addReasonsBesideModels(
  reasons: SummaryReason[],
  analysis: Analysis,
  evidence: Evidence,
  policy: Policy,
): void {
  for (const term of listTerms(evidence.lists)) addReason(reasons, listReason(term))
  addReason(reasons, own('TAMIS_READER', readerTerm(analysis, evidence, policy)))
  addReason(reasons, own('TAMIS_GTUBE', analysis.gtubeLogit ?? 0))
  for (const term of senderTerms(analysis.fromDomain, evidence.sender)) {
    addReason(reasons, senderReason(term))
  }
  const missed = unanswered(analysis, evidence, policy)
  if (missed === undefined) return
  // It weighs nothing, and is why a person is to look.
  if (reasons.length === REASONS_MAX) reasons.pop()
  reasons.push(own(SYMBOL_WITHOUT_ANSWER[missed], 0))
}

/** Log-odds between the probability and the threshold. */
function distanceOf({ isSpam, spamProbability, confidenceMargin }: Scored): number {
  const threshold = spamProbability + (isSpam ? -confidenceMargin : confidenceMargin)
  const distance = logit(spamProbability) - logit(threshold)
  return Math.max(-DISTANCE_MAX, Math.min(DISTANCE_MAX, distance))
}

/** What overrode the models, without points so far. */
function deciderOf(
  reason: BypassReason | null,
  siteRule: NamedRule | undefined,
): (Reason & { readonly name: OwnSymbol }) | undefined {
  if (reason === null) return undefined
  if (reason !== 'user_rule' || siteRule === undefined) return own(SYMBOL_OF_REASON[reason], 0)
  return { ...own('TAMIS_SITE_RULE', 0), evidence: `${siteRule.ruleType} ${siteRule.pattern}` }
}

function withRest(reasons: readonly Reason[], rest: number, name: OwnSymbol): Reason[] {
  const place = reasons.findIndex((reason) => reason.name === name)
  if (place < 0) return [...reasons, own(name, rest)]
  return reasons.map((reason, i) =>
    i === place ? { ...reason, points: reason.points + rest } : reason,
  )
}

function modelReasons({ signals, threshold, for: pro, against }: Explanation): Reason[] {
  const found = onePerName(signals)
  const isSignal = new Set<string>(found.map(({ name }) => name))
  const ofSignals = new Map<string, number>()
  const words: TextContribution[] = []
  let form = 0
  let others = 0
  let personal = 0
  let correspondent = 0
  let gtube = 0
  let reader = 0
  const checks: Reason[] = []
  let base = REQUIRED_POINTS - logit(threshold)
  for (const term of [...pro, ...against]) {
    if (term.kind === 'text') words.push(term)
    else if (term.kind === 'rest') others += term.logit
    else if (term.kind === 'personal') personal += term.logit
    else if (term.kind === 'correspondent') correspondent += term.logit
    else if (term.kind === 'sender') checks.push(senderReason(term))
    else if (term.kind === 'gtube') gtube += term.logit
    else if (term.kind === 'reader') reader += term.logit
    else if (term.kind === 'list') checks.push({ ...listReason(term), evidence: term.listed })
    else if (term.kind !== 'meta') base += term.logit
    else if (isSignal.has(term.name)) ofSignals.set(term.name, term.logit)
    else form += term.logit
  }
  return [
    ...found.map((signal) => signalReason(signal, ofSignals.get(signal.name) ?? 0)),
    { ...own('TAMIS_TEXT', sumOf(words)), ...wordsOf(words) },
    own('TAMIS_FORM', form),
    own('TAMIS_OTHER', others),
    own('TAMIS_BASE', base),
    ...(personal === 0 ? [] : [own('TAMIS_USER_LEARNED', personal)]),
    ...(correspondent === 0 ? [] : [own('TAMIS_CORRESPONDENT', correspondent)]),
    ...(gtube === 0 ? [] : [own('TAMIS_GTUBE', gtube)]),
    ...(reader === 0 ? [] : [own('TAMIS_READER', reader)]),
    ...checks,
  ]
}

/** One signal of each name: several of one name are one feature of the models. */
function onePerName(signals: readonly FoundSignal[]): FoundSignal[] {
  return [...new Map(signals.map((each) => [each.name, each])).values()]
}

function signalReason({ name, evidence }: FoundSignal, points: number): Reason {
  const entry = (SIGNALS as Record<string, { description: string } | undefined>)[name]
  return {
    name,
    points,
    ...(entry === undefined ? {} : { description: entry.description }),
    ...(evidence === undefined ? {} : { evidence }),
  }
}

function senderReason({ result, logit }: SenderTerm): SummaryReason {
  return own(result === 'passed' ? 'TAMIS_SENDER_PASSED' : 'TAMIS_SENDER_FAILED', logit)
}

/** Each list has a symbol of its own: clients keep one of each name. */
function listReason({ list, meaning, logit }: ListTerm): SummaryReason {
  return {
    name: `${LIST_PREFIX}${list.toUpperCase().replaceAll('-', '_')}`,
    points: logit,
    description: `The DNS list ${list} names a domain or IP address of the message: ${meaning}.`,
  }
}

function sumOf(terms: readonly Contribution[]): number {
  return terms.reduce((sum, term) => sum + term.logit, 0)
}

function wordsOf(terms: readonly TextContribution[]): Pick<Reason, 'evidence'> {
  const strongest = terms.toSorted((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
  const words = strongest.slice(0, WORDS_NAMED).map(({ span }) => spanName(span))
  return words.length === 0 ? {} : { evidence: words.join(', ') }
}

function own<Name extends OwnSymbol>(
  name: Name,
  points: number,
): SummaryReason & { readonly name: Name } {
  return { name, points, description: OWN_SYMBOLS[name] }
}

function upperCase<Text extends string>(text: Text): Uppercase<Text> {
  return text.toUpperCase() as Uppercase<Text>
}
