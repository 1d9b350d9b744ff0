/** A request about a message, and what is answered: the types that the stages of the service pass on. */
import type { RulesSay } from '../mail/operator-rules/match.ts'
import type { ArrivalFallback } from '../mail/signals/signal.ts'
import type { Analysis } from '../mail/verdict/analysis.ts'
import type { Timing } from '../mail/verdict/diagnostic.ts'
import type { Evidence } from '../mail/verdict/evidence.ts'
import type { Policy } from '../mail/verdict/policy.ts'
import type { Verdict } from '../mail/verdict/verdict.ts'
import type { Caller } from './access/caller.ts'
import type { Analyser } from './admission/analyser.ts'
import type { Outlet } from './admission/queue.ts'
import type { Arriving, Receiver } from './admission/receive.ts'
import type { Embedder } from './encoder/embedder.ts'
import type { Feeds } from './feeds/feeds.ts'
import type { Metrics } from './http/metrics.ts'
import type { LearnedModels } from './learned-models/learned-models.ts'
import type { Policies } from './policies.ts'
import type { OperatorRules } from './rules/operator-rules.ts'
import type { SenderChecks } from './sender-authentication/sender-checks.ts'
import type { Correspondents, Hearer } from './users/correspondents.ts'
import type { MessageKeys } from './users/message-keys.ts'
import type { Users } from './users/users.ts'

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
  /** What the operator's rules say. */
  readonly rules: RulesSay
  readonly verdict: Verdict
}

/** A user of the request, and the verdict for that user. */
export interface Recipient extends Hearer, Decision {}

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

/** What judging and correcting need of the rest of the service. */
export interface Service {
  readonly analyser: Pick<Analyser, 'refusal' | 'analyse'>
  readonly receiver: Pick<Receiver, 'receive'>
  /** How senders are checked, and DNS lists and the virus scanner asked. */
  readonly senderChecks: Pick<SenderChecks, 'senderOf' | 'lists' | 'scanner'>
  readonly embedder: Pick<Embedder, 'id' | 'isUsable' | 'embed'>
  readonly policies: Policies
  readonly users: Pick<Users, 'known' | 'lookUp' | 'corrected'>
  /** With whom users write. */
  readonly correspondents: Pick<Correspondents, 'lookUp'>
  readonly rules: Pick<OperatorRules, 'index'>
  readonly keys: MessageKeys
  readonly learned: Pick<LearnedModels, 'deltas'>
  readonly feeds: Pick<Feeds, 'table'>
  readonly metrics: Pick<Metrics, 'count' | 'analysed' | 'listed' | 'scanned'>
  /** Hears of each message that was judged (on-judged.ts). */
  onJudged(caller: Caller, judged: Judged): void
}
