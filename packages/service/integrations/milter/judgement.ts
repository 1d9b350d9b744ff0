/**
 * Combines the verdicts for all recipients of a message to the one judgement that its header can carry.
 *
 * The message that the MTA holds is the same for all recipients of the transaction, so its fields
 * are too. Where the recipients differ (docs/integrations/milter.md):
 * - it is `spam` when it is spam for all of them, `ham` when for none, else `mixed`;
 * - the probability is that of the recipient for whom it is least;
 * - the class is that of all of them, or, when they have several, that of the models.
 *
 * That a user's rule or memory decided is private, while the header goes to all recipients, and back to
 * the sender with a bounce. So a judgement says nothing about it.
 */
import type { FullResult, MessageClass, RecipientsResult } from '../../../client/client.ts'

export interface Judgement {
  readonly kind: 'judged'
  readonly verdict: 'spam' | 'ham' | 'mixed'
  /** Spam probability, in [0, 1]. */
  readonly probability: number
  readonly class: MessageClass
  /** What overrode the models for all recipients, if that lies in the message itself. */
  readonly reason: 'phishtank_match' | 'parse_error' | undefined
  /** True when a person should look. */
  readonly escalate: boolean
}

/** Why there is no verdict; these words are written to the field and are documented. */
export type UnscannedCause = 'timeout' | 'busy' | 'unreachable' | 'refused' | 'storage' | 'error'

export interface Unscanned {
  readonly kind: 'unscanned'
  readonly cause: UnscannedCause
  /** For the log: a code of Tamis or of the client. */
  readonly code: string
}

/** @param ofOthers true when some recipients are not among the users in the request. */
export function judgementOf(
  { shared, recipients }: RecipientsResult,
  ofOthers: boolean,
): Judgement {
  const verdicts = ofOthers || recipients.length === 0 ? [...recipients, shared] : recipients
  const spam = verdicts.filter(({ isSpam }) => isSpam).length
  const classes = new Set(verdicts.map(({ classification }) => classification))
  const [onlyClass] = classes
  return {
    kind: 'judged',
    verdict: spam === verdicts.length ? 'spam' : spam === 0 ? 'ham' : 'mixed',
    probability: Math.min(...verdicts.map(({ spamProbability }) => spamProbability)),
    class: classes.size === 1 && onlyClass !== undefined ? onlyClass : shared.classification,
    reason: commonReason(verdicts),
    escalate: verdicts.some(({ shouldEscalate }) => shouldEscalate),
  }
}

function commonReason(verdicts: readonly Pick<FullResult, 'bypassReason'>[]): Judgement['reason'] {
  const [reason, ...others] = new Set(verdicts.map(({ bypassReason }) => bypassReason))
  if (others.length > 0) return undefined
  return reason === 'phishtank_match' || reason === 'parse_error' ? reason : undefined
}
