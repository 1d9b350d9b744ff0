/**
 * Limits the requests of a key: a token bucket holds the requests of one minute and is refilled evenly.
 * Each process counts for itself: with several replicas a key has the limit at each of them.
 */
import { TamisError } from '../../mail/errors.ts'
import type { ApiKey } from './api-key.ts'

const MINUTE_MS = 60_000

interface Bucket {
  tokens: number
  filledAt: number
}

export class RateLimits {
  readonly #buckets = new Map<string, Bucket>()
  readonly #now: () => number

  /** @param now a clock in milliseconds that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** @throws TamisError RATE_LIMITED when `key` has used up its requests */
  take({ id, requestsPerMinuteMax: max }: Pick<ApiKey, 'id' | 'requestsPerMinuteMax'>): void {
    if (max === undefined) return
    const now = this.#now()
    const bucket = this.#buckets.get(id) ?? { tokens: max, filledAt: now }
    this.#buckets.set(id, bucket)
    bucket.tokens = Math.min(max, bucket.tokens + ((now - bucket.filledAt) * max) / MINUTE_MS)
    bucket.filledAt = now
    if (bucket.tokens < 1) {
      const waitMs = ((1 - bucket.tokens) * MINUTE_MS) / max
      throw new TamisError('RATE_LIMITED', `The key may make only ${max} requests per minute`, {
        details: { retryAfterS: Math.ceil(waitMs / 1000) },
      })
    }
    bucket.tokens--
  }
}
