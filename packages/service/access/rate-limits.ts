/**
 * Limits the requests of a key: a token bucket holds the requests of one minute and is refilled evenly. A key has its limit in
 * all threads of the process together: the buckets are in memory that they share. Of several services (replicas), each counts
 * for itself.
 *
 * A bucket is one number, the time at which it will be full again (the generic cell rate algorithm, ITU-T I.371): a request
 * moves that on by what one request takes to be refilled, and is refused where it would be more than a minute away.
 */
import { hash } from 'node:crypto'
import { TamisError } from '../../errors/errors.ts'
import { ALONE_SHARED, type Shared } from '../threads/shared.ts'
import type { Caller } from './caller.ts'

const MINUTE_NS = 60_000_000_000n
const NS_PER_SECOND = 1e9

/** Keys that have buckets of their own. */
const KEYS_MAX = 16_384

export class RateLimits {
  /** In turn the name of a key, 0 for none, and when its bucket is full. */
  readonly #buckets: BigInt64Array
  readonly #now: () => bigint

  private constructor(memory: SharedArrayBuffer, now: () => bigint) {
    this.#buckets = new BigInt64Array(memory)
    this.#now = now
  }

  /** @param now a clock in nanoseconds that never goes back, and is the same in all threads */
  static async open(
    shared: Shared = ALONE_SHARED,
    now = process.hrtime.bigint,
  ): Promise<RateLimits> {
    const bytes = 2 * KEYS_MAX * BigInt64Array.BYTES_PER_ELEMENT
    const memory = await shared.memory('rate limits', () => new SharedArrayBuffer(bytes))
    return new RateLimits(memory, now)
  }

  /** @throws TamisError RATE_LIMITED when the key has used up its requests */
  take({ keyId, requestsPerMinuteMax: max }: Pick<Caller, 'keyId' | 'requestsPerMinuteMax'>): void {
    if (keyId === undefined || max === undefined) return
    const now = this.#now()
    const at = this.#bucketOf(keyId)
    for (;;) {
      const before = Atomics.load(this.#buckets, at)
      const after = (before > now ? before : now) + MINUTE_NS / BigInt(max)
      const waitNs = Number(after - now - MINUTE_NS)
      if (waitNs > 0) {
        throw new TamisError('RATE_LIMITED', `The key may make only ${max} requests per minute`, {
          details: { retryAfterS: Math.ceil(waitNs / NS_PER_SECOND) },
        })
      }
      if (Atomics.compareExchange(this.#buckets, at, before, after) === before) return
    }
  }

  /** Where the bucket of a key is. If all are in use, keys share one. */
  #bucketOf(id: string): number {
    const name = hash('sha256', id, 'buffer').readBigInt64LE() || 1n
    const first = Number(BigInt.asUintN(64, name) % BigInt(KEYS_MAX))
    for (let tried = 0; tried < KEYS_MAX; tried++) {
      const at = 2 * ((first + tried) % KEYS_MAX)
      const owner = Atomics.compareExchange(this.#buckets, at, 0n, name)
      if (owner === 0n || owner === name) return at + 1
    }
    return 2 * first + 1
  }
}
