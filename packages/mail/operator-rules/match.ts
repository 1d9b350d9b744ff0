/**
 * Which of the operator's rules apply to a message for one recipient, and what they say. There may be a hundred thousand: a
 * message is put into the facts that rules can name ('from *.top', 'attachment iso'), and each is one question to a Map.
 */
import { addressOf, networkAddress } from '../knowledge/network-table.ts'
import type { Claims } from '../personalization/claims.ts'
import type { Patterns } from '../personalization/patterns.ts'
import type {
  ClassRuleMatch,
  Force,
  RuleMatch,
  SenderAuthentication,
} from '../personalization/rules.ts'
import { hostOfAddress, patternsOfHost } from '../personalization/sender-address.ts'
import { networkFact } from './grammar.ts'
import type { Action, Learning, MailLimits, Rule, RuleThreshold } from './rule.ts'
import type { TextMatches, TextRule } from './texts.ts'

export interface RuleIndex {
  /** In their order, which is their precedence. */
  readonly rules: readonly Rule[]
  /** Rules that have texts, for the analysis. */
  readonly textRules: readonly TextRule[]
  /** The places of rules by the first of their facts, or by a recipient where they have no condition. */
  readonly byFact: ReadonlyMap<string, readonly number[]>
  /** The places of rules without condition and recipient; those with texts alone are found by what holds. */
  readonly others: readonly number[]
  /** Lengths in bits of the networks that rules name. */
  readonly networkBits: ReadonlySet<number>
}

export function indexOperatorRules(rules: readonly Rule[]): RuleIndex {
  const byFact = new Map<string, number[]>()
  const others: number[] = []
  const networkBits = new Set<number>()
  for (const [at, { facts, texts, recipients }] of rules.entries()) {
    for (const fact of facts) {
      if (fact.startsWith('network ')) networkBits.add(Number(fact.slice(fact.indexOf('/') + 1)))
    }
    const keys = facts.length > 0 ? facts.slice(0, 1) : texts.length > 0 ? [] : recipients
    if (keys.length === 0 && texts.length === 0) others.push(at)
    for (const key of keys) {
      const known = byFact.get(key)
      if (known === undefined) byFact.set(key, [at])
      else known.push(at)
    }
  }
  const textRules = rules.flatMap(({ texts }, at) => (texts.length > 0 ? [{ at, texts }] : []))
  return { rules, textRules, byFact, others, networkBits }
}

export const NO_RULES: RuleIndex = indexOperatorRules([])

/** Whom a verdict is for; empty for a verdict without a recipient. */
export interface RuleRecipient {
  readonly userId?: string
  /** The domain of the user id if that is an address, as comparedHost gives it. */
  readonly recipientDomain?: string
}

/** The scores of the rules that apply. */
export interface RuleScores extends Pick<TextMatches, 'isCut'> {
  readonly holding: readonly { readonly name: string; readonly weight: number }[]
}

/** What the rules say of a message to one recipient. */
export interface RulesSay extends MailLimits {
  /** At most one that lifts, and one that decides, in order. */
  readonly matches: readonly RuleMatch[]
  readonly classRule?: ClassRuleMatch
  readonly scores?: RuleScores
  readonly threshold?: RuleThreshold
  /** The rules behind all that. */
  readonly applied: readonly Rule[]
}

/** The facts of a message, for `rulesFor`. The same for all its recipients. */
export function factsOf(
  { networkBits }: RuleIndex,
  { senders, envelope, hosts, senderIp, linkHosts, attachments }: Claims,
  { sender, list }: Patterns,
): ReadonlySet<string> {
  const ofAddress = (kind: string, address: string) =>
    [address, ...patternsOfHost(hostOfAddress(address))].map((pattern) => `${kind} ${pattern}`)
  const ofHost = (kind: string, host: string) =>
    patternsOfHost(host).map((pattern) => `${kind} ${pattern}`)
  const address = senderIp === undefined ? undefined : addressOf(senderIp)
  const networks = address === undefined ? [] : [...networkBits]
  return new Set([
    ...(sender === undefined ? [] : ofAddress('sender', sender)),
    ...senders.flatMap((each) => ofAddress('from', each)),
    ...(envelope === undefined ? [] : ofAddress('envelope', envelope)),
    ...(list === undefined ? [] : [`list ${list}`]),
    ...hosts.flatMap((host) => ofHost('client', host)),
    ...networks.map((bits) => networkFact({ address: networkAddress(address!, bits), bits })),
    ...linkHosts.flatMap((host) => ofHost('link', host)),
    ...attachments,
  ])
}

