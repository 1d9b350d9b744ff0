/** What the operations take and give: the schemas of http/schemas.ts as types. */
import type { Static } from 'typebox'
import type * as schemas from '../service/http/schemas.ts'

export type FullResult = Static<typeof schemas.FullResult>
export type ReasonsResult = Static<typeof schemas.ReasonsResult>
export type WithdrawnFeedback = Static<typeof schemas.WithdrawnFeedback>
export type RecipientsResult = Static<typeof schemas.RecipientsResult>
export type TabsResult = Static<typeof schemas.TabsResult>
export type DiagnosticResult = Static<typeof schemas.DiagnosticResult>
export type SpamFeedbackResult = Static<typeof schemas.SpamFeedbackResult>
export type TabsFeedbackResult = Static<typeof schemas.TabsFeedbackResult>
export type RemovedFeedback = Static<typeof schemas.RemovedFeedback>
export type RemovedRules = Static<typeof schemas.RemovedRules>
export type RemoveRuleBody = Static<typeof schemas.RemoveRuleBody>
export type DeletedData = Static<typeof schemas.DeletedData>
export type MemoryResult = Static<typeof schemas.MemoryResult>
export type ModelsResult = Static<typeof schemas.ModelsResult>
export type ModelVersion = Static<typeof schemas.ModelVersion>
export type JobResult = Static<typeof schemas.JobResult>
export type RecentResult = Static<typeof schemas.RecentResult>
export type ModelCards = Static<typeof schemas.ModelCards>
export type StatsResult = Static<typeof schemas.StatsResult>
export type Health = Static<typeof schemas.Health>
export type Ready = Static<typeof schemas.Ready>
export type ErrorResult = Static<typeof schemas.ErrorResult>
export type ClassifyPathBody = Static<typeof schemas.ClassifyPathBody>
export type TabsPathBody = Static<typeof schemas.TabsPathBody>
export type FeedbackPathBody = Static<typeof schemas.FeedbackPathBody>
export type TabsFeedbackPathBody = Static<typeof schemas.TabsFeedbackPathBody>

export type MessageClass = FullResult['classification']
export type RuleType = RemoveRuleBody['ruleType']

type RuleSchemas<Field extends string, Label extends string> = ReturnType<
  typeof schemas.ruleSchemas<Field, Label>
>
type SpamRuleSchemas = RuleSchemas<'label', 'spam' | 'ham'>
type ClassRuleSchemas = RuleSchemas<'classification', MessageClass>

export type SpamRule = Static<SpamRuleSchemas['record']>
export type SpamRules = Static<SpamRuleSchemas['list']>
export type SpamRuleBody = Static<SpamRuleSchemas['body']>
export type SpamRulePathBody = Static<SpamRuleSchemas['pathBody']>
export type ClassRule = Static<ClassRuleSchemas['record']>
export type ClassRules = Static<ClassRuleSchemas['list']>
export type ClassRuleBody = Static<ClassRuleSchemas['body']>
export type ClassRulePathBody = Static<ClassRuleSchemas['pathBody']>

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
