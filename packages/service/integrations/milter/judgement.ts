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
import { type ErrorCode, TamisError } from '../../../errors/errors.ts'
import { type JudgedAs, judgedAs } from '../../http/message-line.ts'
import type { MessageSummary } from '../../http/schemas.ts'
import { mildestAction, type SpamAction, summaryOf } from '../../on-judged.ts'
import type { Request } from '../../request.ts'
import { type FilterParts, judgeFor } from '../filter.ts'
import type { CollectedMessage } from './collected-message.ts'

export interface Judgement extends JudgedAs {
  readonly kind: 'judged'
  readonly summary: MessageSummary
  /** What the operator's rules say is to become of it. */
  readonly action: SpamAction
}

/** Why there is no verdict; these words are written to the field and are documented. */
export type UnscannedCause = 'busy' | 'storage' | 'error'

export interface Unscanned {
  readonly kind: 'unscanned'
  readonly cause: UnscannedCause
  /** For the log. */
  readonly code: ErrorCode
}

const BUSY: readonly ErrorCode[] = [
  'QUEUE_FULL',
  'QUEUE_TIMEOUT',
  'BUFFERS_FULL',
  'NOT_READY',
  'SHUTTING_DOWN',
]

export interface HeldMessage extends Pick<Request, 'metadata' | 'outlet' | 'users'> {
  readonly collected: CollectedMessage
  /** True when the models decide for some recipients. */
  readonly ofOthers: boolean
}

/** The verdict on a message for all its recipients, or why there is none; never rejects. */
export async function judgementOf(
  parts: FilterParts,
  { collected, ofOthers, ...request }: HeldMessage,
): Promise<Judgement | Unscanned> {
  try {
    const judged = await judgeFor('milter', parts, { ...request, ...collected.arriving })
    const { users, shared } = judged
    const decisions = ofOthers || users.length === 0 ? [...users, shared] : users
    const verdicts = decisions.map(({ verdict }) => verdict)
    return {
      kind: 'judged',
      ...judgedAs(verdicts, shared.verdict),
      summary: summaryOf(judged),
      action: mildestAction(decisions),
    }
  } catch (error) {
    if (!(error instanceof TamisError)) parts.log.error({ err: error }, 'A message was not judged')
    const code = error instanceof TamisError ? error.code : 'INTERNAL'
    // The disk is full, and not the memory.
    const isDisk = code === 'BUFFERS_FULL' && (error as TamisError).cause !== undefined
    const cause = isDisk ? 'storage' : BUSY.includes(code) ? 'busy' : 'error'
    return { kind: 'unscanned', cause, code }
  }
}
