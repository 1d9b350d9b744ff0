/**
 * The rules of a site: what its operator allows and blocks for all recipients, for a tenant or for the
 * recipients of a domain (docs/decisions/0017-site-rules.md).
 *
 * There may be tens of thousands, and every message is compared with all of them. So they are looked up
 * by what the message claims: each address, domain, list, host, network and kind is one question to a Map.
 */
import { addressOf, networkAddress, type Prefix, prefixOf } from '../knowledge/network-table.ts'
import { ATTACHMENT_KINDS } from '../signals/attachment-kind.ts'
import type { Claims } from './claims.ts'
import type { SiteRuleType } from './kinds.ts'
import { readListId } from './patterns.ts'
import type { Force, RuleMatch, SenderAuthentication } from './rules.ts'
import {
  comparedAddress,
  comparedHost,
  hostOfAddress,
  isRegistered,
  patternsOfHost,
  readWildcard,
} from './sender-address.ts'

/** Whose mail a rule is about; of all recipients when both are absent. */
export interface SiteScope {
  readonly tenant?: string
  /** The domain of the recipients' addresses, as comparedHost gives it. */
  readonly recipientDomain?: string
}

export interface SiteRule {
  /** Where it stands in a file: `site.rules:12`; or the id that the store has given it. */
  readonly id: string
  readonly ruleType: SiteRuleType
  readonly label: 'spam' | 'ham'
  /** As `checkSitePattern` gives it. */
  readonly pattern: string
  readonly scope: SiteScope
}

type RulesByName = ReadonlyMap<string, SiteRule>

interface ScopedRules extends Readonly<Record<SiteRuleType, RulesByName>> {
  /** Lengths in bits of the networks that rules are about, the longest first. */
  readonly prefixBits: readonly number[]
}

export interface SiteRuleIndex {
  readonly count: number
  /** In the order in which they were given. */
  readonly rules: readonly SiteRule[]
  readonly byScope: ReadonlyMap<string, ScopedRules>
}

export const NO_SITE_RULES: SiteRuleIndex = { count: 0, rules: [], byScope: new Map() }

/** Two rules that say the opposite of the same. */
export class ContradictingRules extends Error {
  readonly rules: readonly [SiteRule, SiteRule]

  constructor(first: SiteRule, second: SiteRule) {
    super(`${second.id} contradicts ${first.id}`)
    this.rules = [first, second]
  }
}

/**
 * The index of `rules`. A rule that is there twice counts once.
 *
 * @throws ContradictingRules for an allow and a block of the same in the same scope.
 */
export function indexSiteRules(rules: readonly SiteRule[]): SiteRuleIndex {
  const scopes = Map.groupBy(rules, ({ scope }) => nameOf(scope))
  const byScope = [...scopes].map(([name, ofScope]) => [name, scopedRules(ofScope)] as const)
  return { count: rules.length, rules, byScope: new Map(byScope) }
}

function scopedRules(rules: readonly SiteRule[]): ScopedRules {
  const ofType = (ruleType: SiteRuleType) => rules.filter((rule) => rule.ruleType === ruleType)
  const networks = ofType('Network').map((rule) => ({ rule, prefix: prefixOf(rule.pattern)! }))
  const bits = new Set(networks.map(({ prefix }) => prefix.bits))
  return {
    Sender: byName(ofType('Sender').map((rule) => [rule.pattern, rule])),
    List: byName(ofType('List').map((rule) => [rule.pattern, rule])),
    Host: byName(ofType('Host').map((rule) => [rule.pattern, rule])),
    Attachment: byName(ofType('Attachment').map((rule) => [rule.pattern, rule])),
    Network: byName(networks.map(({ rule, prefix }) => [prefixName(prefix), rule])),
    prefixBits: [...bits].toSorted((a, b) => b - a),
  }
}

function byName(rules: readonly (readonly [name: string, rule: SiteRule])[]): RulesByName {
  const named = new Map<string, SiteRule>()
  for (const [name, rule] of rules) {
    const other = named.get(name)
    if (other === undefined) named.set(name, rule)
    else if (other.label !== rule.label) throw new ContradictingRules(other, rule)
  }
  return named
}

function nameOf({ tenant, recipientDomain }: SiteScope): string {
  return JSON.stringify([tenant ?? null, recipientDomain ?? null])
}

function prefixName({ address, bits }: Prefix): string {
  return `${address.join(' ')}/${bits}`
}

/**
 * The rules of a site that may have a say about a message with `claims` to a recipient of `scope`, in
 * order: at most one that lifts, and one that decides.
 *
 * The rules of the first index come before those of the next. In each, those of the recipient's domain
 * come before those of the tenant, and those before the rules for all; in each scope the more specific
 * comes first.
 */
export function matchSiteRules(
  indexes: readonly SiteRuleIndex[],
  claims: Claims,
  { tenant, recipientDomain }: SiteScope,
  authentication: SenderAuthentication,
): RuleMatch[] {
  let lifting: RuleMatch | undefined
  for (const rules of scopedRulesFor(indexes, scopesFor(tenant, recipientDomain))) {
    for (const rule of fittingSiteRules(rules, claims)) {
      const force = forceOf(rule, claims, authentication)
      if (force === 'lifts') lifting ??= matchOf(rule, force)
      if (force !== 'decides') continue
      // Names can be forged, machine and attachment cannot: an allow that rests on a name alone gives way to their block.
      const yields = rule.label === 'spam' && isOfFact(rule)
      return [...(lifting && !yields ? [lifting] : []), matchOf(rule, force)]
    }
  }
  return lifting ? [lifting] : []
}

