/** The policy of the operator's settings, and the same with the threshold that a rule states for a recipient. */
import type { Models } from '../mail/models/models.ts'
import type { RuleRecipient } from '../mail/operator-rules/match.ts'
import { comparedHost, hostOfAddress } from '../mail/personalization/sender-address.ts'
import { type Policy, type PolicySettings, policyFor } from '../mail/verdict/policy.ts'
import { shownUser } from './access/namespace.ts'

/** Gives the policy; with another threshold if one is given. */
export type Policies = (threshold?: PolicySettings['threshold']) => Policy

/** The policies for models. */
export function policiesFor(models: Pick<Models, 'fusion'>, settings: PolicySettings): Policies {
  const forAll = policyFor(models, settings)
  return (threshold) =>
    threshold === undefined ? forAll : policyFor(models, { ...settings, threshold })
}

/** The user, if any, as the operator's rules name it, and the domain if the id is an address. */
export function recipientOf(userId: string | undefined): RuleRecipient {
  if (userId === undefined) return {}
  const recipientDomain = userId.includes('@') ? comparedHost(hostOfAddress(userId)) : undefined
  return { userId: shownUser(userId), ...(recipientDomain !== undefined && { recipientDomain }) }
}
