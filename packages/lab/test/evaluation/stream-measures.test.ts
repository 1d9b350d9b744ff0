/** TREC's measures, worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { streamMeasures } from '../../evaluation/stream.ts'

/** `count` verdicts alike. */
function verdicts(count: number, spam: boolean, calledSpam: boolean, score: number) {
  return Array.from({ length: count }, () => ({ spam, calledSpam, score }))
}

describe('streamMeasures', () => {
  it('gives errors in percent, and their mean in natural log-odds', () => {
    // logit 1/100 and 1/5: (ln 1/99 + ln 1/4) / 2 = ln 1/√396, lam = 1 / (1 + √396)
    const measures = streamMeasures([
      ...verdicts(99, false, false, -1),
      ...verdicts(1, false, true, 1),
      ...verdicts(8, true, true, 2),
      ...verdicts(2, true, false, 0),
    ])
    assert.equal(measures.hamLost, 1)
    assert.equal(measures.spamMissed, 20)
    assert.ok(Math.abs(measures.logisticAverage - 100 / (1 + Math.sqrt(396))) < 1e-9)
    // One ham in a hundred above two spam in ten.
    assert.ok(Math.abs(measures.oneMinusRoca - 0.2) < 1e-9)
    // Of a hundred ham none may be lost: only what is above the highest is caught.
    assert.ok(Math.abs(measures.spamMissedAtHamLoss - 20) < 1e-9)
  })

  it('counts no error as half of one', () => {
    const { logisticAverage } = streamMeasures([
      ...verdicts(50, false, false, -1),
      ...verdicts(50, true, true, 1),
    ])
    assert.ok(Math.abs(logisticAverage - 1) < 1e-9)
  })
})
