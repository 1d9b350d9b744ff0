import type { Kind } from '../../mail/personalization/kinds.ts'
import { isSharedSender } from '../../mail/personalization/patterns.ts'
import type { CorrectionRule } from '../../mail/personalization/rule-index.ts'
import {
  checkNewPattern,
  checkPattern,
  isWildcard,
  patternFor,
  undisputedRules,
} from '../../mail/personalization/rules.ts'
import type { LearnedModels } from '../learned-models/learned-models.ts'
import type { Store } from '../store/store.ts'
import type {
  Corrector,
  LearnableMessage,
  MemoryItem,
  NewCorrection,
  Opinion,
  Rule,
  RuleName,
  SPAM_FEEDBACK_STATUSES,
} from './correction.ts'
import type { MessageKeys } from './message-keys.ts'
import { MEMORY_ITEMS_MAX } from './users.ts'

/** What became of a correction. */
export interface Feedback {
  readonly status: (typeof SPAM_FEEDBACK_STATUSES)[number]
  readonly feedbackId: string
}

/** A rule as it is listed: explicit, or made by itself from a correction. */
export type ListedRule = Rule & { readonly source?: 'correction' }

type RuleWish = Pick<Rule, 'userId' | 'kind' | 'ruleType' | 'label'>

export interface CorrectionsSettings {
  readonly store: Store
  readonly keys: MessageKeys
  readonly learned: Pick<LearnedModels, 'featureVersion' | 'wouldLearn'>
}

export class Corrections {
  readonly #store: Store
  readonly #keys: MessageKeys
  readonly #learned: CorrectionsSettings['learned']

  constructor({ store, keys, learned }: CorrectionsSettings) {
    this.#store = store
    this.#keys = keys
    this.#learned = learned
  }

  /**
   * Records what the user says of the message.
   *
   * @param skipRule whether no Sender rule is made from it.
   */
  async correct(
    corrector: Corrector,
    message: LearnableMessage,
    opinion: Opinion,
    skipRule = false,
  ): Promise<Feedback> {
    const { patterns } = message
    const { sender, senderDomain = '' } = patterns
    const ruled = opinion.kind === 'spam' ? sender : undefined
    const makesRule =
      !skipRule && ruled !== undefined && !isWildcard('Sender', ruled) && !isSharedSender(patterns)
    const isClaimed = message.authenticatedDomain === undefined && senderDomain !== ''
    const correction: NewCorrection = {
      ...corrector,
      ...opinion,
      messageKey: this.#keys.keyOf('message', message.identity),
      senderKey: this.#keys.keyOf('sender', sender ?? ''),
      domainKey: this.#keys.keyOf('domain', senderDomain),
      ...authenticatedDomainOf(message),
      ...(isClaimed && { claimedDomain: senderDomain }),
      ...(makesRule && { rulePattern: ruled }),
      ...(ruled !== undefined && { dropsRulesFor: ruled }),
      featureVersion: this.#learned.featureVersion,
      ...message.item,
      features: message.eventFeatures,
    }
    // Only corrections about spam may concern their user alone.
    const isForAll = opinion.kind === 'tabs' || (await this.#learned.wouldLearn(correction))
    const { status, feedbackId } = await this.#store.recordCorrection(correction)
    if (status === 'already_recorded') return { status, feedbackId }
    return { status: isForAll ? 'success' : 'personalization_only', feedbackId }
  }

  /** Withdraws the user's correction of the message, and a class rule that was made from the message. */
  withdraw(kind: Kind, { userId, authority }: Corrector, message: LearnableMessage) {
    const messageKey = this.#keys.keyOf('message', message.identity)
    return this.#store.withdrawCorrection({ userId, authority, kind, messageKey })
  }

  /**
   * A rule by the pattern of `message`.
   *
   * @throws TamisError FIELD_INVALID when the message has none of that type.
   */
  async addRuleFrom(
    message: LearnableMessage,
    wish: RuleWish,
  ): Promise<{ rule: Rule; created: boolean }> {
    const pattern = patternFor(wish.ruleType, message.patterns)
    const { authenticatedDomain } = message
    return await this.#store.addRule({
      ...wish,
      pattern,
      unverified: authenticatedDomain === undefined,
      ...authenticatedDomainOf(message),
      messageKey: this.#keys.keyOf('message', message.identity),
    })
  }

  /** A rule by its pattern. @throws TamisError FIELD_INVALID */
  async addRule(wish: RuleWish & { pattern: string }): Promise<{ rule: Rule; created: boolean }> {
    const pattern = checkNewPattern(wish.ruleType, wish.pattern)
    return await this.#store.addRule({ ...wish, pattern, unverified: true })
  }

  /** Explicit rules and those made from corrections, newest first. */
  async rulesOf(userId: string, kind: Kind): Promise<ListedRule[]> {
    const profile = await this.#store.userProfile(userId, MEMORY_ITEMS_MAX)
    const automatic = kind === 'spam' ? undisputedRules(profile.automaticRules, profile.spam) : []
    return [
      ...profile.rules.filter((rule) => rule.kind === kind),
      ...onePerPattern(automatic).map((rule) => listedRule(rule, userId)),
    ].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  }

  /** Removes rules, explicit ones and those made from corrections. Returns how many there were. */
  async removeRule(name: RuleName): Promise<number> {
    const { userId, kind, ruleType } = name
    const pattern = checkPattern(ruleType, name.pattern)
    const explicit = await this.#store.removeRules({ ...name, pattern })
    const automatic =
      kind === 'spam' && ruleType === 'Sender'
        ? await this.#store.dropAutomaticRule(userId, pattern)
        : 0
    return explicit + Math.min(automatic, 1)
  }

  /** A user's corrections that hold, newest first. */
  async memoryOf(userId: string): Promise<MemoryItem[]> {
    const { spam, tabs } = await this.#store.userProfile(userId, MEMORY_ITEMS_MAX)
    return [...spam, ...tabs].sort((a, b) => Number(b.createdAt) - Number(a.createdAt))
  }
}

function authenticatedDomainOf({ authenticatedDomain }: { readonly authenticatedDomain?: string }) {
  return authenticatedDomain === undefined ? {} : { authenticatedDomain }
}

/** Several corrections of one sender make one rule: the newest. */
function onePerPattern(rules: readonly CorrectionRule[]): CorrectionRule[] {
  const newest = new Map<string, CorrectionRule>()
  for (const rule of rules) if (!newest.has(rule.pattern)) newest.set(rule.pattern, rule)
  return [...newest.values()]
}

function listedRule(rule: CorrectionRule, userId: string): ListedRule {
  const { feedbackId, label, pattern, authenticatedDomain, createdAt } = rule
  return {
    id: feedbackId,
    userId,
    kind: 'spam',
    ruleType: 'Sender',
    pattern,
    label,
    unverified: authenticatedDomain === undefined,
    createdAt,
    source: 'correction',
  }
}
