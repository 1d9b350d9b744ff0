import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit } from '../../../mail/models/logit.ts'
import { chooseEscalation, chooseThresholds, type LeftOut } from '../../training/thresholds.ts'

function leftOut(source: string, spam: boolean, probability: number): LeftOut {
  return {
    source,
    spam,
    textProbability: probability,
    metaProbability: probability,
    spamLogit: logit(probability),
  }
}

/** A thousand ham of one source, spread evenly over (0, 1). */
const evenHam = Array.from({ length: 1_000 }, (_, i) => leftOut('a', false, (i + 0.5) / 1_000))

describe('chooseThresholds', () => {
  it('loses the share of ham that each preset allows', () => {
    const { cautious, balanced, strict } = chooseThresholds(evenHam)
    assert.ok(Math.abs(cautious - 0.999) < 0.001)
    assert.ok(Math.abs(balanced - 0.995) < 0.001)
    assert.ok(Math.abs(strict - 0.99) < 0.001)
  })

  it('counts a small source as much as a large one', () => {
    const small = Array.from({ length: 10 }, () => leftOut('b', false, 0.9999))
    const { strict } = chooseThresholds([...evenHam, ...small])
    assert.ok(strict > 0.999)
  })

  it('is never below one half', () => {
    assert.equal(chooseThresholds([leftOut('a', false, 0.01)]).balanced, 0.5)
  })
})

describe('chooseEscalation', () => {
  it('takes in the errors near the threshold and stays within its share', () => {
    const sure = Array.from({ length: 98 }, () => leftOut('a', false, 0.01))
    const errors = [leftOut('a', true, 0.55), leftOut('a', true, 0.58)]
    const { logitMargin } = chooseEscalation([...sure, ...errors], 0.6)
    assert.ok(logitMargin > logit(0.6) - logit(0.55))
    assert.ok(logitMargin < logit(0.6) - logit(0.01))
  })
})
