import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SparseVector } from '../../features/sparse-vector.ts'
import { predictClasses, type SoftmaxModel } from '../../models/softmax-regression.ts'

/** Two blocks of one feature each; rows are features, columns classes. */
const model: SoftmaxModel = {
  weights: { integers: Int16Array.of(1, 0, 0, 0, 0, 2, 0, 0), scale: Math.log(2) },
  bias: [0, 0, 0, 0],
  temperature: 1,
}

const absent: SparseVector = { size: 1, indices: new Uint32Array(), values: new Float32Array() }
const present: SparseVector = { size: 1, indices: Uint32Array.of(0), values: Float32Array.of(1) }

describe('predictClasses', () => {
  it('is undecided without features', () => {
    assert.deepEqual(predictClasses(model, [absent, absent]), {
      primary: 0.25,
      promotions: 0.25,
      updates: 0.25,
      transactions: 0.25,
    })
  })

  it('takes the second block from where the first ends', () => {
    // e^ln4 : 1 : 1 : 1
    const { promotions, primary } = predictClasses(model, [absent, present])
    assert.ok(Math.abs(promotions - 4 / 7) < 1e-6)
    assert.ok(Math.abs(primary - 1 / 7) < 1e-6)
  })

  it('is less sure at a higher temperature', () => {
    const { promotions } = predictClasses({ ...model, temperature: 2 }, [absent, present])
    assert.ok(Math.abs(promotions - 2 / 5) < 1e-6)
  })

  it('adds what was learned, the last row to the bias', () => {
    // Rows of the two features, then of the bias. e^ln4 · 1/2 : 4 : 1 : 1
    const deltas = new Float32Array(12)
    deltas[4] = Math.log(2)
    deltas[5] = Math.log(1 / 2)
    deltas[8] = Math.log(2)
    const { primary, promotions, updates } = predictClasses({ ...model, deltas }, [absent, present])
    assert.ok(Math.abs(primary - 4 / 8) < 1e-6)
    assert.ok(Math.abs(promotions - 2 / 8) < 1e-6)
    assert.ok(Math.abs(updates - 1 / 8) < 1e-6)
  })

  it('refuses blocks that are not as long as the weights', () => {
    assert.throws(() => predictClasses(model, [present]), { code: 'ARTIFACT_MISMATCH' })
  })
})
