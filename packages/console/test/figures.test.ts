/** What was judged between two looks at the counts of the service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Look, stepOf } from '../live/figures.ts'

/** 100 messages within 10 ms and `slow` more within 20 ms, of them `spam`. */
function look(at: number, slow: number, spam: number): Look {
  const messages = 100 + slow
  return {
    at,
    stats: {
      queueDepth: 0,
      judged: {
        messages,
        verdicts: { spam, ham: messages - spam },
        classes: { primary: messages, promotions: 0, updates: 0, transactions: 0 },
        latency: [
          { seconds: 0.01, messages: 100 },
          { seconds: 0.02, messages },
          { seconds: null, messages },
        ],
      },
    },
  }
}

describe('stepOf', () => {
  it('has rates, and latencies in proportion between the bounds', () => {
    const step = stepOf(look(0, 0, 0), look(5_000, 50, 10))
    assert.deepEqual(step?.perSecond, { messages: 10, spam: 2, ham: 8 })
    assert.equal(step?.latencyMs.p50, 15)
    assert.equal(step?.latencyMs.p99?.toFixed(3), '19.900')
  })

  it('has no latency where nothing was judged, and is none where the service was started again', () => {
    const idle = stepOf(look(0, 50, 0), look(5_000, 50, 0))
    assert.deepEqual(idle?.latencyMs, { p50: null, p99: null })
    assert.equal(stepOf(look(0, 50, 0), look(5_000, 0, 0)), undefined)
  })
})
