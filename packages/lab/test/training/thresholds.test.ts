import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit } from '../../../mail/models/prediction.ts'
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

  it('loses that share in the mean over sources, however many messages they have', () => {
    const other = evenHam
      .filter((_, i) => i % 10 === 5)
      .map((message) => ({ ...message, source: 'b' }))
    const { balanced } = chooseThresholds([...evenHam, ...other])
    assert.ok(Math.abs(balanced - 0.995) < 0.001)
  })

  it('loses no more than twice that of the source that loses most', () => {
    const innocent = Array.from({ length: 1_000 }, () => leftOut('b', false, 0.01))
    const more = innocent.map((message, i) => ({ ...message, source: `c${i % 4}` }))
    const { balanced } = chooseThresholds([...evenHam, ...innocent, ...more])
    assert.ok(Math.abs(balanced - 0.99) < 0.001)
  })

  it('goes by the sources of today where there are any', () => {
    const modern = evenHam.map((message) => ({ ...message, source: 'lists' }))
    const old = evenHam.map(() => leftOut('spamassassin', false, 0.9999))
    assert.deepEqual(chooseThresholds([...old, ...modern]), chooseThresholds(modern))
  })

  it('does not put a threshold above the one odd message of few', () => {
    const odd = leftOut('a', false, 0.9999)
    const few = evenHam.filter((_, i) => i % 10 === 0)
    assert.ok(chooseThresholds([...few, odd]).balanced < odd.textProbability)
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
