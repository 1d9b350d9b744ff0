/**
 * A verdict in points, for programs that know the scale of SpamAssassin and Rspamd: spam from
 * REQUIRED_POINTS on, and symbols whose points add up to the score.
 *
 * A point is a unit of log-odds: one more makes spam e times as likely against ham. The scale is
 * shifted so that the threshold, wherever the operator has put it, is at REQUIRED_POINTS. So the
 * score rises with `spamProbability`, and never contradicts `isSpam`.
 */
import type { Contribution } from '../models/contributions.ts'
import { logit } from '../models/prediction.ts'
import type { RuleMatch } from '../personalization/rules.ts'
import type { Signal } from '../signals/signal.ts'
import { isClaim, type SenderStanding } from './clauses.ts'
import type { Explanation } from './diagnostic.ts'
import {
  listReason,
  own,
  type Reason,
  reasonDescription,
  scanReason,
  scoreReason,
  senderReason,
  type UntoldReason,
} from './reason-descriptions.ts'
import type { OwnSymbol } from './texts.ts'
import { deciderOf, distanceOf, type Scored } from './told-reasons.ts'
import type { Verdict } from './verdict.ts'
import { wordsNamed } from './wording.ts'

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
 * @param operatorRule the operator's rule that decided, if one did.
 */
export function reasonsOf(
  verdict: Scored & Pick<Verdict, 'bypassReason' | 'classification' | 'shouldEscalate'>,
  explanation: Explanation | null,
  operatorRule?: Pick<RuleMatch, 'pattern'>,
): Reason[] {
  const reasons = explanation === null ? [] : modelReasons(explanation)
  const rest = pointsOf(verdict) - reasons.reduce((sum, { points }) => sum + points, 0)
  const decider = deciderOf(verdict.bypassReason, operatorRule)
  if (decider !== undefined) reasons.push(decider)
  if (explanation?.rulesCut) reasons.push(own('TAMIS_RULES_CUT', 0))
  if (verdict.shouldEscalate) reasons.push(own('TAMIS_REVIEW', 0))
  reasons.push(own(`TAMIS_CLASS_${upperCase(verdict.classification)}`, 0))
  const modelsDecided = decider === undefined || decider.name === 'TAMIS_PARTLY_READ'
  return withRest(reasons, rest, modelsDecided ? 'TAMIS_BASE' : decider.name)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .map((reason) => told(reason))
}

function told(reason: UntoldReason): Reason {
  const { name, points, evidence } = reason
  const description = reasonDescription(reason)
  return {
    name,
    points,
    ...(description !== undefined && { description }),
    ...(evidence !== undefined && { evidence }),
  }
}

function withRest(reasons: readonly UntoldReason[], rest: number, name: OwnSymbol): UntoldReason[] {
  const place = reasons.findIndex((reason) => reason.name === name)
  if (place < 0) return [...reasons, own(name, rest)]
  return reasons.map((reason, i) =>
    i === place ? { ...reason, points: reason.points + rest } : reason,
  )
}

function modelReasons({
  signals,
  threshold,
  sender,
  for: pro,
  against,
}: Explanation): UntoldReason[] {
  const found = onePerName(signals)
  const isSignal = new Set<string>(found.map(({ name }) => name))
  const ofSignals = new Map<string, number>()
  let wording: UntoldReason = own('TAMIS_TEXT', 0)
  let form = 0
  let others = 0
  let personal = 0
  let correspondent = 0
  let gtube = 0
  const checks: UntoldReason[] = []
  let base = REQUIRED_POINTS - logit(threshold)
  for (const term of [...pro, ...against]) {
    if (term.kind === 'wording') wording = wordingReason(term)
    else if (term.kind === 'rest') others += term.logit
    else if (term.kind === 'personal') personal += term.logit
    else if (term.kind === 'correspondent') correspondent += term.logit
    else if (term.kind === 'sender') checks.push(senderReason(term))
    else if (term.kind === 'allowance') checks.push(own(`TAMIS_${term.reason}`, term.logit))
    else if (term.kind === 'gtube') gtube += term.logit
    else if (term.kind === 'scan') checks.push({ ...scanReason(term), evidence: term.signature })
    else if (term.kind === 'list') checks.push({ ...listReason(term), evidence: term.listed })
    else if (term.kind === 'rule') checks.push(scoreReason(term))
    else if (term.kind !== 'meta') base += term.logit
    else if (isSignal.has(term.name)) ofSignals.set(term.name, term.logit)
    else form += term.logit
  }
  return [
    ...found.map((signal) => signalReason(signal, ofSignals.get(signal.name) ?? 0, sender)),
    wording,
    own('TAMIS_FORM', form),
    own('TAMIS_OTHER', others),
    own('TAMIS_BASE', base),
    ...(personal === 0 ? [] : [own('TAMIS_USER_LEARNED', personal)]),
    ...(correspondent === 0 ? [] : [own('TAMIS_CORRESPONDENT', correspondent)]),
    ...(gtube === 0 ? [] : [own('TAMIS_GTUBE', gtube)]),
    ...checks,
  ]
}

/** One signal of each name: several of one name are one feature of the models. */
function onePerName(signals: readonly Signal[]): Signal[] {
  return [...new Map(signals.map((each) => [each.name, each])).values()]
}

function signalReason(
  { name, evidence }: Signal,
  points: number,
  sender: SenderStanding,
): UntoldReason {
  return {
    name,
    points,
    ...(isClaim(name) && sender !== 'unchecked' && { claim: sender }),
    ...(evidence !== undefined && { evidence }),
  }
}

function wordingReason(wording: Extract<Contribution, { readonly kind: 'wording' }>): UntoldReason {
  const words = wordsNamed(wording, WORDS_NAMED)
  const reason = own('TAMIS_TEXT', wording.logit)
  return words.length === 0 ? reason : { ...reason, evidence: words.join(', ') }
}

function upperCase<Text extends string>(text: Text): Uppercase<Text> {
  return text.toUpperCase() as Uppercase<Text>
}