function scopedRulesFor(
  indexes: readonly SiteRuleIndex[],
  scopes: readonly SiteScope[],
): ScopedRules[] {
  const names = scopes.map(nameOf)
  return indexes.flatMap(({ byScope }) => names.flatMap((name) => byScope.get(name) ?? []))
}

function scopesFor(tenant: string | undefined, recipientDomain: string | undefined): SiteScope[] {
  const ofTenant = tenant === undefined ? [] : [{ tenant }]
  if (recipientDomain === undefined) return [...ofTenant, {}]
  return [
    ...ofTenant.map((scope) => ({ ...scope, recipientDomain })),
    { recipientDomain },
    ...ofTenant,
    {},
  ]
}

/** The rules that fit, the most specific first. A block fits every address that the message claims, an allow only the one that it shows. */
function fittingSiteRules(rules: ScopedRules, claims: Claims): SiteRule[] {
  const { sender, senders, list, hosts, senderIp, attachments = [] } = claims
  const blocked = senders.filter((address) => address !== sender)
  return [
    ...having(rules.Sender, sender === undefined ? [] : senderPatterns(sender)),
    ...blocked.flatMap((address) => blocksOf(having(rules.Sender, senderPatterns(address)))),
    ...having(rules.List, list === undefined ? [] : [list]),
    ...hosts.flatMap((host) => having(rules.Host, patternsOfHost(host))),
    ...having(rules.Network, senderIp === undefined ? [] : networksAround(senderIp, rules)),
    ...having(rules.Attachment, attachments),
  ]
}

function having(rules: RulesByName, names: readonly string[]): SiteRule[] {
  if (rules.size === 0) return []
  return names.flatMap((name) => rules.get(name) ?? [])
}

function blocksOf(rules: readonly SiteRule[]): SiteRule[] {
  return rules.filter(({ label }) => label === 'spam')
}

function senderPatterns(address: string): string[] {
  return [address, ...patternsOfHost(hostOfAddress(address))]
}

function networksAround(senderIp: string, { prefixBits }: ScopedRules): string[] {
  const address = addressOf(senderIp)
  if (address === undefined) return []
  return prefixBits.map((bits) => prefixName({ address: networkAddress(address, bits), bits }))
}

/**
 * What a rule can do with the message; undefined when it can do nothing. A block decides. An allow decides
 * with proof: of the sender, when the message is authenticated for the domain in From, or of the machine,
 * whose address the receiving server saw. Otherwise it lifts, unless authentication failed.
 */
function forceOf(
  { label, ruleType }: SiteRule,
  { sender }: Claims,
  authentication: SenderAuthentication,
): Force | undefined {
  if (label === 'spam' || ruleType === 'Network') return 'decides'
  if (authentication.result === 'fail') return undefined
  const isProved =
    ruleType === 'Sender' &&
    authentication.result === 'pass' &&
    sender !== undefined &&
    hostOfAddress(sender) === authentication.domain
  return isProved ? 'decides' : 'lifts'
}

/** Whether a rule goes by the machine that sent the message, or by what is attached, and not by a name that anybody may write. */
function isOfFact({ ruleType }: SiteRule): boolean {
  return ruleType === 'Host' || ruleType === 'Network' || ruleType === 'Attachment'
}

function matchOf({ id, ruleType, label, pattern }: SiteRule, force: Force): RuleMatch {
  const verified = label === 'ham' && force === 'decides'
  return { id, ruleType, pattern, label, verified, source: 'site', force }
}

/**
 * Brings `pattern`, which the operator wrote, to the form that rules of that type have; undefined when no
 * message could have it, or when an allow would cover a public suffix such as 'com' or 'co.uk'.
 */
export function checkSitePattern(
  ruleType: SiteRuleType,
  label: SiteRule['label'],
  pattern: string,
): string | undefined {
  if (ruleType === 'List') return readListId(pattern) ?? comparedAddress(withoutWildcard(pattern))
  if (ruleType === 'Network') return readNetwork(pattern)
  if (ruleType === 'Attachment') return label === 'spam' ? readKind(pattern) : undefined
  const wildcard = readWildcard(pattern)
  if (wildcard !== undefined) {
    const { prefix, domain } = wildcard
    if (prefix === '*@' && ruleType === 'Host') return undefined
    // A whole top-level domain may be blocked, if it is said in so many words: *.top
    const mayBeSuffix = label === 'spam' && prefix === '*.'
    return mayBeSuffix || isRegistered(domain) ? prefix + domain : undefined
  }
  if (pattern.includes('*')) return undefined
  if (ruleType === 'Sender' && pattern.includes('@')) return comparedAddress(pattern)
  const host = comparedHost(pattern)
  if (host === undefined || addressOf(host) !== undefined) return undefined
  return isRegistered(host) ? host : undefined
}

function readKind(pattern: string): string | undefined {
  const written = pattern.toLowerCase()
  return ATTACHMENT_KINDS.find((kind) => kind === written)
}

function withoutWildcard(pattern: string): string {
  return pattern.includes('*') ? '' : pattern
}

/** An address alone is the network of itself. Bits beyond the prefix are a mistake: 192.0.2.1/24 may mean either. */
function readNetwork(pattern: string): string | undefined {
  const written = pattern.toLowerCase()
  const network = written.includes('/') ? written : `${written}/${written.includes(':') ? 128 : 32}`
  const prefix = prefixOf(network)
  const address = addressOf(network.slice(0, network.indexOf('/')))
  if (prefix === undefined || address === undefined) return undefined
  return prefix.address.every((word, at) => word === address[at]) ? network : undefined
}
