/** Everything that classification needs to know about one user, as the store has it. */
import type { CorrectionRule } from '../../mail/personalization/rule-index.ts'
import type { MemoryItem } from './correction.ts'
import type { Rule } from './rule.ts'

export interface UserProfile {
  readonly rules: readonly Rule[]
  readonly automaticRules: readonly CorrectionRule[]
  readonly spam: readonly MemoryItem[]
  readonly tabs: readonly MemoryItem[]
}
