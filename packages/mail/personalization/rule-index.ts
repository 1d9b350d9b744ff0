/**
 * A user's rules, laid out for one question: which of them fit this message?
 *
 * A user has up to 2,000 stated rules of each kind, and every message is matched against all of them.
 * So rules are looked up by the pattern that the message must have; only Template rules are compared
 * one by one, and only with messages from their sender's domain.
 */
import type { Kind, RuleSource, RuleType } from './kinds.ts'
import type { Patterns } from './patterns.ts'
import { hostOfAddress, patternsOfHost } from './sender-address.ts'
import { areAlike, type Sketches, sketchesIn } from './template.ts'

/** A rule that the user made, as the store keeps it. */
export interface ExplicitRule {
  readonly id: string
  readonly kind: Kind
  readonly ruleType: RuleType
  readonly pattern: string
  /** `spam` or `ham`; a class, for the kind `tabs`. */
  readonly label: string
  /** True when it was made by pattern, or from a message that was not authenticated. */
  readonly unverified: boolean
  /** The domain for which the message that it was made from was authenticated. */
  readonly authenticatedDomain?: string
  readonly createdAt: Date
}

/** A Sender rule made from a correction, as the store keeps it. */
export interface CorrectionRule {
  readonly feedbackId: string
  readonly label: string
  readonly pattern: string
  readonly senderKey: Uint8Array
  readonly authenticatedDomain?: string
  readonly createdAt: Date
}

/** A rule of either origin, with what ranks it. */
export interface IndexedRule extends Omit<ExplicitRule, 'kind' | 'unverified'> {
  readonly verified: boolean
  readonly source: RuleSource
}

export interface RuleIndex {
  /** The number of stated rules of both kinds, and of those made from corrections. */
  readonly count: number
  /** Whether one of them is about a template. */
  readonly hasTemplates: boolean
  /** Approximate memory that all this takes, in bytes. */
  readonly bytes: number
  readonly spam: RulesOfKind
  readonly tabs: RulesOfKind
}

interface RulesOfKind {
  /** Rules by type and pattern. */
  readonly byPattern: ReadonlyMap<string, readonly IndexedRule[]>
  /** Template rules that match similar messages, by their senders' domain. */
  readonly sketched: ReadonlyMap<string, readonly SketchedRule[]>
}

interface SketchedRule {
  readonly rule: IndexedRule
  readonly sketches: Sketches
}

/** Memory of a rule with its pattern and its place, and what a Template needs besides, in bytes; measured on 20,000. */
const RULE_BYTES = 720
const SKETCHES_BYTES = 820

/** The index of a user's rules. Among equal rules the one given first comes first. */
export function indexRules(
  explicit: readonly ExplicitRule[],
  fromCorrections: readonly CorrectionRule[],
): RuleIndex {
  const ofKind = (kind: Kind) => explicit.filter((rule) => rule.kind === kind).map(statedRule)
  const count = explicit.length + fromCorrections.length
  const templates = explicit.filter(({ ruleType }) => ruleType === 'Template').length
  return {
    count,
    hasTemplates: templates > 0,
    bytes: count * RULE_BYTES + templates * SKETCHES_BYTES,
    spam: rulesOfKind([...ofKind('spam'), ...fromCorrections.map(correctionRule)]),
    tabs: rulesOfKind(ofKind('tabs')),
  }
}

function rulesOfKind(rules: readonly IndexedRule[]): RulesOfKind {
  const sketched: (SketchedRule & { readonly domain: string })[] = []
  const exact: IndexedRule[] = []
  for (const rule of rules) {
    const sketches = rule.ruleType === 'Template' ? sketchesIn(rule.pattern) : undefined
    if (sketches === undefined) exact.push(rule)
    else sketched.push({ rule, sketches, domain: sketches.domain })
  }
  return {
    byPattern: Map.groupBy(exact, ({ ruleType, pattern }) => nameOf(ruleType, pattern)),
    sketched: Map.groupBy(sketched, ({ domain }) => domain),
  }
}

function statedRule({ unverified, kind: _, ...rule }: ExplicitRule): IndexedRule {
  return { ...rule, verified: !unverified, source: 'explicit' }
}

function correctionRule({ feedbackId, senderKey: _, ...rule }: CorrectionRule): IndexedRule {
  const verified = rule.authenticatedDomain !== undefined
  return { ...rule, id: feedbackId, ruleType: 'Sender', verified, source: 'correction' }
}

function nameOf(ruleType: RuleType, pattern: string): string {
  return `${ruleType} ${pattern}`
}

/**
 * The rules of one kind that fit a message with `patterns`: the most specific first, a stated rule
 * before one made from a correction, a newer one before an older one. Of several authors each is covered by its blocks alone,
 * since nobody knows whom a program shows.
 */
export function fittingRules(
  index: RuleIndex,
  kind: Kind,
  { thread, template, sender, authors = [], list }: Patterns,
): IndexedRule[] {
  const { byPattern, sketched } = index[kind]
  const having = (ruleType: RuleType, pattern: string | undefined) =>
    (pattern !== undefined && byPattern.get(nameOf(ruleType, pattern))) || []
  return [
    having('Thread', thread),
    [...having('Template', template), ...rulesLike(template, sketched)],
    having('Sender', sender),
    domainPatterns(sender).flatMap((pattern) => having('Sender', pattern)),
    authors
      .flatMap((author) => [author, ...domainPatterns(author)])
      .flatMap((pattern) => having('Sender', pattern))
      .filter(({ label }) => label === 'spam'),
    having('List', list),
  ].flatMap((ofOneRank) => ofOneRank.toSorted(byPrecedence))
}

function rulesLike(
  template: string | undefined,
  sketched: RulesOfKind['sketched'],
): readonly IndexedRule[] {
  if (template === undefined || sketched.size === 0) return []
  const sketches = sketchesIn(template)
  if (sketches === undefined) return []
  return (sketched.get(sketches.domain) ?? [])
    .filter((rule) => areAlike(rule.sketches, sketches))
    .map(({ rule }) => rule)
}

/** The patterns of domains that cover an address. */
function domainPatterns(sender: string | undefined): string[] {
  return sender === undefined ? [] : patternsOfHost(hostOfAddress(sender))
}

function byPrecedence(a: IndexedRule, b: IndexedRule): number {
  return (
    Number(a.source === 'correction') - Number(b.source === 'correction') ||
    b.createdAt.getTime() - a.createdAt.getTime()
  )
}
