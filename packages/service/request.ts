/** A request about a message, and what is answered: the types that the stages of the service pass on. */
import type { MailLimits } from '../mail/operator-rules/rule.ts'
import type { ArrivalFallback } from '../mail/signals/signal.ts'
import type { Analysis } from '../mail/verdict/analysis.ts'
import type { Timing } from '../mail/verdict/diagnostic.ts'
import type { Evidence } from '../mail/verdict/evidence.ts'
import type { Policy } from '../mail/verdict/policy.ts'
import type { Verdict } from '../mail/verdict/verdict.ts'
import type { Outlet } from './admission/queue.ts'
import type { Arriving } from './admission/receive.ts'
import type { Hearer } from './users/correspondents.ts'

/** What a caller knows about a message besides its bytes: who sent it and to whom it goes. */
export interface Metadata {
  /** The client's IP address in canonical text form. */
  readonly senderIp?: string
  /** MAIL FROM with its domain in lower case; '' is the null sender. */
  readonly mailFrom?: string
  /** The user's id, passed on unchanged, since ids are compared byte for byte. */
  readonly userId?: string
  /** The time at which to judge a message without a readable Received date; now when absent. */
  readonly arrivalFallback?: ArrivalFallback
  /** The mail server's name for the message: for the history. */
  readonly queueId?: string
}

/** What is wanted of a message: the verdict, with the reasons for it or with everything that led to it, or the class alone. */
export type Want = 'verdict' | 'reasons' | 'diagnostic' | 'class'

/** A message that is arriving, and what is asked about it. */
export interface Request extends Arriving {
  readonly metadata: Metadata
  /** Where the answer goes. It is closed when the caller no longer waits for the answer. */
  readonly outlet: Outlet
  readonly log: { warn(details: { readonly err: unknown }, text: string): void }
  /** The users for whom to decide, as the store names them; none by default. */
  readonly users?: readonly string[]
  /** `verdict` by default. */
  readonly want?: Want
  /** The user who has sent the message: whom it goes to is learned. */
  readonly sentBy?: string
  /** Takes what was found, for the log line of the request. */
  readonly judged?: (judged: Judged) => void
}

/** What was decided, and of what. */
export interface Decision {
  readonly evidence: Evidence
  readonly policy: Policy
  readonly verdict: Verdict
}

/** A user of the request, and the verdict for that user. */
export interface Recipient extends Hearer, Decision {
  /** From when on a mail server is to refuse or hold mail for the user. */
  readonly limits: MailLimits
}

/** A message that was judged. */
export interface Judged {
  readonly request: Request
  readonly analysis: Analysis
  /** The users in the order of the request. */
  readonly users: readonly Recipient[]
  /** For a user without corrections. */
  readonly shared: Decision
  /** The timing up to the call. */
  readonly timing: () => Timing
}
