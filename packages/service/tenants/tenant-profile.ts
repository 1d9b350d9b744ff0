/** What a tenant has set, as the store keeps it. */
import type { RecipientSetting } from './recipient-setting.ts'
import type { TenantRule } from './site-rule.ts'
import type { TenantWeightedRule } from './weighted-rule.ts'

export interface TenantProfile {
  readonly siteRules: readonly TenantRule[]
  readonly recipients: readonly RecipientSetting[]
  readonly weightedRules: readonly TenantWeightedRule[]
}
