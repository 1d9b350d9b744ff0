/** The ways to ask about a message: for one recipient, with reasons, and for several recipients. */

import { comparedAddress } from '../../mail/personalization/sender-address.ts'
import type { AnalysisDetail } from '../../mail/verdict/analysis.ts'
import { decide, rulingRule } from '../../mail/verdict/decide.ts'
import { explanationOf, type Timing } from '../../mail/verdict/diagnostic.ts'
import { pointsOf, REQUIRED_POINTS, reasonsOf } from '../../mail/verdict/points.ts'
import { summaryReason } from '../../mail/verdict/reason-descriptions.ts'
import { sentenceOf, sentenceText } from '../../mail/verdict/sentence.ts'
import { reasonsTold } from '../../mail/verdict/told-reasons.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { type Caller, requireEntitlement, requireScope } from '../access/caller.ts'
import { prefixOf, shownUser } from '../access/namespace.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import { type Judged, type JudgeOptions, judge, type Recipient, verdictOf } from '../judge.ts'
import type { Classifier } from './classifier.ts'
import { type FoundInMessage, judgedAs, type ToldMessage } from './message-line.ts'
import type { RequestedMessage } from './message-stream.ts'
import type { DiagnosticResult, ReasonsResult, RecipientsResult, TabsResult } from './results.ts'
import type { FullResult, MessageSummary } from './schemas.ts'

type ResultForOne = FullResult | TabsResult | DiagnosticResult

/** The answer for one recipient, or a recipient-independent one. */
interface Answered extends Pick<Decided, 'sentBy'> {
  readonly user: Recipient | undefined
  readonly answer: ResultForOne
}

/** What `answer` makes of `incoming`, judged for its one recipient, or recipient-independent. */
export async function classify<Given extends ResultForOne>(
  classifier: Classifier,
  caller: Caller,
  incoming: RequestedMessage,
  options: Omit<JudgeOptions, 'userIds'>,
  answer: (judged: Judged) => Given,
): Promise<Given> {
  const userIds = userIdsOf(incoming)
  const judged = await judge(classifier, caller, incoming, { ...options, userIds })
  const given = answer(judged)
  tellJudged(classifier, caller, incoming, judged, [{ user: judged.users[0], answer: given }])
  return given
}

/**
 * The verdict on a message that the user of `incoming` has sent, recipient-independent. What it tells of
 * the user is learned, unless it is spam: then another may have sent it in the user's name. So the caller needs
 * what `POST /personalization/correspondents` needs.
 *
 * @throws TamisError SCOPE_MISSING, NOT_ENTITLED
 */
export async function classifyOutgoing(
  classifier: Classifier,
  caller: Caller,
  incoming: RequestedMessage,
): Promise<Verdict> {
  requireScope(caller, 'feedback')
  requireEntitlement(caller, 'spam')
  const options = { userIds: [], detail: false }
  const judged = await judge(classifier, caller, incoming, options)
  const verdict = verdictOf(judged)
  const { userId } = incoming.metadata
  const answered = { user: undefined, sentBy: userId, answer: verdict }
  tellJudged(classifier, caller, incoming, judged, [answered])
  const { outgoing } = judged.analysis
  if (!verdict.isSpam && userId !== undefined && outgoing !== undefined) {
    classifier.correspondents.learnSent(userId, outgoing)
  }
  return verdict
}

/**
 * A message was judged, and answered for each of its recipients: metrics count it, the log line of its request shows
 * it, and the history keeps it. The diagnostic and a class alone are no verdicts.
 *
 * @param shared the recipient-independent answer, if that is another.
 */
