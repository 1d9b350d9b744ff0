/** Answers that more than one route or listener gives of a judged message: with reasons, and for several recipients. */

import { rulingRule } from '../../mail/verdict/decide.ts'
import { explanationOf } from '../../mail/verdict/diagnostic.ts'
import { pointsOf, REQUIRED_POINTS, reasonsOf } from '../../mail/verdict/points.ts'
import { sentenceText } from '../../mail/verdict/sentence.ts'
import { shownUser } from '../access/namespace.ts'
import { decisionOf, type Judged } from '../judge.ts'
import type { ReasonsResult, RecipientsResult } from './results.ts'

/** The verdict in points, with the reasons that add up to it, as clients of other filters expect; of a message that was judged with reasons. */
export function reasonsResult(judged: Judged): ReasonsResult {
  const { analysis } = judged
  const { evidence, policy, verdict } = decisionOf(judged)
  const explanation = policy.spamEntitled ? explanationOf(analysis, evidence, policy) : null
  const rule = rulingRule(analysis, evidence, policy)
  const operatorRule = rule?.source === 'operator' ? rule : undefined
  return {
    ...verdict,
    score: pointsOf(verdict),
    requiredScore: REQUIRED_POINTS,
    ...(explanation && { sentence: sentenceText(explanation.sentence) }),
    reasons: reasonsOf(verdict, explanation, operatorRule),
  }
}

/** The verdicts for each of `userIds`, in their order, and for a user without corrections. A user may be named twice, because of several addresses. */
export function recipientsResult(
  { users, shared }: Judged,
  userIds: readonly string[],
): RecipientsResult {
  const verdicts = new Map(
    users.map(({ userId, verdict, limits }) => [userId, { ...verdict, ...limits }]),
  )
  const recipients = userIds.map((userId) => ({
    userId: shownUser(userId),
    ...verdicts.get(userId)!,
  }))
  return { shared: shared.verdict, recipients }
}
