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
import type { FullResult, MessageSummary, RecipientsResult } from '../../../client/client.ts'
import { type JudgedAs, judgedAs } from '../../http/message-line.ts'
import type { MilterPolicy } from './settings.ts'

export interface Judgement extends JudgedAs {
  readonly kind: 'judged'
  /** What overrode the models for all recipients, if that lies in the message itself. */
  readonly reason: 'phishtank_match' | 'parse_error' | undefined
  /** Undefined from a service that is older than this. */
  readonly summary: MessageSummary | undefined
  /** How many users Tamis gave no verdict for, because there were too many or it failed in between. */
  readonly usersLeft: number
  /** For each recipient, or those of one kind, what decides of refusing and holding. */
  readonly limited: readonly LimitedVerdict[]
}

/** A verdict with the limits that the operator's rules state for its recipient. */
export type LimitedVerdict = Pick<FullResult, 'isSpam' | 'spamProbability'> &
  Pick<RecipientsResult['recipients'][number], 'rejectAt' | 'quarantineAt'>

/** Why there is no verdict; these words are written to the field and are documented. */
export type UnscannedCause = 'timeout' | 'busy' | 'unreachable' | 'refused' | 'storage' | 'error'

export interface Unscanned {
  readonly kind: 'unscanned'
  readonly cause: UnscannedCause
  /** For the log: a code of Tamis or of the client. */
  readonly code: string
}

/**
 * @param ofOthers true when some recipients are no users.
 * @param usersLeft users who have no verdict.
 */
export function judgementOf(
  { shared, recipients, summary }: RecipientsResult,
  ofOthers: boolean,
  usersLeft: number,
): Judgement {
  const isForOthers = ofOthers || usersLeft > 0 || recipients.length === 0
  const verdicts = isForOthers ? [...recipients, shared] : recipients
  const judged = judgedAs(verdicts, shared)
  const { reason } = judged
  const lies = reason === 'phishtank_match' || reason === 'parse_error'
  const limited: readonly LimitedVerdict[] = verdicts
  const rest = { limited, summary, usersLeft }
  return { kind: 'judged', ...judged, reason: lies ? reason : undefined, ...rest }
}

/** The mildest first. */
const ACTIONS = ['accept', 'quarantine', 'reject'] as const

type LimitedAction = (typeof ACTIONS)[number]

type Limits = Pick<MilterPolicy, 'rejectAt' | 'quarantineAt'>

/**
 * Whether a message is refused, held or accepted. The MTA takes one answer for all recipients of a transaction.
 * It is the mildest of their answers: no recipient loses a message because another has stricter limits.
 *
 * @param limits those of the milter, for recipients who have none of their own.
 */
export function mildestAction(verdicts: readonly LimitedVerdict[], limits: Limits): LimitedAction {
  const actions = new Set(verdicts.map((verdict) => actionFor(verdict, limits)))
  return ACTIONS.find((action) => actions.has(action)) ?? 'accept'
}

function actionFor(
  { isSpam, spamProbability, rejectAt, quarantineAt }: LimitedVerdict,
  limits: Limits,
): LimitedAction {
  const reaches = (limit: number | string | undefined) =>
    typeof limit === 'number' && spamProbability >= limit
  if (!isSpam) return 'accept'
  if (reaches(rejectAt ?? limits.rejectAt)) return 'reject'
  return reaches(quarantineAt ?? limits.quarantineAt) ? 'quarantine' : 'accept'
}
