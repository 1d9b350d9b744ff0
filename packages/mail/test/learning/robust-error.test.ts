import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { robustError } from '../../learning/robust-error.ts'

describe('robustError', () => {
  it('pulls hardest where the model is undecided, and lets go where it is sure of the opposite', () => {
    assert.deepEqual([-0.75, -0.5, -0.25].map(robustError), [-0.75, -1, -0.75])
    assert.deepEqual([0.25, 0.5, 0.75].map(robustError), [0.75, 1, 0.75])
    assert.equal(Math.abs(robustError(-1)), 0)
    assert.equal(robustError(1), 0)
  })

  it('pulls from an error of a hundredth on', () => {
    assert.equal(robustError(0.0099), 0)
    assert.equal(robustError(-0.0099), 0)
    assert.ok(Math.abs(robustError(0.01) - 0.0396) < 1e-12)
    assert.ok(Math.abs(robustError(-0.01) + 0.0396) < 1e-12)
  })
})
