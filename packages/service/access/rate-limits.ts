/**
 * Limits the requests of a key: a token bucket holds the requests of one minute and is refilled evenly.
 *
 * A key has its limit in all processes of a service together. Each has the whole bucket, answers at once,
 * and tells the others a moment later what it has taken, which they take from theirs too. So a key can
 * exceed its limit by what the others let in within TELL_MS, and waits for the longer afterwards. Of several
 * services (replicas), each counts for itself.
 */
import { TamisError } from '../../errors/errors.ts'
import { ALONE, type Siblings, topic } from '../siblings/siblings.ts'
import type { ApiKey } from './caller.ts'

const MINUTE_MS = 60_000

/** How soon the others hear of what was taken, in milliseconds: five messages a second among processes. */
const TELL_MS = 200

interface Bucket {
  /** Below 0 where several processes have let in more than the limit. */
  tokens: number
  filledAt: number
}

interface Limited extends Pick<ApiKey, 'id'> {
  readonly requestsPerMinuteMax?: number | undefined
}

/** What a process has let in with a key. */
interface Taken {
  readonly id: ApiKey['id']
  readonly count: number
  /** The limit of the key. */
  readonly max: number
}

const TAKEN = topic<[taken: readonly Taken[]]>('requests taken')

export class RateLimits {
  readonly #siblings: Siblings
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  /** What the others have not heard of, by key. */
  readonly #untold = new Map<string, Taken>()
  #timer: NodeJS.Timeout | undefined

  /** @param now a clock in milliseconds that never goes back */
  constructor(siblings = ALONE, now: () => number = () => performance.now()) {
    this.#siblings = siblings
    this.#now = now
    siblings.on(TAKEN, (taken) => {
      for (const { id, count, max } of taken) this.#bucket(id, max).tokens -= count
    })
  }

  /** @throws TamisError RATE_LIMITED when `key` has used up its requests */
  take({ id, requestsPerMinuteMax: max }: Limited): void {
    if (max === undefined) return
    const bucket = this.#bucket(id, max)
    if (bucket.tokens < 1) {
      const waitMs = ((1 - bucket.tokens) * MINUTE_MS) / max
      throw new TamisError('RATE_LIMITED', `The key may make only ${max} requests per minute`, {
        details: { retryAfterS: Math.ceil(waitMs / 1000) },
      })
    }
    bucket.tokens -= 1
    if (this.#siblings.count > 1) this.#tellLater(id, 1, max)
  }

  /** The bucket of a key, filled up to now. */
  #bucket(id: string, max: number): Bucket {
    const now = this.#now()
    const bucket = this.#buckets.get(id) ?? { tokens: max, filledAt: now }
    this.#buckets.set(id, bucket)
    bucket.tokens = Math.min(max, bucket.tokens + ((now - bucket.filledAt) * max) / MINUTE_MS)
    bucket.filledAt = now
    return bucket
  }

  #tellLater(id: string, taken: number, max: number): void {
    const count = (this.#untold.get(id)?.count ?? 0) + taken
    this.#untold.set(id, { id, count, max })
    this.#timer ??= setTimeout(() => this.#tell(), TELL_MS).unref()
  }

  #tell(): void {
    this.#timer = undefined
    this.#siblings.tell(TAKEN, [...this.#untold.values()])
    this.#untold.clear()
  }
}
