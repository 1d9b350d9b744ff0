/**
 * Decides whether a message is refused, held or accepted, by the limits of its recipients.
 *
 * The MTA takes one answer for all recipients of a transaction. It is that of the recipient for whom it is mildest: nobody
 * loses a message because another has stricter limits.
 */
import type { LimitedVerdict } from './judgement.ts'
import type { MilterPolicy } from './settings.ts'

/** The mildest first. */
const ACTIONS = ['accept', 'quarantine', 'reject'] as const

type LimitedAction = (typeof ACTIONS)[number]

type Limits = Pick<MilterPolicy, 'rejectAt' | 'quarantineAt'>

/** @param limits those of the milter, for recipients who have none of their own. */
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
