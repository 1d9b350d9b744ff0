import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { logit, sigmoid, softmax } from '../../models/prediction.ts'

describe('probabilities and their log-odds', () => {
  it('are those of the logistic function, and in [0, 1] for any number', () => {
    assert.equal(sigmoid(0), 0.5)
    assert.ok(Math.abs(sigmoid(1) - 0.7310585786) < 1e-10)
    fc.assert(fc.property(fc.double({ noNaN: true }), (x) => sigmoid(x) >= 0 && sigmoid(x) <= 1))
  })

  it('take each other back, and are finite for certainty', () => {
    for (const x of [-20, -1, 0, 0.3, 15]) assert.ok(Math.abs(logit(sigmoid(x)) - x) < 1e-6)
    assert.deepEqual([logit(0), logit(1)], [-30, 30])
  })

  it('of several classes sum to 1, and do not overflow', () => {
    assert.deepEqual(softmax([3, 3, 3, 3]), [0.25, 0.25, 0.25, 0.25])
    assert.deepEqual(softmax([1_000, 0]), [1, 0])
  })
})