/** What `index` says of a message with `facts` to `recipient`. Of each kind the first rule that applies counts; scores add up. */
export function rulesFor(
  index: RuleIndex,
  facts: ReadonlySet<string>,
  texts: TextMatches,
  recipient: RuleRecipient,
  sender: SenderAuthentication,
): RulesSay {
  const applied: Rule[] = []
  const said = new Map<Action['verb'], Action>()
  const scores = new Map<string, number>()
  let lifting: RuleMatch | undefined
  let deciding: RuleMatch | undefined
  let classRule: ClassRuleMatch | undefined
  for (const rule of applicableRules(index, facts, texts, recipient, sender)) {
    const { action } = rule
    if (action.verb === 'allow' || action.verb === 'block') {
      const match = deciding === undefined ? matchOf(rule, facts, sender) : undefined
      if (match === undefined || (match.force === 'lifts' && lifting !== undefined)) continue
      if (match.force === 'lifts') lifting = match
      else deciding = match
      // Names can be forged, machine and content cannot: an allow that rests on a name alone gives way to their block.
      if (match.label === 'spam' && !restsOnNames(rule)) lifting = undefined
    } else if (action.verb === 'score') {
      if (scores.has(action.name)) continue
      scores.set(action.name, action.weight)
    } else {
      if (said.has(action.verb)) continue
      said.set(action.verb, action)
      if (action.verb === 'class')
        classRule = {
          id: rule.id,
          ruleType: 'Operator',
          pattern: rule.text,
          classification: action.class,
        }
    }
    applied.push(rule)
  }
  const { isCut } = texts
  const holding = [...scores].map(([name, weight]) => ({ name, weight }))
  const threshold = said.get('threshold')
  const rejectAt = said.get('reject-at')
  const quarantineAt = said.get('quarantine-at')
  return {
    matches: [lifting, deciding].filter((match) => match !== undefined),
    ...(classRule && { classRule }),
    ...((holding.length > 0 || isCut) && { scores: { holding, ...(isCut && { isCut }) } }),
    ...(threshold?.verb === 'threshold' && { threshold: threshold.threshold }),
    ...(rejectAt?.verb === 'reject-at' && { rejectAt: rejectAt.limit }),
    ...(quarantineAt?.verb === 'quarantine-at' && { quarantineAt: quarantineAt.limit }),
    applied,
  }
}

/** The rules whose conditions hold, in their order. */
function* applicableRules(
  { rules, byFact, others }: RuleIndex,
  facts: ReadonlySet<string>,
  { held }: TextMatches,
  recipient: RuleRecipient,
  sender: SenderAuthentication,
): Generator<Rule> {
  const names = namesOf(recipient)
  const found = new Set([...others, ...held])
  for (const fact of [...facts, ...names]) for (const at of byFact.get(fact) ?? []) found.add(at)
  const texts = new Set(held)
  for (const at of [...found].sort((a, b) => a - b)) {
    const rule = rules[at]!
    if (rule.action.verb === 'learning') continue
    if (rule.authenticated && sender.result !== 'pass') continue
    if (rule.recipients.length > 0 && !names.some((name) => rule.recipients.includes(name)))
      continue
    if (rule.texts.length > 0 && !texts.has(at)) continue
    if (rule.facts.every((fact) => facts.has(fact))) yield rule
  }
}

function namesOf({ userId, recipientDomain }: RuleRecipient): string[] {
  return [
    ...(userId === undefined ? [] : [`user ${userId}`]),
    ...(recipientDomain === undefined ? [] : [`domain ${recipientDomain}`]),
  ]
}

function restsOnNames({ facts, texts }: Rule): boolean {
  return texts.length === 0 && facts.every((fact) => /^(from|envelope|list) /.test(fact))
}

function matchOf(
  rule: Rule,
  facts: ReadonlySet<string>,
  sender: SenderAuthentication,
): RuleMatch | undefined {
  const force = forceOf(rule, facts, sender)
  if (force === undefined) return undefined
  const label = rule.action.verb === 'block' ? 'spam' : 'ham'
  const verified = label === 'ham' && force === 'decides'
  return {
    id: rule.id,
    ruleType: 'Operator',
    pattern: rule.text,
    label,
    verified,
    source: 'operator',
    force,
  }
}

/**
 * What a rule can do with the message; undefined when it can do nothing. A block decides. An allow decides with proof: of the
 * sender, when the message is authenticated for the domain in From, or of the machine, whose address the receiving server
 * saw. Otherwise it lifts, unless authentication failed.
 */
function forceOf(
  { action, facts: conditions }: Rule,
  facts: ReadonlySet<string>,
  sender: SenderAuthentication,
): Force | undefined {
  if (action.verb === 'block' || conditions.some((fact) => fact.startsWith('network ')))
    return 'decides'
  if (sender.result === 'fail') return undefined
  const isProved =
    conditions.some((fact) => fact.startsWith('sender ')) &&
    sender.result === 'pass' &&
    facts.has(`sender *@${sender.domain}`)
  return isProved ? 'decides' : 'lifts'
}

/** Whether rules say that something is learned from a user; undefined where they say nothing. */
export function learningOf(
  { rules, byFact, others }: RuleIndex,
  recipient: RuleRecipient,
): Learning | undefined {
  const places = [...others, ...namesOf(recipient).flatMap((name) => byFact.get(name) ?? [])]
  for (const at of places.sort((a, b) => a - b)) {
    const { action } = rules[at]!
    if (action.verb === 'learning') return action.learning
  }
  return undefined
}
