import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RecentWork, STEP_MS } from '../../http/recent-work.ts'
import type { FullResult } from '../../http/schemas.ts'
import { siblings } from '../helpers/siblings.ts'

const START = Date.parse('2026-11-20T12:00:00Z')

function watch() {
  const clock = { now: START, queueDepth: 0 }
  const recent = new RecentWork({
    queueDepth: () => clock.queueDepth,
    feeds: {
      status: () => [
        { feed: 'a', entries: 1, ageMs: clock.now - START + 1_000 },
        { feed: 'b', entries: 0 },
      ],
    },
    now: () => clock.now,
  })
  return { clock, recent }
}

const SPAM = {
  isSpam: true,
  bypassReason: 'user_rule',
  shouldEscalate: true,
  classification: 'updates',
} as FullResult
const HAM = { ...SPAM, isSpam: false, bypassReason: null, shouldEscalate: false } as FullResult

describe('RecentWork', () => {
  it('counts what happened in a step', async () => {
    const { clock, recent } = watch()
    clock.queueDepth = 7
    recent.answered(SPAM)
    recent.answered(HAM)
    clock.queueDepth = 2
    recent.request(200, 4)
    recent.request(503, 4)
    recent.request(400, 4)
    clock.now += 1_500
    assert.deepEqual(await recent.of(0), [
      {
        at: '2026-11-20T12:00:00.000Z',
        queueDepth: 7,
        feeds: { a: 3, b: null },
        messages: 1,
        refused: 1,
        spam: 1,
        ham: 1,
        overridden: 1,
        escalated: 1,
        classes: { primary: 0, promotions: 0, updates: 2, transactions: 0 },
        latencyMs: { p50: 4.11, p95: 4.11, p99: 4.11 },
      },
    ])
  })

  it('tells latencies to a tenth', async () => {
    const { recent } = watch()
    for (let ms = 1; ms <= 1_000; ms++) recent.request(200, ms)
    const { p50, p95, p99 } = (await recent.of(0))[0]!.latencyMs!
    assert.ok(p50 >= 500 && p50 <= 550, `${p50}`)
    assert.ok(p95 >= 950 && p95 <= 1_045, `${p95}`)
    assert.ok(p99 >= 990 && p99 <= 1_089, `${p99}`)
    for (const ms of [0, 1e-9, 1e9, Number.MAX_VALUE]) recent.request(200, ms)
    assert.equal((await recent.of(0))[0]?.messages, 1_004)
  })

  it('has no step where nothing happened, and forgets after half an hour', async () => {
    const { clock, recent } = watch()
    recent.answered(HAM)
    clock.now += 10 * STEP_MS
    recent.answered(HAM)
    const times = (await recent.of(0)).map(({ at }) => at)
    assert.deepEqual(times, ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:50.000Z'])
    assert.deepEqual(
      (await recent.of(START)).map(({ at }) => at),
      ['2026-11-20T12:00:50.000Z'],
    )
    for (let i = 0; i < 1_000; i++) {
      clock.now += STEP_MS
      recent.answered(HAM)
    }
    assert.equal((await recent.of(0)).length, 361)
  })

  it('adds up the steps of all processes, whichever is asked', async () => {
    const clock = { now: START }
    const [one, two] = siblings(2).map(
      (each, i) =>
        new RecentWork({
          queueDepth: () => i + 1,
          feeds: { status: () => [{ feed: 'a', entries: 1, ageMs: 1_000 }] },
          siblings: each,
          now: () => clock.now,
        }),
    ) as [RecentWork, RecentWork]
    one.answered(SPAM)
    one.request(200, 4)
    one.request(503, 1)
    two.answered(HAM)
    for (let i = 0; i < 98; i++) two.request(200, 1)
    two.request(200, 0.001)
    clock.now += STEP_MS
    two.answered(HAM)
    one.request(400, 1)
    const steps = await one.of(0)
    assert.deepEqual(steps, await two.of(0))
    assert.deepEqual(steps, [
      {
        at: '2026-11-20T12:00:00.000Z',
        queueDepth: 3,
        feeds: { a: 1 },
        messages: 100,
        refused: 1,
        spam: 1,
        ham: 1,
        overridden: 1,
        escalated: 1,
        classes: { primary: 0, promotions: 0, updates: 2, transactions: 0 },
        latencyMs: { p50: 1.08, p95: 1.08, p99: 1.08 },
      },
      {
        at: '2026-11-20T12:00:05.000Z',
        queueDepth: 3,
        feeds: { a: 1 },
        messages: 0,
        refused: 0,
        spam: 0,
        ham: 1,
        overridden: 0,
        escalated: 0,
        classes: { primary: 0, promotions: 0, updates: 1, transactions: 0 },
        latencyMs: null,
      },
    ])
    two.request(200, 4)
    two.request(200, 4)
    assert.equal((await one.of(START))[0]?.latencyMs?.p50, 4.11)
  })
})
