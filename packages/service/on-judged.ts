/**
 * One event, a judged message, and all that hears of it: metrics, the log line of its request, the history, and what is
 * learned of who writes to whom. All of it is told here, from one value.
 */
import type { MailLimit } from '../mail/operator-rules/rule.ts'
import { comparedAddress } from '../mail/personalization/sender-address.ts'
import { rulingRule } from '../mail/verdict/decide.ts'
import {
  sentenceOf,
  sentenceText,
  strongestReasons,
  summaryReason,
} from '../mail/verdict/sentence.ts'
import type { Caller } from './access/caller.ts'
import { prefixOf } from './access/namespace.ts'
import type { BatchedWrites } from './batched-writes.ts'
import type { HistoryEntry } from './history/history-entry.ts'
import { judgedAs, type MessageLine, messageLine } from './http/message-line.ts'
import type { Metrics } from './http/metrics.ts'
import type { MessageSummary } from './http/schemas.ts'
import type { Decision, Judged } from './request.ts'
import type { OperatorRules } from './rules/operator-rules.ts'
import type { Correspondents } from './users/correspondents.ts'
import type { MessageKeys } from './users/message-keys.ts'

/** What hears of judged messages. */
interface Hearing {
  readonly metrics: Pick<Metrics, 'answered'>
  /** Undefined while the history is off. */
  readonly history: BatchedWrites<HistoryEntry> | undefined
  readonly correspondents: Pick<Correspondents, 'hear' | 'learnSent'>
  readonly keys: MessageKeys
  readonly rules: Pick<OperatorRules, 'count'>
}

/** A message was judged. The diagnostic is for troubleshooting, and nothing but the log line tells of it; a class alone is no verdict. */
export function onJudged(
  { metrics, history, correspondents, keys, rules }: Hearing,
  caller: Caller,
  judged: Judged,
): void {
  const { request, analysis, users, shared } = judged
  const { want = 'verdict', sentBy } = request
  request.judged?.(judged)
  for (const decision of decisionsOf(judged)) rules.count(decision.rules.applied)
  if (want === 'diagnostic') return
  const isClassOnly = want === 'class'
  for (const { verdict } of decisionsOf(judged)) metrics.answered(verdict, isClassOnly)
  if (isClassOnly) return
  history?.record(historyEntries(judged, keys, prefixOf(caller)))
  if (!caller.entitlements.has('spam')) return
  if (sentBy !== undefined && !shared.verdict.isSpam && analysis.outgoing !== undefined) {
    // Another may have sent spam in the user's name.
    correspondents.learnSent(sentBy, analysis.outgoing)
  }
  for (const user of users) {
    const { verdict, evidence } = user
    // Whom the user writes to is known by that already.
    const isHeard = verdict.senderAuthenticated && evidence.correspondent?.tie !== 'written_to'
    if (!verdict.isSpam && isHeard) correspondents.hear(user, analysis.correspondence)
  }
}

/** For each user, or the one for no user. */
function decisionsOf({ users, shared }: Judged): readonly Decision[] {
  return users.length > 0 ? users : [shared]
}

/** An entry for each decision, all of one moment. @param prefix of the ids in the caller's namespace; it stands alone for an entry of no user. */
function historyEntries(judged: Judged, keys: MessageKeys, prefix: string): HistoryEntry[] {
  const { analysis, request, users, shared, timing } = judged
  const { messageId, senderDomain } = analysis.summary
  const { sender } = analysis.personal.patterns
  const { mailFrom, queueId } = request.metadata
  const envelopeSender = mailFrom === '' ? '' : comparedAddress(mailFrom ?? '')
  const ofMessage = {
    judgedAt: new Date(),
    ...(messageId !== '' && { messageId }),
    ...(sender !== undefined && { sender }),
    ...(senderDomain !== '' && { senderDomain }),
    ...(envelopeSender !== undefined && { envelopeSender }),
    elapsedMs: Math.ceil(timing().total),
    ...(queueId !== undefined && { queueId }),
    messageKey: keys.keyOf('message', analysis.personal.identity),
  }
  const entryFor = ({ evidence, policy, verdict }: Decision, userId: string): HistoryEntry => {
    const { isSpam, spamProbability, bypassReason, classification, shouldEscalate } = verdict
    return {
      ...ofMessage,
      ...(userId !== '' && { userId }),
      ...{ isSpam, spamProbability, bypassReason, classification, shouldEscalate },
      threshold: policy.threshold,
      reasons: strongestReasons(analysis, evidence, policy, verdict),
    }
  }
  if (users.length === 0) return [entryFor(shared, request.sentBy ?? prefix)]
  return users.map((user) => entryFor(user, user.userId))
}

