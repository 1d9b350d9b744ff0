/** How often a key may ask, in all threads together. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RateLimits } from '../../access/rate-limits.ts'
import { oneForAll } from '../helpers/shared.ts'

const KEY = { keyId: 'key', requestsPerMinuteMax: 60 }

describe('RateLimits', () => {
  it('lets in the requests of a minute at once, and then one as often as the limit says, in all threads together', async () => {
    const { threads, tick } = await open(2)
    const [one, other] = threads as [RateLimits, RateLimits]
    assert.equal(letIn(one, 20) + letIn(other, 100), 60)
    tick(999)
    assert.equal(letIn(one, 100) + letIn(other, 100), 0)
    tick(1)
    assert.equal(letIn(one, 100) + letIn(other, 100), 1)
  })

  it('saves up nothing for a key that was idle for hours, and takes nothing for what it refuses', async () => {
    const { threads, tick } = await open(1)
    assert.equal(letIn(threads[0]!, 1), 1)
    tick(10 * 60 * 60_000)
    assert.equal(letIn(threads[0]!, 1_000), 60)
    assert.equal(letIn(threads[0]!, 1_000), 0)
    tick(1_000)
    assert.equal(letIn(threads[0]!, 1_000), 1)
  })

  it('says after how many seconds the next request may come, and lets it in then', async () => {
    const { threads, tick } = await open(1)
    const [limits] = threads
    const key = { keyId: 'slow', requestsPerMinuteMax: 7 }
    for (let i = 0; i < 7; i++) limits!.take(key)
    const refused = {
      code: 'RATE_LIMITED',
      message: 'The key may make only 7 requests per minute',
      details: { retryAfterS: 9 },
    }
    assert.throws(() => limits!.take(key), refused)
    tick(8_500)
    assert.throws(() => limits!.take(key), { ...refused, details: { retryAfterS: 1 } })
    tick(500)
    limits!.take(key)
  })

  it('does not limit a key without a limit, and each other key by itself', async () => {
    const { threads } = await open(1)
    for (let i = 0; i < 10_000; i++) threads[0]!.take({ keyId: 'free' })
    for (const keyId of Array.from({ length: 1_000 }, (_, at) => `key ${at}`)) {
      threads[0]!.take({ keyId, requestsPerMinuteMax: 1 })
    }
  })
})

/** The limits of `count` threads with one clock. */
async function open(count: number) {
  let now = 10n ** 15n
  const shared = oneForAll()
  const threads = Array.from({ length: count }, () => RateLimits.open(shared, () => now))
  const tick = (ms: number) => {
    now += BigInt(ms) * 1_000_000n
  }
  return { threads: await Promise.all(threads), tick }
}

/** How many of `count` requests are let in. */
function letIn(limits: RateLimits, count: number): number {
  for (let i = 0; i < count; i++) {
    try {
      limits.take(KEY)
    } catch {
      return i
    }
  }
  return count
}
