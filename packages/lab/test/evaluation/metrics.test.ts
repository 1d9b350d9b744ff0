/** Figures are against values worked by hand; where they are sums of fractions, to 1e-9. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  calibrationError,
  macroF1,
  oneMinusAuc,
  type Scored,
  spamCaughtAt,
} from '../../evaluation/metrics.ts'

const scored = (ham: number[], spam: number[]): Scored[] => [
  ...ham.map((score) => ({ score, spam: false })),
  ...spam.map((score) => ({ score, spam: true })),
]

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)
}

describe('oneMinusAuc', () => {
  it('is 1 when every spam scores below every ham', () => {
    assert.equal(oneMinusAuc(scored([0.8, 0.9], [0.1])), 1)
  })

  it('counts one inverted pair in six', () => {
    assert.equal(oneMinusAuc(scored([0.1, 0.5], [0.4, 0.6, 0.7])), 1 / 6)
  })

  it('counts a tie as half', () => {
    assert.equal(oneMinusAuc(scored([0.5], [0.5])), 0.5)
  })

  it('is no number when a label is absent', () => {
    assert.ok(Number.isNaN(oneMinusAuc(scored([0.1], []))))
    assert.ok(Number.isNaN(oneMinusAuc(scored([], [0.1]))))
  })
})

describe('spamCaughtAt', () => {
  const ham = Array.from({ length: 100 }, (_, i) => i / 100)

  it('counts the spam above the threshold that loses so much ham', () => {
    assert.equal(spamCaughtAt(scored(ham, [0.5, 0.985, 0.995]), 0.01), 2 / 3)
    assert.equal(spamCaughtAt(scored(ham, [0.5, 0.985, 0.995]), 0), 1 / 3)
  })

  it('loses none of a hundred when one in a thousand may be lost', () => {
    assert.equal(spamCaughtAt(scored(ham, [0.985, 0.995]), 0.001), 1 / 2)
  })

  it('does not catch spam that ties with the ham at the threshold', () => {
    assert.equal(spamCaughtAt(scored([0.2, 0.9], [0.9]), 0), 0)
  })
})

describe('calibrationError', () => {
  it('is 0 when as many are spam as the probabilities say', () => {
    const fair = scored([0.25, 0.25, 0.25, 0.75], [0.75, 0.75, 0.75, 0.25])
    assertNear(calibrationError(fair), 0)
  })

  it('is one half when all is called certain and half is wrong', () => {
    assertNear(calibrationError(scored([1], [1])), 0.5)
  })

  it('weighs three ham as much as one spam', () => {
    // Both bins hold half of the weight: |0 - 0.2| / 2 + |1 - 0.9| / 2.
    assertNear(calibrationError(scored([0.2, 0.2, 0.2], [0.9])), 0.15)
  })

  it('is no number when a label is absent', () => {
    assert.ok(Number.isNaN(calibrationError(scored([0.1], []))))
  })
})

describe('macroF1', () => {
  it('weighs a rare class as much as a common one', () => {
    const pairs = [
      { label: 'a', predicted: 'a' },
      { label: 'a', predicted: 'a' },
      { label: 'a', predicted: 'a' },
      { label: 'b', predicted: 'a' },
    ]
    // a: precision 3/4, recall 1, F1 6/7; b: 0
    assertNear(macroF1(pairs), 3 / 7)
  })
})
