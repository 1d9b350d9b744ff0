/** All types of the client: those of the service's answers.ts, and two that they have in them. */
import type { FullResult, RemoveRuleBody } from './answers.ts'

export type * from './answers.ts'

export type MessageClass = FullResult['classification']
export type RuleType = RemoveRuleBody['ruleType']