function tellJudged(
  { metrics, history, correspondents, keys }: Classifier,
  caller: Caller,
  incoming: RequestedMessage,
  judged: Judged,
  answers: readonly Answered[],
  shared = answers[0]!.answer,
): ToldMessage {
  for (const { answer } of answers) metrics.answered(answer)
  const given = answers.map(({ answer }) => answer)
  const told = toldOf(judged, answers)
  incoming.judged({ told, found: foundIn(given, shared) })
  const decided = answers.flatMap(({ answer, ...of }) =>
    'isSpam' in answer ? [{ ...of, verdict: answer }] : [],
  )
  if (decided.length > 0 && history !== undefined) {
    const keyOf = (identity: string) => keys.keyOf('message', identity)
    history.record(historyEntries(judged, incoming, decided, keyOf, prefixOf(caller)))
  }
  const { correspondence } = judged.analysis
  for (const { user, verdict } of caller.entitlements.has('spam') ? decided : []) {
    const isHeard = user !== undefined && !verdict.isSpam && verdict.senderAuthenticated
    // Whom the user writes to is known by that already.
    if (isHeard && judged.evidenceFor(user).correspondent?.tie !== 'written_to') {
      correspondents.hear(user, correspondence)
    }
  }
  return told
}

function foundIn(answers: readonly ResultForOne[], shared: ResultForOne): FoundInMessage {
  if ('elapsedMs' in shared) return shared
  const verdicts = answers.flatMap((answer) => verdictIn(answer) ?? [])
  return judgedAs(verdicts, verdictIn(shared)!)
}

