/** A weighted rule that a tenant has made by API for its own mail, or that stands in a file of the operator. */
import type { WeightedRule } from '../../mail/personalization/weighted-rule.ts'

export interface TenantWeightedRule extends WeightedRule {
  readonly id: string
  readonly createdAt: Date
}

export type NewWeightedRule = Omit<TenantWeightedRule, 'id' | 'createdAt'>

export interface FileWeightedRule extends WeightedRule {
  /** Where it stands: `weighted.rules:12`. */
  readonly id: string
  /** Whose mail it is about; of all tenants when absent. */
  readonly tenant?: string
}

/**
 * The rules for the mail of a tenant. One that the tenant has made stands in place of one of the same name in a file, so
 * that a tenant can weaken what the operator has set for all.
 */
export function weightedRulesFor(
  ofTenant: readonly WeightedRule[],
  inFiles: readonly FileWeightedRule[],
): readonly WeightedRule[] {
  if (inFiles.length === 0) return ofTenant
  const names = new Set(ofTenant.map(({ name }) => name))
  const others = inFiles.filter((rule) => rule.tenant === undefined && !names.has(rule.name))
  return [...ofTenant, ...others]
}
