/** Records what a tenant sets by API. Nothing is acknowledged before the store has it, and has told those who watch it (tenants.ts). */
import { TamisError } from '../../errors/errors.ts'
import type { Store } from '../store/store.ts'
import type { RecipientChange, RecipientName, RecipientSetting } from './recipient-setting.ts'
import type { NewTenantRule, TenantRule } from './site-rule.ts'
import type { NewWeightedRule, TenantWeightedRule } from './weighted-rule.ts'

type SettingsStore = Pick<
  Store,
  | 'addSiteRule'
  | 'removeSiteRule'
  | 'siteRules'
  | 'addWeightedRule'
  | 'removeWeightedRule'
  | 'weightedRules'
  | 'setRecipient'
  | 'removeRecipient'
  | 'recipientSettings'
>

export class TenantSettings {
  readonly #store: SettingsStore

  constructor(store: SettingsStore) {
    this.#store = store
  }

  /** @throws TamisError RULE_CONTRADICTS, RULES_FULL */
  addRule(rule: NewTenantRule): Promise<{ rule: TenantRule; created: boolean }> {
    return this.#store.addSiteRule(rule)
  }

  /** @throws TamisError NOT_FOUND */
  async removeRule(id: string): Promise<void> {
    const isRemoved = await this.#store.removeSiteRule(id)
    if (!isRemoved) throw new TamisError('NOT_FOUND', 'There is no such site rule')
  }

  /** Rules of the tenant, newest first. */
  rules(...page: Parameters<Store['siteRules']>): Promise<TenantRule[]> {
    return this.#store.siteRules(...page)
  }

  /** @throws TamisError RULE_CONTRADICTS, RULES_FULL */
  addWeightedRule(rule: NewWeightedRule): Promise<{ rule: TenantWeightedRule; created: boolean }> {
    return this.#store.addWeightedRule(rule)
  }

  /** @throws TamisError NOT_FOUND */
  async removeWeightedRule(id: string): Promise<void> {
    const isRemoved = await this.#store.removeWeightedRule(id)
    if (!isRemoved) throw new TamisError('NOT_FOUND', 'There is no such weighted rule')
  }

  /** Weighted rules of the tenant, newest first. */
  weightedRules(...page: Parameters<Store['weightedRules']>): Promise<TenantWeightedRule[]> {
    return this.#store.weightedRules(...page)
  }

  /** @throws TamisError RULES_FULL */
  setRecipient(change: RecipientChange): Promise<RecipientSetting | undefined> {
    return this.#store.setRecipient(change)
  }

  /** @throws TamisError NOT_FOUND */
  async removeRecipient(recipient: RecipientName): Promise<void> {
    const isRemoved = await this.#store.removeRecipient(recipient)
    if (!isRemoved) throw new TamisError('NOT_FOUND', 'This recipient has no settings')
  }

  /** Settings of the tenant, domains first, each by name. */
  recipients(...page: Parameters<Store['recipientSettings']>): Promise<RecipientSetting[]> {
    return this.#store.recipientSettings(...page)
  }
}
