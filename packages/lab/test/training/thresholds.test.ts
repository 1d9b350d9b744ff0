import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit } from '../../../mail/models/prediction.ts'
import { chooseEscalation, chooseThresholds, type LeftOut } from '../../training/thresholds.ts'

function leftOut(source: string, spam: boolean, probability: number): LeftOut {
  const [textProbability, metaProbability] = [probability, probability]
  return { source, spam, textProbability, metaProbability, spamLogit: logit(probability) }
}

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 0.001, `${actual} is not ${expected}`)
}

/** A thousand ham of one source, spread evenly over (0, 1). */
const evenHam = Array.from({ length: 1_000 }, (_, i) => leftOut('a', false, (i + 0.5) / 1_000))

describe('chooseThresholds', () => {
  it('loses the share of ham that each preset allows', () => {
    const { cautious, balanced, strict } = chooseThresholds(evenHam)
    assertNear(cautious, 0.999)
    assertNear(balanced, 0.995)
    assertNear(strict, 0.99)
  })

  it('loses that share in the mean over sources, and at most twice that of any', () => {
    const tenth = evenHam.filter((_, i) => i % 10 === 5)
    const other = tenth.map((message) => ({ ...message, source: 'b' }))
    assertNear(chooseThresholds([...evenHam, ...other]).balanced, 0.995)
    const innocent = Array.from({ length: 2_000 }, (_, i) => leftOut(`c${i % 5}`, false, 0.01))
    assertNear(chooseThresholds([...evenHam, ...innocent]).balanced, 0.99)
  })

  it('goes by the sources of today where there are any', () => {
    const modern = evenHam.map((message) => ({ ...message, source: 'lists' }))
    const old = evenHam.map(() => leftOut('spamassassin', false, 0.9999))
    assert.deepEqual(chooseThresholds([...old, ...modern]), chooseThresholds(modern))
  })

  it('does not put a threshold above the one odd message of few', () => {
    const few = evenHam.filter((_, i) => i % 10 === 0)
    assert.ok(chooseThresholds([...few, leftOut('a', false, 0.9999)]).balanced < 0.9999)
  })
})

it('chooseEscalation takes in the errors near the threshold and stays within its share', () => {
  const sure = Array.from({ length: 98 }, () => leftOut('a', false, 0.01))
  const errors = [leftOut('a', true, 0.55), leftOut('a', true, 0.58)]
  const { logitMargin } = chooseEscalation([...sure, ...errors], 0.6)
  assert.ok(logitMargin > logit(0.6) - logit(0.55))
  assert.ok(logitMargin < logit(0.6) - logit(0.01))
})
