/**
 * One message for several recipients: analysed once, decided for each. What mail servers want,
 * which hold one message for all recipients of a transaction.
 */
import { setImmediate } from 'node:timers/promises'
import { decide } from '../../mail/verdict/decide.ts'
import { type Evidence, NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Caller } from '../access/caller.ts'
import { userEvidence } from '../users/user-evidence.ts'
import { isBlank } from '../users/users.ts'
import {
  type Classifier,
  embeddedIfPossible,
  type Incoming,
  receiveAndAnalyse,
} from './classification.ts'
import type { RecipientsResult } from './schemas.ts'

/** The verdicts on `incoming` for each of `userIds`, in their order, and for whoever has taught nothing. */
export function classifyForRecipients(
  classifier: Classifier,
  caller: Caller,
  incoming: Incoming,
  userIds: readonly string[],
): Promise<RecipientsResult> {
  const { users, metrics, keys, taught, feeds } = classifier
  const { tenant } = caller
  // A user named twice, as one is who has several addresses, is looked up and decided for once.
  const distinct = [...new Set(userIds)]
  const lookups = Promise.all(distinct.map((userId) => users.lookUp(tenant, userId)))
  const policy = { ...classifier.policy, spamEntitled: caller.entitlements.has('spam') }
  return receiveAndAnalyse(classifier, incoming, async (analyseBody) => {
    const found = await lookups
    const readDeltas = () => taught.readDeltas(tenant)
    const personal = !found.every(isBlank)
    const analysed = await analyseBody({ personal, readDeltas, feeds: feeds.table })
    const analysis = await embeddedIfPossible(analysed.analysis, classifier, incoming)
    const senderAuthenticated = analysed.sender.result === 'pass'
    const verdictBy = (evidence: Evidence) =>
      decide(analysis, { ...evidence, senderAuthenticated }, policy)

    const verdicts = new Map<string, Verdict>()
    for (const [at, user] of found.entries()) {
      if (!user.known) metrics.userUnknown(tenant)
      const evidence = isBlank(user)
        ? NO_EVIDENCE
        : userEvidence(user, analysis, analysed.sender, keys, tenant)
      const verdict = verdictBy(evidence)
      metrics.answered(tenant, verdict)
      verdicts.set(distinct[at]!, verdict)
      // A full memory takes a millisecond to search: others have their turn between two users.
      if (!isBlank(user)) await setImmediate()
    }
    const recipients = userIds.map((userId) => ({ userId, ...verdicts.get(userId)! }))
    return { shared: verdictBy(NO_EVIDENCE), recipients }
  })
}