function verdictIn(answer: ResultForOne): FullResult | undefined {
  if ('result' in answer) return answer.result
  return 'isSpam' in answer ? answer : undefined
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
  const options = { userIds: userIdsOf(incoming), detail: true }
  const judged = await judge(classifier, caller, incoming, options)
  const { analysis, policyFor, evidenceFor, users, timing } = judged
  const policy = policyFor(users[0])
  const evidence = evidenceFor(users[0])
  const verdict = decide(analysis, evidence, policy)
  const answered = { user: users[0], answer: verdict }
  const told = tellJudged(classifier, caller, incoming, judged, [answered])
  const explanation = policy.spamEntitled ? explanationOf(analysis, evidence, policy) : null
  const rule = rulingRule(analysis, evidence, policy)
  const operatorRule = rule?.source === 'operator' ? rule : undefined
  return {
    answer: {
      ...verdict,
      score: pointsOf(verdict),
      requiredScore: REQUIRED_POINTS,
      ...(explanation && { sentence: sentenceText(explanation.sentence) }),
      reasons: reasonsOf(verdict, explanation, operatorRule),
    },
    summary: summaryOf(told),
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
  const judged = await judge(classifier, caller, incoming, {
    userIds: distinct,
    detail: false,
  })
  const { analysis, policyFor, limitsFor, users, evidenceFor } = judged
  const answers: (Answered & { readonly answer: Verdict })[] = []
  for (const user of users) {
    answers.push({ user, answer: decide(analysis, evidenceFor(user), policyFor(user)) })
  }
  const verdicts = new Map(
    answers.map(({ user, answer }) => [user?.userId, { ...answer, ...limitsFor(user!) }]),
  )
  const recipients = userIds.map((userId) => ({
    userId: shownUser(userId),
    ...verdicts.get(userId)!,
  }))
  const shared = decide(analysis, evidenceFor(undefined), policyFor(undefined))
  const given = answers.length > 0 ? answers : [{ user: undefined, answer: shared }]
  const told = tellJudged(classifier, caller, incoming, judged, given, shared)
  return { answer: { shared, recipients }, summary: summaryOf(told) }
}

/**
 * What is told of a message, which is the same for all its recipients: the verdict with the least probability, as in its
 * header field (judgedAs), and none where `answers` differ. The reasons are recipient-independent, so they
 * name no rule and no correction of anybody; a verdict that these made has none, since the models' may speak against it.
 */
function toldOf(
  { analysis, policyFor, evidenceFor }: Judged,
  answers: readonly Answered[],
): ToldMessage {
  const { messageId, senderDomain } = analysis.summary
  const shared = evidenceFor(undefined)
  const [least, ...others] = answers
    .flatMap(({ user, answer }) => {
      const verdict = verdictIn(answer)
      return verdict === undefined ? [] : { user, verdict }
    })
    .sort((one, other) => one.verdict.spamProbability - other.verdict.spamProbability)
  const policy = policyFor(least?.user)
  const isSame = others.every(({ verdict }) => verdict.isSpam === least?.verdict.isSpam)
  if (least === undefined || !isSame || !policy.spamEntitled) {
    const reasons = reasonsTold(analysis, shared, policyFor(undefined))
    return { messageId, senderDomain, judged: undefined, reasons }
  }
  const { isSpam, spamProbability, bypassReason } = least.verdict
  const rule = rulingRule(analysis, evidenceFor(least.user), policy)
  const isRuleOfAll = rule?.id === rulingRule(analysis, shared, policy)?.id
  const isByRecipient =
    bypassReason === 'knn_memory' || (bypassReason === 'user_rule' && !isRuleOfAll)
  return {
    ...{ messageId, senderDomain },
    judged: { isSpam, spamProbability, bypassReason, threshold: policy.threshold },
    reasons: isByRecipient ? [] : reasonsTold(analysis, shared, policy, least.verdict),
  }
}

function userIdsOf({ metadata: { userId } }: RequestedMessage): string[] {
  return userId === undefined ? [] : [userId]
}

/** The verdict for one recipient, or for none. */
interface Decided {
  readonly user: Recipient | undefined
  /** The id of the user who sent the message: its entry is that user's. */
  readonly sentBy?: string | undefined
  readonly verdict: Verdict
}

/**
 * An entry for each of `decided`, all of one moment.
 *
 * @param prefix of the ids in the caller's namespace; it stands alone for an entry of no user.
 */
function historyEntries(
  { analysis, evidenceFor, policyFor, timing }: Judged,
  { metadata }: RequestedMessage,
  decided: readonly Decided[],
  keyOf: (identity: string) => Uint8Array,
  prefix: string,
): HistoryEntry[] {
  const { messageId, senderDomain } = analysis.summary
  const sender = analysis.claims.sender
  const { mailFrom, queueId } = metadata
  const envelopeSender = mailFrom === '' ? '' : comparedAddress(mailFrom ?? '')
  const ofMessage = {
    judgedAt: new Date(),
    ...(messageId !== '' && { messageId }),
    ...(sender !== undefined && { sender }),
    ...(senderDomain !== '' && { senderDomain }),
    ...(envelopeSender !== undefined && { envelopeSender }),
    elapsedMs: Math.ceil(timing().total),
    ...(queueId !== undefined && { queueId }),
    messageKey: keyOf(analysis.personal.identity),
  }
  return decided.map(({ user, sentBy, verdict }) => {
    const policy = policyFor(user)
    const userId = user?.userId ?? sentBy ?? prefix
    const { isSpam, spamProbability, bypassReason, classification, shouldEscalate } = verdict
    return {
      ...ofMessage,
      ...(userId !== '' && { userId }),
      ...{ isSpam, spamProbability, bypassReason, classification, shouldEscalate },
      threshold: policy.threshold,
      reasons: reasonsTold(analysis, evidenceFor(user), policy, verdict),
    }
  })
}

/** The summary of `told`. */
export function summaryOf(told: ToldMessage): MessageSummary {
  const { messageId, senderDomain, reasons } = told
  const sentence = sentenceFor(told)
  return {
    messageId,
    senderDomain,
    ...(sentence !== undefined && { sentence }),
    reasons: reasons.map((reason) => summaryReason(reason)),
  }
}

/** Undefined where the verdict is. */
function sentenceFor({ judged, reasons, senderDomain }: ToldMessage): string | undefined {
  if (judged === undefined) return undefined
  return sentenceText(sentenceOf(judged, reasons, senderDomain))
}
