/**
 * Which of a user's rules decides about a message, and which patterns a rule may have.
 *
 * It is the first of the rules that fit (rule-index.ts) and have force. A rule can only be trusted as far
 * as the sender's name: `forceOf` says what a message must prove.
 */
import { TamisError } from '../../errors/errors.ts'
import { CLASSES, type MessageClass } from '../models/prediction.ts'
import type { RuleSource, RuleType } from './kinds.ts'
import { type Patterns, readListId, readMessageId } from './patterns.ts'
import {
  type CorrectionRule,
  fittingRules,
  type IndexedRule,
  type RuleIndex,
} from './rule-index.ts'
import { comparedAddress, comparedHost, isRegistered, readWildcard } from './sender-address.ts'
import { isTemplate } from './template.ts'

/** What a correction says about its sender. */
export interface SenderCorrection {
  readonly label: string
  readonly senderKey: Uint8Array
  /** Absent when the message may have been forged. */
  readonly authenticatedDomain?: string
}

/** Whether a message proved who it is from; unknown when nothing checked it. */
export type SenderAuthentication =
  | { readonly result: 'pass'; readonly domain: string }
  | { readonly result: 'fail' }
  | { readonly result: 'unknown' }

/** The authentication of a message that was not checked. */
export const UNKNOWN_SENDER: SenderAuthentication = { result: 'unknown' }

/**
 * What a rule or a remembered correction can do with a message. It lifts when it says "not spam" of a
 * sender who has proved nothing, or "spam" for likeness of the text alone: then models that are sure of the
 * contrary outweigh it, and so does a feed (verdict/decide.ts).
 */
export type Force = 'decides' | 'lifts'

/** A rule that fits a message. */
export interface RuleMatch {
  readonly ruleType: RuleType | 'Operator'
  /** Of an operator's rule, its line. */
  readonly pattern: string
  readonly label: 'spam' | 'ham'
  /** True when it was made from an authenticated message; of an operator's rule, when it allows with proof. */
  readonly verified: boolean
  readonly source: RuleSource | 'operator'
  readonly force: Force
  /** The id of the rule, or of the correction that it was made from; of an operator's rule, where it stands. */
  readonly id: string
}

/** The rule that decides the class of a message. */
export interface ClassRuleMatch {
  readonly ruleType: RuleType | 'Operator'
  readonly pattern: string
  readonly classification: MessageClass
  readonly id: string
}

/**
 * The rules that may have a say, in order: the first that lifts, unless one that decides comes before
 * it, and the first that decides. Among equal rules it is the one given first.
 */
export function matchRules(
  rules: RuleIndex,
  patterns: Patterns,
  authentication: SenderAuthentication,
): RuleMatch[] {
  let lifting: RuleMatch | undefined
  for (const rule of fittingRules(rules, 'spam', patterns)) {
    const force = forceOf(rule, authentication)
    if (force === 'lifts') lifting ??= matchOf(rule, force)
    if (force === 'decides') return [...(lifting ? [lifting] : []), matchOf(rule, force)]
  }
  return lifting ? [lifting] : []
}

function matchOf(rule: IndexedRule, force: Force): RuleMatch {
  const { id, ruleType, pattern, verified, source } = rule
  const label = rule.label === 'spam' ? 'spam' : 'ham'
  return { id, ruleType, pattern, verified, source, force, label }
}

/** The rule that decides the class; it needs no authentication, since a class does no harm. */
export function matchClassRule(rules: RuleIndex, patterns: Patterns): ClassRuleMatch | undefined {
  const [rule] = fittingRules(rules, 'tabs', patterns)
  const classification = CLASSES.find((name) => name === rule?.label)
  if (rule === undefined || classification === undefined) return undefined
  return { id: rule.id, ruleType: rule.ruleType, pattern: rule.pattern, classification }
}

/**
 * The rules made from corrections that no other correction of the same sender contradicts: a user who
 * said different things about a sender has made no rule. A correction of a message that was not
 * authenticated, which may be forged, does not contradict a rule made from an authenticated message.
 */
export function undisputedRules<Rule extends CorrectionRule>(
  automaticRules: readonly Rule[],
  corrections: readonly SenderCorrection[],
): Rule[] {
  const said = Map.groupBy(corrections, ({ senderKey }) => senderName(senderKey))
  return automaticRules.filter(({ senderKey, label, authenticatedDomain }) => {
    return (said.get(senderName(senderKey)) ?? []).every(
      (other) =>
        other.label === label ||
        (authenticatedDomain !== undefined && other.authenticatedDomain === undefined),
    )
  })
}

function senderName(senderKey: Uint8Array): string {
  return Buffer.from(senderKey).toString('base64')
}

/**
 * What a rule can do with a message from `sender`; undefined when it can do nothing. A block that the user
 * stated covers every message. A block made from a correction may rest on a forged message: while
 * unverified it does not cover authenticated messages, so that it never blocks the true sender.
 */
function forceOf(rule: IndexedRule, sender: SenderAuthentication): Force | undefined {
  if (rule.label !== 'spam') return allowForce(rule.authenticatedDomain, sender)
  const isForAll = rule.source === 'explicit' || rule.verified
  return isForAll || sender.result !== 'pass' ? 'decides' : undefined
}

