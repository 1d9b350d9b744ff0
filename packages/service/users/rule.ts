/** A rule that a user has stated. Those that follow from corrections are `CorrectionRule`s. */
import type { ExplicitRule } from '../../mail/personalization/rule-index.ts'

export interface Rule extends ExplicitRule {
  readonly userId: string
  /** The key of the message that it was made from; absent for a rule by pattern. */
  readonly messageKey?: Uint8Array
}

export type NewRule = Omit<Rule, 'id' | 'createdAt'>

/** What names a rule of a user. */
export type RuleName = Pick<Rule, 'userId' | 'kind' | 'ruleType' | 'pattern'>
