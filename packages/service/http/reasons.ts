/**
 * A verdict in points, with the reasons that add up to it: what the clients of other filters
 * want to be told (docs/integrations).
 */

import type { AnalysisDetail } from '../../mail/verdict/analysis.ts'
import { decide } from '../../mail/verdict/decide.ts'
import { explanationOf } from '../../mail/verdict/diagnostic.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { pointsOf, REQUIRED_POINTS, reasonsOf } from '../../mail/verdict/points.ts'
import type { Caller } from '../access/caller.ts'
import { userEvidence } from '../users/user-evidence.ts'
import { isBlank } from '../users/users.ts'
import {
  type Classifier,
  embeddedIfPossible,
  type Incoming,
  receiveAndAnalyse,
} from './classification.ts'
import type { ReasonsResult } from './schemas.ts'

export interface Reasoned {
  readonly answer: ReasonsResult
  readonly email: Pick<AnalysisDetail['email'], 'subject' | 'messageId'>
  /** Milliseconds since the body was received. */
  readonly elapsedMs: number
}

/** The verdict on `incoming`, with what led to it. */
export function classifyWithReasons(
  classifier: Classifier,
  caller: Caller,
  incoming: Incoming,
): Promise<Reasoned> {
  const { users, metrics, keys, taught, feeds } = classifier
  const { tenant } = caller
  const { userId } = incoming.metadata
  const lookup = userId === undefined ? undefined : users.lookUp(tenant, userId)
  const policy = { ...classifier.policy, spamEntitled: caller.entitlements.has('spam') }
  return receiveAndAnalyse(classifier, incoming, async (analyseBody) => {
    const user = await lookup
    if (user?.known === false) metrics.userUnknown(tenant)
    const received = performance.now()
    const taughtUser = user === undefined || isBlank(user) ? undefined : user
    const readDeltas = () => taught.readDeltas(tenant)
    const { analysis: analysed, sender } = await analyseBody({
      detail: true,
      personal: taughtUser !== undefined,
      readDeltas,
      feeds: feeds.table,
    })
    const analysis = await embeddedIfPossible(analysed, classifier, incoming)
    const evidence =
      taughtUser === undefined
        ? NO_EVIDENCE
        : userEvidence(taughtUser, analysis, sender, keys, tenant)
    const senderAuthenticated = sender.result === 'pass'
    const verdict = decide(analysis, { ...evidence, senderAuthenticated }, policy)
    metrics.answered(tenant, verdict)
    const explanation = policy.spamEntitled ? explanationOf(analysis, policy) : null
    return {
      answer: {
        ...verdict,
        score: pointsOf(verdict),
        requiredScore: REQUIRED_POINTS,
        reasons: reasonsOf(verdict, explanation),
      },
      email: analysis.detail!.email,
      elapsedMs: performance.now() - received,
    }
  })
}
