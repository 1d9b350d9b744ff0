/** What was judged between two looks at the counts of the service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Look, latencyOf, ratePerSecond } from '../live/figures.ts'

/** 100 messages within 10 ms and `slow` more within 20 ms. */
function look(at: number, slow: number): Look {
  const messages = 100 + slow
  const classes = { primary: messages, promotions: 0, updates: 0, transactions: 0 }
  const latency = [
    { seconds: 0.01, messages: 100 },
    { seconds: 0.02, messages },
    { seconds: null, messages },
  ]
  return { at, stats: { queueDepth: 0, judged: { messages, verdicts: null, classes, latency } } }
}

describe('figures of two looks', () => {
  const [before, after] = [look(0, 0), look(5_000, 50)]

  it('are a rate, and none where the service was started again', () => {
    assert.equal(ratePerSecond(before, after), 10)
    assert.equal(ratePerSecond(after, look(9_000, 0)), undefined)
  })

  it('are latencies in proportion between the bounds, and none where nothing was judged', () => {
    const ofShare = (share: number) => latencyOf(share, before.stats.judged, after.stats.judged)
    assert.equal(ofShare(0.5), 15)
    assert.equal(ofShare(0.99)?.toFixed(3), '19.900')
    assert.equal(latencyOf(0.5, after.stats.judged, after.stats.judged), undefined)
  })
})
