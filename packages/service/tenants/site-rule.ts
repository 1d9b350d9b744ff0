/** A rule that a tenant has made by API for its own mail. The rules of the operator's files are `SiteRule`s alone. */
import type { SiteRule } from '../../mail/personalization/site-rules.ts'

export interface TenantRule extends Pick<SiteRule, 'id' | 'ruleType' | 'label' | 'pattern'> {
  /** As comparedHost gives it; absent for a rule about all recipients of the tenant. */
  readonly recipientDomain?: string
  readonly createdAt: Date
}

export type NewTenantRule = Omit<TenantRule, 'id' | 'createdAt'>

/** The place of a rule in a list, the newest first. */
export type RulePlace = Pick<TenantRule, 'id' | 'createdAt'>
