/** Records what a tenant sets by API. Nothing is acknowledged before the store has it, and this process judges by it at once. */
import { TamisError } from '../../mail/errors.ts'
import type { Store } from '../store/store.ts'
import type { RecipientChange, RecipientName, RecipientSetting } from './recipient-setting.ts'
import type { NewTenantRule, TenantRule } from './site-rule.ts'
import type { Tenants } from './tenants.ts'

type SettingsStore = Pick<
  Store,
  | 'addSiteRule'
  | 'removeSiteRule'
  | 'siteRules'
  | 'setRecipient'
  | 'removeRecipient'
  | 'recipientSettings'
>

export class TenantSettings {
  readonly #store: SettingsStore
  readonly #tenants: Pick<Tenants, 'forget'>

  constructor(store: SettingsStore, tenants: Pick<Tenants, 'forget'>) {
    this.#store = store
    this.#tenants = tenants
  }

  /** @throws TamisError RULE_CONTRADICTS, RULES_FULL */
  async addRule(rule: NewTenantRule): Promise<{ rule: TenantRule; created: boolean }> {
    const added = await this.#store.addSiteRule(rule)
    this.#tenants.forget(rule.tenant)
    return added
  }

  /** @throws TamisError NOT_FOUND */
  async removeRule(tenant: string, id: string): Promise<void> {
    const isRemoved = await this.#store.removeSiteRule(tenant, id)
    if (!isRemoved) throw new TamisError('NOT_FOUND', 'There is no such site rule')
    this.#tenants.forget(tenant)
  }

  /** Rules of the tenant, newest first. */
  rules(...page: Parameters<Store['siteRules']>): Promise<TenantRule[]> {
    return this.#store.siteRules(...page)
  }

  /** @throws TamisError RULES_FULL */
  async setRecipient(
    tenant: string,
    change: RecipientChange,
  ): Promise<RecipientSetting | undefined> {
    const setting = await this.#store.setRecipient(tenant, change)
    this.#tenants.forget(tenant)
    return setting
  }

  /** @throws TamisError NOT_FOUND */
  async removeRecipient(tenant: string, recipient: RecipientName): Promise<void> {
    const isRemoved = await this.#store.removeRecipient(tenant, recipient)
    if (!isRemoved) throw new TamisError('NOT_FOUND', 'Nothing is set for this recipient')
    this.#tenants.forget(tenant)
  }

  /** Settings of the tenant, domains first, each by name. */
  recipients(...page: Parameters<Store['recipientSettings']>): Promise<RecipientSetting[]> {
    return this.#store.recipientSettings(...page)
  }
}