/** What the log says of a judged message. */
export function lineOf(judged: Judged): MessageLine {
  const { shared, request } = judged
  const verdicts = decisionsOf(judged).map(({ verdict }) => verdict)
  const found = request.want === 'class' ? verdicts[0]! : judgedAs(verdicts, shared.verdict)
  return messageLine(summaryOf(judged), found)
}

/**
 * What is told of a message, which is the same for all its recipients: the verdict with the least probability, as in its
 * header field (judgedAs), and no sentence where verdicts differ. The reasons are recipient-independent, so they
 * name no rule and no correction of anybody; a verdict that these made has none, since the models' may speak against it.
 */
export function summaryOf(judged: Judged): MessageSummary {
  const { analysis, request, shared } = judged
  const { messageId, senderDomain } = analysis.summary
  const decisions = decisionsOf(judged)
  const { policy, verdict, evidence } = decisions.reduce((least, other) =>
    other.verdict.spamProbability < least.verdict.spamProbability ? other : least,
  )
  const isSame = decisions.every((other) => other.verdict.isSpam === verdict.isSpam)
  if (request.want === 'class' || !isSame || !policy.spamEntitled) {
    const reasons = strongestReasons(analysis, shared.evidence, shared.policy)
    return { messageId, senderDomain, reasons: reasons.map(summaryReason) }
  }
  const { isSpam, spamProbability, bypassReason } = verdict
  const rule = rulingRule(analysis, evidence, policy)
  const isRuleOfAll = rule?.id === rulingRule(analysis, shared.evidence, policy)?.id
  const isByRecipient =
    bypassReason === 'knn_memory' || (bypassReason === 'user_rule' && !isRuleOfAll)
  const reasons = isByRecipient ? [] : strongestReasons(analysis, shared.evidence, policy, verdict)
  const told = { isSpam, spamProbability, bypassReason, threshold: policy.threshold }
  const sentence = sentenceText(sentenceOf(told, reasons, senderDomain))
  return { messageId, senderDomain, sentence, reasons: reasons.map(summaryReason) }
}

/** What a mail server is to do with spam, the mildest first. */
const ACTIONS = ['accept', 'quarantine', 'reject'] as const

export type SpamAction = (typeof ACTIONS)[number]

/** What the operator's rules say is to become of a message. */
export function actionFor({
  verdict: { isSpam, spamProbability },
  rules: { rejectAt, quarantineAt },
}: Pick<Decision, 'verdict' | 'rules'>): SpamAction {
  const reaches = (limit: MailLimit | undefined) =>
    typeof limit === 'number' && spamProbability >= limit
  if (!isSpam) return 'accept'
  if (reaches(rejectAt)) return 'reject'
  return reaches(quarantineAt) ? 'quarantine' : 'accept'
}

/**
 * The same for all recipients of a transaction, for which the MTA takes one answer. It is the mildest of theirs: no recipient loses a
 * message because another has stricter limits.
 */
export function mildestAction(decisions: readonly Decision[]): SpamAction {
  const actions = new Set(decisions.map(actionFor))
  return ACTIONS.find((action) => actions.has(action)) ?? 'accept'
}
