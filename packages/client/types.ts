/** What the operations take beside the bodies that answers.ts has. */
import type { FullResult, RemoveRuleBody } from './answers.ts'

export type * from './answers.ts'

export type MessageClass = FullResult['classification']
export type RuleType = RemoveRuleBody['ruleType']

/** What is known of a message beside its bytes; it travels in headers. */
export interface Delivery {
  /** IPv4 or IPv6 address of the client that sent it. */
  readonly senderIp?: string | undefined
  /** Envelope sender; '' is the null sender. */
  readonly senderEmail?: string | undefined
  /** Recipient; 1 to 256 visible characters. */
  readonly userId?: string | undefined
  /** What a message is judged at whose topmost Received field tells no time: now, or its Date. */
  readonly arrivalFallback?: 'now' | 'date' | undefined
}

/** The same where the operation is about one user. */
export interface UserDelivery extends Delivery {
  readonly userId: string
}

/** Several recipients of one message. */
export interface RecipientsDelivery extends Omit<Delivery, 'userId'> {
  /** At most 100. */
  readonly userIds: readonly string[]
}

export interface SpamFeedback extends UserDelivery {
  readonly isSpam: boolean
  /** True: no Sender rule is made from this correction. */
  readonly skipRuleCreation?: boolean | undefined
}

export interface TabsFeedback extends UserDelivery {
  /** `automatic` returns to the model. */
  readonly classification: MessageClass | 'automatic'
}

export interface SpamRuleWish extends UserDelivery {
  readonly ruleType: RuleType
  readonly label: 'spam' | 'ham'
}

export interface ClassRuleWish extends UserDelivery {
  readonly ruleType: RuleType
  readonly classification: MessageClass
}
