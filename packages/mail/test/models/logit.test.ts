import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { logit, sigmoid, softmax } from '../../models/prediction.ts'

describe('sigmoid', () => {
  it('is a half at 0, and e/(1+e) at 1', () => {
    assert.equal(sigmoid(0), 0.5)
    assert.ok(Math.abs(sigmoid(1) - 0.7310585786) < 1e-10)
  })

  it('stays in [0, 1] for any number, however large', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => {
        assert.ok(sigmoid(x) >= 0 && sigmoid(x) <= 1)
      }),
    )
  })
})

describe('logit', () => {
  it('takes a sigmoid back', () => {
    for (const x of [-20, -1, 0, 0.3, 15]) assert.ok(Math.abs(logit(sigmoid(x)) - x) < 1e-6)
  })

  it('is finite for certainty', () => {
    assert.equal(logit(0), -30)
    assert.equal(logit(1), 30)
  })
})

describe('softmax', () => {
  it('gives equal shares to equal logits', () => {
    assert.deepEqual(softmax([3, 3, 3, 3]), [0.25, 0.25, 0.25, 0.25])
  })

  it('does not overflow', () => {
    assert.deepEqual(softmax([1_000, 0]), [1, 0])
  })
})
