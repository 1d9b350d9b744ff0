/** The ways to ask about a message: for one recipient, with reasons, and for several recipients. */
import { setImmediate } from 'node:timers/promises'
import type { AnalysisDetail } from '../../mail/verdict/analysis.ts'
import { decide, rulingRule } from '../../mail/verdict/decide.ts'
import { explanationOf, type Timing } from '../../mail/verdict/diagnostic.ts'
import { pointsOf, REQUIRED_POINTS, reasonsOf, summaryReasons } from '../../mail/verdict/points.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Caller } from '../access/caller.ts'
import { type Judged, judge } from '../judge.ts'
import { isBlank } from '../users/users.ts'
import type { Classifier } from './classifier.ts'
import { type Decided, historyEntries } from './history-entries.ts'
import { type FoundInMessage, judgedAs } from './message-line.ts'
import type { RequestedMessage } from './message-stream.ts'
import type { DiagnosticResult } from './routes/diagnostic.ts'
import type { ReasonsResult } from './routes/reasons.ts'
import type { RecipientsResult } from './routes/recipients.ts'
import type { TabsResult } from './routes/tabs.ts'
import type { FullResult, MessageSummary } from './schemas.ts'

/** A question about a message for one recipient. */
export interface Question<Answer extends FullResult | TabsResult | DiagnosticResult> {
  /** True if the analysis collects what the diagnostic shows. */
  readonly detail: boolean
  /** False if it is about the class alone; true by default. */
  readonly spam?: boolean
  answer(judged: Judged): Answer
}

/** The answer to `question` about `incoming`. */
export async function classify<Answer extends FullResult | TabsResult | DiagnosticResult>(
  classifier: Classifier,
  question: Question<Answer>,
  caller: Caller,
  incoming: RequestedMessage,
): Promise<Answer> {
  const { detail, spam = true } = question
  const wish = { userIds: userIdsOf(incoming), detail, personal: detail, spam }
  const judged = await judge(classifier, caller, incoming, wish)
  const answered = question.answer(judged)
  classifier.metrics.answered(caller.tenant, answered)
  incoming.judged({ summary: summaryFor(judged), found: foundIn(answered) })
  if ('isSpam' in answered) {
    record(classifier, caller, incoming, judged, [{ user: judged.users[0], verdict: answered }])
  }
  return answered
}

/** Puts the verdicts into the history, if one is kept. The diagnostic and a class alone are no verdicts. */
function record(
  { history }: Classifier,
  { tenant }: Caller,
  incoming: RequestedMessage,
  judged: Judged,
  decided: readonly Decided[],
): void {
  history?.record(tenant, historyEntries(judged, incoming, decided))
}

function foundIn(answer: FullResult | TabsResult | DiagnosticResult): FoundInMessage {
  if ('result' in answer) return judgedAs([answer.result], answer.result)
  return 'isSpam' in answer ? judgedAs([answer], answer) : answer
}

export interface Reasoned {
  readonly answer: ReasonsResult
  readonly summary: MessageSummary
  readonly email: Pick<AnalysisDetail['email'], 'subject' | 'messageId'>
  /** Milliseconds since the body was received. */
  readonly elapsedMs: Timing['total']
}

/** The verdict on `incoming` in points, with the reasons that add up to it, as clients of other filters expect. */
export async function classifyWithReasons(
  classifier: Classifier,
  caller: Caller,
  incoming: RequestedMessage,
): Promise<Reasoned> {
  const question = { userIds: userIdsOf(incoming), detail: true }
  const judged = await judge(classifier, caller, incoming, question)
  const { analysis, policyFor, evidenceFor, users, timing } = judged
  const policy = policyFor(users[0])
  const evidence = evidenceFor(users[0])
  const verdict = decide(analysis, evidence, policy)
  classifier.metrics.answered(caller.tenant, verdict)
  const summary = summaryFor(judged)
  incoming.judged({ summary, found: judgedAs([verdict], verdict) })
  record(classifier, caller, incoming, judged, [{ user: users[0], verdict }])
  const explanation = policy.spamEntitled ? explanationOf(analysis, evidence, policy) : null
  const rule = rulingRule(analysis, evidence, policy)
  const siteRule = rule?.source === 'site' ? rule : undefined
  return {
    answer: {
      ...verdict,
      score: pointsOf(verdict),
      requiredScore: REQUIRED_POINTS,
      reasons: reasonsOf(verdict, explanation, siteRule),
    },
    summary,
    email: analysis.detail!.email,
    elapsedMs: timing().total,
  }
}

/**
 * The verdicts on `incoming` for each of `userIds`, in their order, and for a user without corrections:
 * mail servers hold one message for all recipients of a transaction.
 */
export async function classifyForRecipients(
  classifier: Classifier,
  caller: Caller,
  incoming: RequestedMessage,
  userIds: readonly string[],
): Promise<{ readonly answer: RecipientsResult; readonly summary: MessageSummary }> {
  // A user may be named twice, because of several addresses: there is one lookup and one decision for both.
  const distinct = [...new Set(userIds)]
  const question = { userIds: distinct, detail: false }
  const judged = await judge(classifier, caller, incoming, question)
  const { analysis, policyFor, users, evidenceFor } = judged
  const verdicts = new Map<string, Verdict>()
  const decided: Decided[] = []
  for (const [at, user] of users.entries()) {
    const verdict = decide(analysis, evidenceFor(user), policyFor(user))
    classifier.metrics.answered(caller.tenant, verdict)
    verdicts.set(distinct[at]!, verdict)
    decided.push({ user, verdict })
    // Other requests have their turn between two full memories.
    if (!isBlank(user)) await setImmediate()
  }
  const recipients = userIds.map((userId) => ({ userId, ...verdicts.get(userId)! }))
  const shared = decide(analysis, evidenceFor(undefined), policyFor(undefined))
  const summary = summaryFor(judged)
  incoming.judged({ summary, found: judgedAs(verdicts.size > 0 ? recipients : [shared], shared) })
  const forNobody = { user: undefined, verdict: shared }
  record(classifier, caller, incoming, judged, decided.length > 0 ? decided : [forNobody])
  return { answer: { shared, recipients }, summary }
}

/** The summary of a message, which is the same for all its recipients. */
function summaryFor({ analysis, policyFor, evidenceFor }: Judged): MessageSummary {
  const { messageId, senderDomain } = analysis.summary
  const reasons = summaryReasons(analysis, evidenceFor(undefined), policyFor(undefined))
  return { messageId, senderDomain, reasons }
}

function userIdsOf({ metadata: { userId } }: RequestedMessage): string[] {
  return userId === undefined ? [] : [userId]
}
