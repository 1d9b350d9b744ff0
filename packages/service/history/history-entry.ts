/** What the history keeps of a judged message for one recipient: metadata and reasons, no subject and no text. */
import type { MessageClass } from '../../mail/models/prediction.ts'
import type { Reason } from '../../mail/verdict/reasons.ts'
import type { BypassReason } from '../../mail/verdict/verdict.ts'

/** A mail server's name for a message: Postfix has 10 to 20 characters, Sendmail 14. */
export const QUEUE_ID_PATTERN = /^[!-~]{1,64}$/

export interface HistoryEntry {
  readonly judgedAt: Date
  /** The mail server's name for the message. */
  readonly queueId?: string
  /** Without its brackets, as in AnalysisSummary; absent if there is none. */
  readonly messageId?: string
  /** The one address that From names, as comparedAddress gives it. */
  readonly sender?: string
  /** The domain of the first address in From, as comparedHost gives it. */
  readonly senderDomain?: string
  /** MAIL FROM as comparedAddress gives it, or '' for the null sender; absent if the caller did not say it. */
  readonly envelopeSender?: string
  /** The recipient, or who sent an outgoing message; absent for a message that was judged without a user. */
  readonly userId?: string
  readonly isSpam: boolean
  /** In [0, 1]. */
  readonly spamProbability: number
  /** The recipient's threshold, in (0, 1). */
  readonly threshold: number
  readonly bypassReason: BypassReason | null
  readonly classification: MessageClass
  readonly shouldEscalate: boolean
  /** The strongest first, with what was the recipient's own. Their descriptions are looked up when they are shown. */
  readonly reasons: readonly Reason[]
  /** From the body received to the verdict, in whole milliseconds, rounded up. */
  readonly elapsedMs: number
  /** Names the message as corrections do; not given back. */
  readonly messageKey?: Uint8Array
}

/** Where an entry stands among those of its which are in the order of time, then of number. */
export interface HistoryPlace {
  /** Milliseconds since 1970. */
  readonly judgedAt: number
  readonly seq: number
}

export interface KeptEntry extends HistoryEntry {
  readonly place: HistoryPlace
}

/** What is searched for: entries that have all of it. */
export interface HistoryQuery {
  /** Whose entries, where no one user is named: ids from one on, up to another if there is one. Those of no user are with the last. */
  readonly users: { readonly from: string; readonly below?: string }
  /** As HistoryEntry has it. */
  readonly messageId?: string
  readonly queueId?: string
  readonly userId?: string
  readonly isSpam?: boolean
  readonly shouldEscalate?: boolean
  /** What is escalated, and not corrected by its user. */
  readonly needsReview?: boolean
  /** Only entries that stand behind this place: older ones. */
  readonly after?: HistoryPlace
}
