/**
 * What each tenant has set by API, ready to judge with: the rules of its site, and thresholds and
 * learning of its recipients.
 *
 * The store is the truth and this a cache of it, bounded in entries, the tenant that was not heard of
 * for longest leaving first. A change, made here or by another process, has the tenant read again.
 * Judging never waits long for the store, and never fails with it: until a tenant can be read again,
 * what was read of it last holds.
 */
import { createHash } from 'node:crypto'
import {
  indexSiteRules,
  NO_SITE_RULES,
  type SiteRule,
  type SiteRuleIndex,
} from '../../mail/personalization/site-rules.ts'
import { recipientOf } from '../policies.ts'
import type { Change } from '../store/change.ts'
import type { Store } from '../store/store.ts'
import type { RecipientLearning, RecipientSetting } from './recipient-setting.ts'
import type { TenantRule } from './site-rule.ts'
import type { TenantProfile } from './tenant-profile.ts'

/** How long judging waits for what a tenant has set, in milliseconds: as long as for its users. */
const LOOKUP_MS_MAX = 250

/** Rules and settings that are held for all tenants together. A thousand take some 0.3 MB. */
const HELD_MAX = 200_000

/** What is set for users and for the recipients of domains. */
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
}

export const NOTHING_SET: Tenant = {
  siteRules: NO_SITE_RULES,
  recipients: NO_RECIPIENTS,
  learning: NO_CHOICES,
}

type TenantStore = Pick<Store, 'tenantProfile' | 'watch'>

interface Entry {
  /** What was read last. */
  tenant?: Tenant
  /** What is being read, or was, since the last change. */
  reading?: Promise<Tenant> | undefined
  /** True while nothing has changed since `tenant` was read. */
  isCurrent: boolean
}

export class Tenants {
  readonly #store: TenantStore
  readonly #heldMax: number
  /** By the id of the tenant; the longest unused first. */
  readonly #entries = new Map<string, Entry>()
  #held = 0
  #stopWatching: () => void = () => {}

  private constructor(store: TenantStore, heldMax: number) {
    this.#store = store
    this.#heldMax = heldMax
  }

  /** Follows the changes in `store` until `close`. */
  static async open(store: TenantStore, heldMax = HELD_MAX): Promise<Tenants> {
    const tenants = new Tenants(store, heldMax)
    tenants.#stopWatching = await store.watch((change) => tenants.#onChange(change))
    return tenants
  }

  close(): void {
    this.#stopWatching()
  }

  /** What the tenant has set; never rejects. */
  async lookUp(id: string): Promise<Tenant> {
    const entry = this.#used(id)
    if (entry.isCurrent) return entry.tenant!
    const otherwise = () => entry.tenant ?? NOTHING_SET
    return await Promise.race([
      this.#read(id, entry).catch(otherwise),
      after(LOOKUP_MS_MAX).then(otherwise),
    ])
  }

  /** The same as the store has it. @throws TamisError STORE_UNAVAILABLE */
  async read(id: string): Promise<Tenant> {
    const entry = this.#used(id)
    return entry.isCurrent ? entry.tenant! : await this.#read(id, entry)
  }

  /** The entry that was used last stands last. */
  #used(id: string): Entry {
    const entry = this.#entries.get(id) ?? { isCurrent: false }
    this.#entries.delete(id)
    this.#entries.set(id, entry)
    return entry
  }

  #read(id: string, entry: Entry): Promise<Tenant> {
    if (entry.reading !== undefined) return entry.reading
    const reading = this.#store.tenantProfile(id).then((profile) => tenantFrom(id, profile))
    entry.reading = reading
    reading.then(
      (tenant) => {
        if (entry.reading === reading) this.#keep(id, entry, tenant)
      },
      () => {
        if (entry.reading === reading) entry.reading = undefined
      },
    )
    return reading
  }

  #keep(id: string, entry: Entry, tenant: Tenant): void {
    entry.reading = undefined
    if (this.#entries.get(id) !== entry) return
    this.#held += sizeOf(tenant) - sizeOf(entry.tenant)
    entry.tenant = tenant
    entry.isCurrent = true
    for (const [oldest, { tenant: held }] of this.#entries) {
      if (this.#held <= this.#heldMax || oldest === id) break
      this.#held -= sizeOf(held)
      this.#entries.delete(oldest)
    }
  }

  /** The tenant is read again before it is next judged for. */
  #onChange({ topic, tenant }: Change): void {
    const entry = topic === 'tenant' ? this.#entries.get(tenant) : undefined
    if (entry === undefined) return
    entry.isCurrent = false
    // What is being read may be from before the change.
    entry.reading = undefined
  }
}

/** A tenant that has set nothing takes up one place. */
function sizeOf(tenant: Tenant | undefined): number {
  if (tenant === undefined) return 0
  const { siteRules, recipients } = tenant
  return 1 + siteRules.count + recipients.byUser.size + recipients.byDomain.size
}

function tenantFrom(id: string, { siteRules, recipients }: TenantProfile): Tenant {
  return {
    siteRules: siteRules.length === 0 ? NO_SITE_RULES : indexSiteRules(siteRules.map(siteRuleOf)),
    recipients: recipientsFrom(recipients),
    learning: choicesFrom(id, recipients),
  }
}

function siteRuleOf({
  id,
  ruleType,
  label,
  pattern,
  tenant,
  recipientDomain,
}: TenantRule): SiteRule {
  const scope = { tenant, ...(recipientDomain !== undefined && { recipientDomain }) }
  return { id, ruleType, label, pattern, scope }
}

function recipientsFrom(settings: readonly RecipientSetting[]): Recipients {
  if (settings.length === 0) return NO_RECIPIENTS
  const ofKind = (kind: RecipientSetting['kind']) =>
    new Map(settings.flatMap((each) => (each.kind === kind ? [[each.name, each] as const] : [])))
  return { byUser: ofKind('user'), byDomain: ofKind('domain') }
}

function choicesFrom(id: string, settings: readonly RecipientSetting[]): LearningChoices {
  const chosen = settings.filter(({ learning }) => learning !== undefined)
  if (chosen.length === 0) return NO_CHOICES
  const recipients = recipientsFrom(chosen)
  const text = chosen.map(({ kind, name, learning }) => JSON.stringify([kind, name, learning]))
  return {
    of: (userId) => settingFor(recipients, userId, 'learning'),
    name: createHash('sha256').update(id).update(text.sort().join('\n')).digest('base64'),
  }
}

/** What is set for the user, else for the domain of the user's address; undefined for neither. */
export function settingFor<Name extends 'threshold' | 'learning'>(
  { byUser, byDomain }: Recipients,
  userId: string,
  name: Name,
): RecipientSetting[Name] | undefined {
  if (byUser.size + byDomain.size === 0) return undefined
  const { recipientDomain = '' } = recipientOf(userId)
  return byUser.get(userId)?.[name] ?? byDomain.get(recipientDomain)?.[name]
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
