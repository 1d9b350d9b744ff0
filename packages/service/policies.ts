/**
 * The policy for each recipient: what the tenant says of the user, else of the domain, else what the
 * operator's settings say of the user, else of the domain, else the one for all.
 */
import type { Models } from '../mail/models/models.ts'
import { comparedHost, hostOfAddress } from '../mail/personalization/sender-address.ts'
import { type Policy, type PolicySettings, policyFor } from '../mail/verdict/policy.ts'

/** The operator's threshold of a user or of the recipients of a domain: `example.org=cautious`, `ann@example.org=0.9`. */
export const RECIPIENT_THRESHOLD_PATTERN =
  '^(?![*@])\\S{1,256}=(cautious|balanced|strict|0\\.(?=0*[1-9])[0-9]{1,9})$'

export interface Policies {
  readonly forAll: Policy
  /** The same with another threshold. */
  readonly at: (threshold: PolicySettings['threshold']) => Policy
  /** By user id as written. */
  readonly byUser: ReadonlyMap<string, Policy>
  /** By domain as comparedHost gives it. */
  readonly byDomain: ReadonlyMap<string, Policy>
}

/** Whom a verdict is for. */
export interface PolicyRecipient {
  readonly userId?: string
  /** The domain of the user id if that is an address, as comparedHost gives it. */
  readonly recipientDomain?: string
}

/** The policies for models; `recipientThresholds` as RECIPIENT_THRESHOLD_PATTERN has them. */
export function policiesFor(
  models: Pick<Models, 'fusion'>,
  settings: PolicySettings,
  recipientThresholds: readonly string[],
): Policies {
  const at = (threshold: PolicySettings['threshold']) =>
    policyFor(models, { ...settings, threshold })
  const byUser = new Map<string, Policy>()
  const byDomain = new Map<string, Policy>()
  for (const text of recipientThresholds) {
    const { name, domain } = recipientIn(text)
    const policy = at(thresholdIn(text))
    byUser.set(name, policy)
    if (domain !== undefined) byDomain.set(domain, policy)
  }
  return { forAll: at(settings.threshold), at, byUser, byDomain }
}

/** @param ofTenant the threshold that the tenant has set for the recipient. */
export function policyOf(
  { forAll, at, byUser, byDomain }: Policies,
  { userId = '', recipientDomain = '' }: PolicyRecipient,
  ofTenant?: PolicySettings['threshold'],
): Policy {
  if (ofTenant !== undefined) return at(ofTenant)
  return byUser.get(userId) ?? byDomain.get(recipientDomain) ?? forAll
}

/** Whether `recipients`, which are user ids and domains, have the user or the domain of the user's id. */
export function isNamed(recipients: readonly string[], userId: string): boolean {
  const { recipientDomain } = recipientOf(userId)
  return recipients.some(
    (recipient) =>
      recipient === userId ||
      (recipientDomain !== undefined && domainIn(recipient) === recipientDomain),
  )
}

/** The user, if any, and the domain if the id is an address. */
export function recipientOf(userId: string | undefined): PolicyRecipient {
  if (userId === undefined) return {}
  const recipientDomain = userId.includes('@') ? comparedHost(hostOfAddress(userId)) : undefined
  return { userId, ...(recipientDomain !== undefined && { recipientDomain }) }
}

/** The user or domain that `text` names: as written, and as a domain if it may be one. */
export function recipientIn(text: string): { readonly name: string; readonly domain?: string } {
  const name = text.slice(0, text.lastIndexOf('='))
  const domain = domainIn(name)
  return { name, ...(domain !== undefined && { domain }) }
}

/** Users are compared byte for byte, domains as DNS has them. */
function domainIn(name: string): string | undefined {
  return name.includes('@') ? undefined : comparedHost(name)
}

function thresholdIn(text: string): PolicySettings['threshold'] {
  const value = text.slice(text.lastIndexOf('=') + 1)
  if (value === 'cautious' || value === 'balanced' || value === 'strict') return value
  return Number(value)
}
