/**
 * Which of a user's rules decides about a message, and what pattern a rule may have.
 *
 * The most specific first (Thread, Template, Sender address, Sender domain, List), an explicit
 * one before one made from a correction, a newer before an older. A rule can only be as sure as
 * its sender's name: what a message must prove for a rule to apply stands at `applies`.
 */
import { TamisError } from '../errors.ts'
import { CLASSES, type MessageClass } from '../models/prediction.ts'
import { type Patterns, readListId, readMessageId } from './patterns.ts'
import {
  comparedAddress,
  comparedHost,
  hostOfAddress,
  isAtOrBelow,
  isRegistered,
} from './sender-address.ts'
import { isTemplate, templateMatches } from './template.ts'

export type RuleType = 'Sender' | 'List' | 'Thread' | 'Template'

/** A rule that the user made, as the store keeps it. */
export interface ExplicitRule {
  readonly id: string
  readonly kind: 'spam' | 'tabs'
  readonly ruleType: RuleType
  readonly pattern: string
  /** `spam` or `ham`; a class, for the kind `tabs`. */
  readonly label: string
  /** Made by pattern, or from a message that was not authenticated. */
  readonly unverified: boolean
  /** For which domain the message was authenticated that it was made from. */
  readonly authenticatedDomain?: string
  readonly createdAt: Date
}

/** A Sender rule that came of a correction, as the store keeps it. */
export interface CorrectionRule {
  readonly feedbackId: string
  readonly label: string
  readonly pattern: string
  readonly senderKey: Uint8Array
  readonly authenticatedDomain?: string
  readonly createdAt: Date
}

/** What a correction says of its sender. */
export interface SenderCorrection {
  readonly label: string
  readonly senderKey: Uint8Array
  /** Absent where the message may have been forged. */
  readonly authenticatedDomain?: string
}

/** Whether a message proved who it is from. Without anyone to check it, it is unknown. */
export type SenderAuthentication =
  | { readonly result: 'pass'; readonly domain: string }
  | { readonly result: 'fail' }
  | { readonly result: 'unknown' }

/** Of a message that nobody has checked. */
export const UNKNOWN_SENDER: SenderAuthentication = { result: 'unknown' }

/** The rule that decides whether a message is spam. */
export interface RuleMatch {
  readonly ruleType: RuleType
  readonly pattern: string
  readonly label: 'spam' | 'ham'
  /** True when it was made from a message that was authenticated. */
  readonly verified: boolean
  readonly source: 'explicit' | 'correction'
  /** Of the rule, or of the correction it came of. */
  readonly id: string
}

/** The rule that decides the class of a message. */
export interface ClassRuleMatch {
  readonly ruleType: RuleType
  readonly pattern: string
  readonly classification: MessageClass
  readonly id: string
}

/** A rule that fits the message, and what ranks it. */
interface Candidate {
  readonly id: string
  readonly ruleType: RuleType
  readonly pattern: string
  readonly label: string
  readonly verified: boolean
  readonly authenticatedDomain: string | undefined
  readonly source: 'explicit' | 'correction'
  readonly createdAt: Date
}

/** The rule that decides, undefined when none does. Of equals the one that stands first. */
export function matchRule(
  rules: readonly ExplicitRule[],
  automaticRules: readonly CorrectionRule[],
  patterns: Patterns,
  authentication: SenderAuthentication,
): RuleMatch | undefined {
  const candidates = [
    ...rules.filter((rule) => rule.kind === 'spam' && fits(rule, patterns)).map(explicitCandidate),
    ...automaticRules
      .filter(({ pattern }) => fits({ ruleType: 'Sender', pattern }, patterns))
      .map(correctionCandidate),
  ]
  const rule = mostSpecific(candidates.filter((candidate) => applies(candidate, authentication)))
  if (rule === undefined) return undefined
  const { id, ruleType, pattern, verified, source } = rule
  return { id, ruleType, pattern, verified, source, label: rule.label === 'spam' ? 'spam' : 'ham' }
}

