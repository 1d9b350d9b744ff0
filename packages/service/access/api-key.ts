/** Tenants and their API keys, as the store keeps them. */

export interface Tenant {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

/** This tenant exists from the start. */
export const DEFAULT_TENANT = 'default'

export interface NewApiKey {
  readonly tenant: string
  readonly name: string
  /** The SHA-256 of the key. The key itself is not stored. */
  readonly hash: Uint8Array
  readonly scopes: readonly string[]
  readonly entitlements: readonly string[]
  readonly requestsPerMinuteMax?: number
}

export interface ApiKey extends NewApiKey {
  readonly id: string
  readonly createdAt: Date
}
