/** What is known about a message and one recipient beside the Analysis. */
import type { ClassProbabilities, MessageClass } from '../models/prediction.ts'

/** A rule of the user that applies to this message: the most specific one (see docs/decisions). */
export interface RuleMatch {
  readonly ruleType: 'Sender' | 'List' | 'Thread' | 'Template'
  readonly label: 'spam' | 'ham'
  /** True when it was made from a message that was authenticated. */
  readonly verified: boolean
}

/** A link of the message that stands in a URL feed. */
export interface FeedMatch {
  readonly feed: string
  readonly expression: string
}

/** What the user's memory of corrections says about this message. */
export interface MemoryVote {
  readonly label: 'spam' | 'ham'
  /** The neighbours' weighted share of spam, in [0, 1]. */
  readonly spamShare: number
  /** True when the nearest neighbour is this very message, corrected before. */
  readonly sameMessage: boolean
}

/** What the user's memory says about the class. */
export interface ClassVote {
  /** The neighbours' weighted shares; they sum to 1. */
  readonly shares: ClassProbabilities
  /** How much of the answer is theirs, in [0, 1]; the rest is the model's. */
  readonly weight: number
}

export interface Evidence {
  readonly senderAuthenticated: boolean
  readonly feedMatch?: FeedMatch
  readonly ruleMatch?: RuleMatch
  readonly memoryVote?: MemoryVote
  readonly classRule?: MessageClass
  readonly classVote?: ClassVote
}

/** Of a message without a known recipient, from a sender that nobody vouched for. */
export const NO_EVIDENCE: Evidence = { senderAuthenticated: false }
