/**
 * A verdict in points, for programs that know the scale of SpamAssassin and Rspamd: spam from
 * REQUIRED_POINTS on, and symbols whose points add up to the score.
 *
 * A point is a unit of log-odds: one more makes spam e times as likely against ham. The scale is
 * shifted so that the threshold, wherever the operator has put it, is at REQUIRED_POINTS. So the
 * score rises with `spamProbability`, and never contradicts `isSpam`.
 */
import { logit } from '../models/prediction.ts'
import type { RuleMatch } from '../personalization/rules.ts'
import type { Explanation } from './diagnostic.ts'
import type { Term } from './explain.ts'
import {
  type DescribedReason,
  deciderOf,
  distanceOf,
  own,
  type Reason,
  reasonDescription,
  reasonOf,
  type Scored,
  signalReason,
} from './reasons.ts'
import type { OwnSymbol } from './texts.ts'
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
): DescribedReason[] {
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
    .map((reason) => described(reason))
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

function withRest(reasons: readonly Reason[], rest: number, name: OwnSymbol): Reason[] {
  const place = reasons.findIndex((reason) => reason.name === name)
  if (place < 0) return [...reasons, own(name, rest)]
  return reasons.map((reason, i) =>
    i === place ? { ...reason, points: reason.points + rest } : reason,
  )
}

/** What is known of the verdict before a rule, memory or feed: one reason of each name, the same terms added up. */
function modelReasons({ signals, threshold, sender, for: pro, against }: Explanation): Reason[] {
  const reasons = new Map<string, Reason>()
  // A signal has a symbol also where the models give it no weight.
  for (const { name, evidence } of signals) {
    const reason = signalReason(name, 0, sender)
    reasons.set(name, evidence === undefined ? reason : { ...reason, evidence })
  }
  for (const name of ['TAMIS_TEXT', 'TAMIS_FORM', 'TAMIS_OTHER'] as const) {
    reasons.set(name, own(name, 0))
  }
  reasons.set('TAMIS_BASE', own('TAMIS_BASE', REQUIRED_POINTS - logit(threshold)))
  for (const term of [...pro, ...against]) {
    const reason = { ...reasonOf(term, sender), ...evidenceOf(term) }
    const before = reasons.get(reason.name)
    const points = (before?.points ?? 0) + reason.points
    reasons.set(reason.name, { ...before, ...reason, points })
  }
  return [...reasons.values()]
}

function evidenceOf(term: Term): Pick<Reason, 'evidence'> {
  if (term.kind === 'list') return { evidence: term.listed }
  if (term.kind === 'scan') return { evidence: term.signature }
  const words = term.kind === 'wording' ? wordsNamed(term, WORDS_NAMED) : []
  return words.length === 0 ? {} : { evidence: words.join(', ') }
}

function upperCase<Text extends string>(text: Text): Uppercase<Text> {
  return text.toUpperCase() as Uppercase<Text>
}
