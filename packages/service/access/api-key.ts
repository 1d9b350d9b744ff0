/** API keys, as the store keeps them. */

export interface NewApiKey {
  readonly name: string
  /** Stands before the ids of the key's users (namespace.ts). */
  readonly namespace?: string
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