/** The rule that decides the class; it needs no authentication, since a class does no harm. */
export function matchClassRule(
  rules: readonly ExplicitRule[],
  patterns: Patterns,
): ClassRuleMatch | undefined {
  const fitting = rules.filter((rule) => rule.kind === 'tabs' && fits(rule, patterns))
  const rule = mostSpecific(fitting.map(explicitCandidate))
  const classification = CLASSES.find((name) => name === rule?.label)
  if (rule === undefined || classification === undefined) return undefined
  return { id: rule.id, ruleType: rule.ruleType, pattern: rule.pattern, classification }
}

/**
 * Those of the rules made from corrections that no correction of the same sender speaks against:
 * a user who was of two minds about a sender has made no rule. What is said of a message that was
 * not authenticated, which may be forged, speaks against no rule that was made from one that was.
 */
export function undisputedRules<Rule extends CorrectionRule>(
  automaticRules: readonly Rule[],
  corrections: readonly SenderCorrection[],
): Rule[] {
  const said = new Map<string, SenderCorrection[]>()
  for (const correction of corrections) {
    const sender = senderName(correction.senderKey)
    const known = said.get(sender)
    if (known === undefined) said.set(sender, [correction])
    else known.push(correction)
  }
  return automaticRules.filter((rule) =>
    (said.get(senderName(rule.senderKey)) ?? []).every(
      ({ label, authenticatedDomain }) =>
        label === rule.label ||
        (rule.authenticatedDomain !== undefined && authenticatedDomain === undefined),
    ),
  )
}

function senderName(senderKey: Uint8Array): string {
  return Buffer.from(senderKey).toString('base64')
}

function explicitCandidate(rule: ExplicitRule): Candidate {
  const { id, ruleType, pattern, label, unverified, authenticatedDomain, createdAt } = rule
  const verified = !unverified
  return {
    id,
    ruleType,
    pattern,
    label,
    verified,
    authenticatedDomain,
    source: 'explicit',
    createdAt,
  }
}

function correctionCandidate(rule: CorrectionRule): Candidate {
  const { feedbackId: id, pattern, label, authenticatedDomain, createdAt } = rule
  const verified = authenticatedDomain !== undefined
  return {
    id,
    ruleType: 'Sender',
    pattern,
    label,
    verified,
    authenticatedDomain,
    source: 'correction',
    createdAt,
  }
}

function fits(
  { ruleType, pattern }: Pick<Candidate, 'ruleType' | 'pattern'>,
  patterns: Patterns,
): boolean {
  if (ruleType === 'Thread') return pattern === patterns.thread
  if (ruleType === 'List') return pattern === patterns.list
  if (ruleType === 'Template') {
    return patterns.template !== undefined && templateMatches(pattern, patterns.template)
  }
  return patterns.sender !== undefined && fitsSender(pattern, patterns.sender)
}

/** An address is that one only; a bare domain is every host at or below it. */
function fitsSender(pattern: string, sender: string): boolean {
  return pattern.includes('@') ? pattern === sender : isAtOrBelow(hostOfAddress(sender), pattern)
}

/**
 * What a message must prove. A verified allow is for messages that prove the same domain, an
 * unverified one for all but those that were found forged: a forged From profits from neither.
 * A verified block is for all; an unverified one, which may have come of a forged message, is
 * not for those that prove who they are from: the true sender is never blocked by it.
 */
function applies(rule: Candidate, authentication: SenderAuthentication): boolean {
  if (rule.label === 'spam') return rule.verified || authentication.result !== 'pass'
  return isTrusted(rule.verified ? rule.authenticatedDomain : undefined, authentication)
}

/**
 * Whether a message may profit from what was said of one that was authenticated for `domain`, or
 * not at all.
 */
