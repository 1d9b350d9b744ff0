/**
 * What is set by API, ready to judge with: the rules of its site, its weighted rules, and thresholds
 * and learning of its recipients.
 *
 * This is a cache of the store, bounded in rules and settings. A change, made here or by another process,
 * has the tenant read again; until it can be, what was read of it last holds.
 */
import { createHash } from 'node:crypto'
import {
  indexSiteRules,
  NO_SITE_RULES,
  type SiteRule,
  type SiteRuleIndex,
} from '../../mail/personalization/site-rules.ts'
import { recipientOf } from '../policies.ts'
import type { Store } from '../store/store.ts'
import { StoreCache } from '../store-cache.ts'
import type { MailLimits, RecipientLearning, RecipientSetting } from './recipient-setting.ts'
import type { TenantRule } from './site-rule.ts'
import type { TenantProfile } from './tenant-profile.ts'
import type { TenantWeightedRule } from './weighted-rule.ts'

/** Rules and settings that are held for all tenants together. A thousand take some 0.3 MB. */
const HELD_MAX = 200_000

/** Of these as many as a weighted rule counts for: a pattern keeps 10 to 45 KB, at worst 128, so all of them 256 MB. */
const WEIGHTED_RULE_SIZE = 100

/** The name of the one entry. */
const ALL = ''

/** Settings of users and of the recipients of domains. */
export interface Recipients {
  /** By user id as written. */
  readonly byUser: ReadonlyMap<string, RecipientSetting>
  /** By domain as comparedHost gives it. */
  readonly byDomain: ReadonlyMap<string, RecipientSetting>
}

export const NO_RECIPIENTS: Recipients = { byUser: new Map(), byDomain: new Map() }

/** From whom the tenant has something learned and from whom not. */
export interface LearningChoices {
  /** Undefined where the tenant says nothing of the user, nor of the domain. */
  of(userId: string): RecipientLearning | undefined
  /** The same for the same choices, and another for others; '' for none. */
  readonly name: string
}

export const NO_CHOICES: LearningChoices = { of: () => undefined, name: '' }

export interface Tenant {
  readonly siteRules: SiteRuleIndex
  readonly recipients: Recipients
  readonly learning: LearningChoices
  readonly weightedRules: readonly TenantWeightedRule[]
}

export const NOTHING_SET: Tenant = {
  siteRules: NO_SITE_RULES,
  recipients: NO_RECIPIENTS,
  learning: NO_CHOICES,
  weightedRules: [],
}

type TenantStore = Pick<Store, 'tenantProfile' | 'watch'>

export class Tenants {
  readonly #store: TenantStore
  /** By the id of the tenant. */
  readonly #cache: StoreCache<Tenant>
  #stopWatching: () => void = () => {}

  private constructor(store: TenantStore, heldMax: number) {
    this.#store = store
    this.#cache = new StoreCache(heldMax, sizeOf, NOTHING_SET)
  }

  /** Follows the changes in `store` until `close`. */
  static async open(store: TenantStore, heldMax = HELD_MAX): Promise<Tenants> {
    const tenants = new Tenants(store, heldMax)
    tenants.#stopWatching = await store.watch(({ topic }) => {
      if (topic === 'rules') tenants.#cache.outdate(ALL)
    })
    return tenants
  }

  close(): void {
    this.#stopWatching()
  }

  /** What the tenant has set; never rejects. */
  lookUp(): Promise<Tenant> {
    return this.#cache.lookUp(ALL, () => this.#read())
  }

  /** The same as the store has it. @throws TamisError STORE_UNAVAILABLE */
  read(): Promise<Tenant> {
    return this.#cache.read(ALL, () => this.#read())
  }

  async #read(): Promise<Tenant> {
    return tenantFrom(await this.#store.tenantProfile())
  }
}

/** A tenant that has set nothing takes up one place. */
function sizeOf({ siteRules, recipients, weightedRules }: Tenant): number {
  const ofRules = siteRules.count + weightedRules.length * WEIGHTED_RULE_SIZE
  return 1 + ofRules + recipients.byUser.size + recipients.byDomain.size
}

function tenantFrom({ siteRules, recipients, weightedRules }: TenantProfile): Tenant {
  return {
    siteRules: siteRules.length === 0 ? NO_SITE_RULES : indexSiteRules(siteRules.map(siteRuleOf)),
    recipients: recipientsFrom(recipients),
    learning: choicesFrom(recipients),
    weightedRules,
  }
}

function siteRuleOf({ id, ruleType, label, pattern, recipientDomain }: TenantRule): SiteRule {
  const scope = { ...(recipientDomain !== undefined && { recipientDomain }) }
  return { id, ruleType, label, pattern, scope }
}

function recipientsFrom(settings: readonly RecipientSetting[]): Recipients {
  if (settings.length === 0) return NO_RECIPIENTS
  const ofKind = (kind: RecipientSetting['kind']) =>
    new Map(settings.flatMap((each) => (each.kind === kind ? [[each.name, each] as const] : [])))
  return { byUser: ofKind('user'), byDomain: ofKind('domain') }
}

function choicesFrom(settings: readonly RecipientSetting[]): LearningChoices {
  const chosen = settings.filter(({ learning }) => learning !== undefined)
  if (chosen.length === 0) return NO_CHOICES
  const recipients = recipientsFrom(chosen)
  const text = chosen.map(({ kind, name, learning }) => JSON.stringify([kind, name, learning]))
  return {
    of: (userId) => settingFor(recipients, userId, 'learning'),
    name: createHash('sha256').update(text.sort().join('\n')).digest('base64'),
  }
}

/** What is set for the user, else for the domain of the user's address; undefined for neither. */
export function settingFor<Name extends 'threshold' | 'learning' | keyof MailLimits>(
  { byUser, byDomain }: Recipients,
  userId: string,
  name: Name,
): RecipientSetting[Name] | undefined {
  if (byUser.size + byDomain.size === 0) return undefined
  const { recipientDomain = '' } = recipientOf(userId)
  return byUser.get(userId)?.[name] ?? byDomain.get(recipientDomain)?.[name]
}

/** From when on a mail server is to refuse or hold mail for the user, each as set for the user, else for the domain. */
export function limitsFor(recipients: Recipients, userId: string): MailLimits {
  const rejectAt = settingFor(recipients, userId, 'rejectAt')
  const quarantineAt = settingFor(recipients, userId, 'quarantineAt')
  return {
    ...(rejectAt !== undefined && { rejectAt }),
    ...(quarantineAt !== undefined && { quarantineAt }),
  }
}
