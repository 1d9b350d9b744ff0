/** How often a key may ask, of one process and of several. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { RateLimits } from '../../access/rate-limits.ts'
import { siblings } from '../helpers/siblings.ts'

const KEY = { id: 'key', requestsPerMinuteMax: 60 }

describe('RateLimits', () => {
  it('lets in the requests of a minute at once, and then one as often as the limit says', (t) => {
    const { processes, tick } = open(t, 1)
    assert.equal(letIn(processes[0]!, 100), 60)
    tick(999)
    assert.equal(letIn(processes[0]!, 100), 0)
    tick(1)
    assert.equal(letIn(processes[0]!, 100), 1)
  })

  it('saves up nothing for a key that was idle for hours', (t) => {
    const { processes, tick } = open(t, 1)
    assert.equal(letIn(processes[0]!, 1), 1)
    tick(10 * 60 * 60_000)
    assert.equal(letIn(processes[0]!, 1_000), 60)
  })

  it('says after how many seconds the next request may come, and lets it in then', (t) => {
    const { processes, tick } = open(t, 1)
    const [limits] = processes
    const key = { id: 'slow', requestsPerMinuteMax: 7 }
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

  it('does not limit a key without a limit', (t) => {
    const { processes, tick, told } = open(t, 2)
    for (let i = 0; i < 10_000; i++) processes[0]!.take({ id: 'free' })
    tick(60_000)
    assert.equal(told(), 0)
  })

  it('makes a key wait for what several processes let in at once', (t) => {
    const { processes, tick } = open(t, 3)
    assert.deepEqual(
      processes.map((process) => letIn(process, 100)),
      [60, 60, 60],
    )
    tick(200)
    assert.throws(() => processes[0]!.take(KEY), {
      code: 'RATE_LIMITED',
      details: { retryAfterS: 121 },
    })
    tick(120_000)
    assert.equal(letIn(processes[0]!, 100), 0)
    tick(1_000)
    assert.equal(letIn(processes[0]!, 100), 1)
  })

  it('keeps a key that asks all the time to its limit, whichever process answers', (t) => {
    const { processes, tick } = open(t, 3)
    let count = 0
    for (let ms = 0; ms < 10 * 60_000; ms += 50) {
      for (const process of processes) count += letIn(process, 1)
      tick(50)
    }
    // The bucket at the start, ten minutes, and what two others let in within 200 ms.
    assert.ok(count >= 11 * 60 && count <= 11 * 60 + 2 * 4, `${count}`)
  })
})

/** `count` processes with one clock. */
function open(t: TestContext, count: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  let told = 0
  const processes = siblings(count).map((each) => {
    const tell: typeof each.tell = (...what) => {
      told++
      each.tell(...what)
    }
    return new RateLimits({ ...each, tell }, () => now)
  })
  const tick = (ms: number) => {
    now += ms
    t.mock.timers.tick(ms)
  }
  return { processes, tick, told: () => told }
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