export function isTrusted(domain: string | undefined, sender: SenderAuthentication): boolean {
  if (domain === undefined) return sender.result !== 'fail'
  return sender.result === 'pass' && sender.domain === domain
}

function mostSpecific(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.toSorted(byPrecedence)[0]
}

function byPrecedence(a: Candidate, b: Candidate): number {
  return (
    rank(a) - rank(b) ||
    Number(a.source === 'correction') - Number(b.source === 'correction') ||
    b.createdAt.getTime() - a.createdAt.getTime()
  )
}

/** 0 for the most specific kind of rule. */
function rank({ ruleType, pattern }: Candidate): number {
  if (ruleType === 'Thread') return 0
  if (ruleType === 'Template') return 1
  if (ruleType === 'List') return 4
  return pattern.includes('@') ? 2 : 3
}

/**
 * The pattern of a rule of that type made from a message with `patterns`; for Sender its address.
 *
 * @throws TamisError FIELD_INVALID, naming the field `ruleType`, when the message has none.
 */
export function patternFor(ruleType: RuleType, patterns: Patterns): string {
  const { thread, template, sender, list } = patterns
  const pattern = { Thread: thread, Template: template, Sender: sender, List: list }[ruleType]
  if (pattern !== undefined) return pattern
  throw fieldInvalid('ruleType', `No ${ruleType} rule can be made: ${LACKING[ruleType]}`)
}

const LACKING: Readonly<Record<RuleType, string>> = {
  Sender: 'its From field does not name one address',
  List: 'the message has no List-Id, List-Post or List-Unsubscribe that can be read',
  Thread: 'the message has no Message-ID, In-Reply-To or References',
  Template: 'the message has no words, or its From field does not name one address',
}

/** Longest pattern, in bytes: the longest line of a message (RFC 5322 §2.1.1). */
const PATTERN_BYTES_MAX = 998

/**
 * `pattern`, given by hand, as rules of that type have it: in lower case, hosts in punycode,
 * Message-IDs in angle brackets.
 *
 * @throws TamisError FIELD_INVALID, naming the field `pattern`, when no message could have it.
 */
export function checkPattern(ruleType: RuleType, pattern: string): string {
  const short = Buffer.byteLength(pattern) <= PATTERN_BYTES_MAX
  const checked = short ? READERS[ruleType](pattern.trim()) : undefined
  if (checked !== undefined) return checked
  throw fieldInvalid('pattern', `pattern must be ${EXPECTED[ruleType]}`)
}

const READERS: Readonly<Record<RuleType, (pattern: string) => string | undefined>> = {
  Sender: readSender,
  List: (pattern) => readListId(pattern) ?? comparedAddress(pattern) ?? comparedHost(pattern),
  Thread: (pattern) => readThread(pattern),
  Template: (pattern) => (isTemplate(pattern) ? pattern : undefined),
}

const EXPECTED: Readonly<Record<RuleType, string>> = {
  Sender: 'an address (ada@example.com) or a domain (example.com) for the rule type Sender',
  List: 'a List-Id, the address of a list or its host for the rule type List',
  Thread: 'a Message-ID (<1@example.com>) for the rule type Thread',
  Template: 'a template as the service made it from a message (t1:...) for the rule type Template',
}

/** No public suffix: a rule for 'com' or 'co.uk' would be about half the world. */
function readSender(pattern: string): string | undefined {
  if (pattern.includes('@')) return comparedAddress(pattern)
  const host = comparedHost(pattern)
  return host !== undefined && isRegistered(host) ? host : undefined
}

/** The whole must be one Message-ID; its brackets may be missing. */
function readThread(pattern: string): string | undefined {
  const bracketed = pattern.startsWith('<') ? pattern : `<${pattern}>`
  return readMessageId(bracketed) === bracketed ? bracketed : undefined
}

function fieldInvalid(field: string, message: string): TamisError {
  return new TamisError('FIELD_INVALID', message, { details: { field } })
}
