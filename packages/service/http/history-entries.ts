/** Makes the history's entries of a judged message, one for each recipient. */
import { comparedAddress } from '../../mail/personalization/sender-address.ts'
import { reasonsTold } from '../../mail/verdict/told-reasons.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import type { Judged, Recipient } from '../judge.ts'
import type { RequestedMessage } from './message-stream.ts'

/** The verdict for one recipient, or for none. */
export interface Decided {
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
export function historyEntries(
  { analysis, evidenceFor, policyFor, timing }: Judged,
  { metadata }: RequestedMessage,
  decided: readonly Decided[],
  keyOf: (identity: string) => Uint8Array,
  prefix: string,
): HistoryEntry[] {
  const { messageId, senderDomain } = analysis.summary
  const sender = analysis.claims?.sender
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
    ...(analysis.identity !== undefined && { messageKey: keyOf(analysis.identity) }),
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
