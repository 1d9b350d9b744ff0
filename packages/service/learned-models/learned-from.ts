/** From whom something is learned: the mode of the settings, and what the operator's rules say of users. */
import type { LearningMode } from '../../mail/learning/learn.ts'
import type { OperatorRules } from '../rules/operator-rules.ts'

export interface LearnedFrom {
  readonly mode: LearningMode
  /** From whom nothing is learned, whatever the mode: neither the shared model nor personal deltas. */
  readonly rules?: Pick<OperatorRules, 'learning'>
}

/** Whether something is learned from a user: for all, or for that user alone. */
export function isLearnedFrom({ mode, rules }: LearnedFrom, userId: string): boolean {
  return mode !== 'off' && rules?.learning.of(userId) !== 'off'
}