/**
 * What "not spam" can do with a message, when it was said of a message authenticated for `domain`, or of
 * one that was not authenticated. It decides if both are authenticated. Otherwise it only lifts, since
 * anybody can write a From, a List-Id and References. It does nothing for a message that was found
 * forged or is authenticated for another domain.
 */
export function allowForce(
  domain: string | undefined,
  sender: SenderAuthentication,
): Force | undefined {
  if (sender.result === 'fail') return undefined
  if (sender.result === 'unknown' || domain === undefined) return 'lifts'
  return sender.domain === domain ? 'decides' : undefined
}

/**
 * The pattern for a rule of that type made from a message with `patterns`; for Sender it is the address.
 *
 * @throws TamisError FIELD_INVALID, naming the field `ruleType`, when the message has none.
 */
export function patternFor(ruleType: RuleType, patterns: Patterns): string {
  const { thread, template, sender, list } = patterns
  const pattern = { Thread: thread, Template: template, Sender: sender, List: list }[ruleType]
  if (pattern !== undefined && !isWildcard(ruleType, pattern)) return pattern
  throw fieldInvalid('ruleType', `No ${ruleType} rule can be made: ${LACKING[ruleType]}`)
}

const LACKING: Readonly<Record<RuleType, string>> = {
  Sender: 'its From field does not name one address',
  List: 'the message has no List-Id, List-Post or List-Unsubscribe that can be read',
  Thread: 'the message has no Message-ID, In-Reply-To or References',
  Template: 'the message has no words, or its From field does not name one address',
}

/** True for a pattern that covers more than one address. A sender may write one as the address in From, to be judged for others. */
export function isWildcard(ruleType: RuleType, pattern: string): boolean {
  return ruleType === 'Sender' && readWildcard(pattern) !== undefined
}

/** Longest pattern, in bytes: as long as the longest line of a message (RFC 5322 §2.1.1). */
const PATTERN_BYTES_MAX = 998

/**
 * Brings `pattern`, which a user wrote, to the form that rules of that type have: in lower case, hosts in
 * punycode, Message-IDs in angle brackets.
 *
 * @throws TamisError FIELD_INVALID, naming the field `pattern`, when no message could have it.
 */
export function checkPattern(ruleType: RuleType, pattern: string): string {
  const short = Buffer.byteLength(pattern) <= PATTERN_BYTES_MAX
  const checked = short ? READERS[ruleType](pattern.trim()) : undefined
  if (checked !== undefined) return checked
  throw fieldInvalid('pattern', `pattern must be ${EXPECTED[ruleType]}`)
}

/**
 * The same for a pattern of a rule that is to be made.
 *
 * @throws TamisError FIELD_INVALID, naming the field `pattern`, also for an asterisk that is no wildcard here:
 *   no message would ever match it.
 */
export function checkNewPattern(ruleType: RuleType, pattern: string): string {
  const checked = checkPattern(ruleType, pattern)
  const goesByAddress = ruleType === 'Sender' || ruleType === 'List'
  if (!goesByAddress || !checked.includes('*') || isWildcard(ruleType, checked)) return checked
  throw fieldInvalid(
    'pattern',
    'pattern has an asterisk, which is a wildcard only in *@example.com and *.example.com of the rule type Sender',
  )
}

const READERS: Readonly<Record<RuleType, (pattern: string) => string | undefined>> = {
  Sender: readSender,
  List: (pattern) => readListId(pattern) ?? comparedAddress(pattern) ?? comparedHost(pattern),
  Thread: (pattern) => readThread(pattern),
  Template: (pattern) => (isTemplate(pattern) ? pattern : undefined),
}

const EXPECTED: Readonly<Record<RuleType, string>> = {
  Sender:
    'an address (ada@example.com), a domain (example.com) or a wildcard (*@example.com, *.example.com) for the rule type Sender',
  List: 'a List-Id, the address of a list or its host for the rule type List',
  Thread: 'a Message-ID (<1@example.com>) for the rule type Thread',
  Template: 'a template as the service made it from a message (t1:...) for the rule type Template',
}

/** Refuses public suffixes: a rule for 'com' or 'co.uk' would cover half the world. */
function readSender(pattern: string): string | undefined {
  const wildcard = readWildcard(pattern)
  if (wildcard !== undefined) {
    const { prefix, domain } = wildcard
    return isRegistered(domain) ? prefix + domain : undefined
  }
  if (pattern.includes('@')) return comparedAddress(pattern)
  const host = comparedHost(pattern)
  return host !== undefined && isRegistered(host) ? host : undefined
}

/** The whole pattern must be one Message-ID; its brackets may be missing. */
function readThread(pattern: string): string | undefined {
  const bracketed = pattern.startsWith('<') ? pattern : `<${pattern}>`
  return readMessageId(bracketed) === bracketed ? bracketed : undefined
}

function fieldInvalid(field: string, message: string): TamisError {
  return new TamisError('FIELD_INVALID', message, { details: { field } })
}
