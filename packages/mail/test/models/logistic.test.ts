import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SparseVector } from '../../features/sparse-vector.ts'
import { contributions, type LogisticModel, predict } from '../../models/logistic.ts'
import { sigmoid } from '../../models/prediction.ts'

const model: LogisticModel = {
  weights: { integers: Int16Array.of(2, -4, 1), scale: 0.5 },
  bias: 0.25,
  calibration: { slope: 2, intercept: -0.5 },
}

function vector(size: number, ...entries: [index: number, value: number][]): SparseVector {
  return {
    size,
    indices: Uint32Array.from(entries, ([index]) => index),
    values: Float32Array.from(entries, ([, value]) => value),
  }
}

describe('predict', () => {
  it('gives the calibrated bias alone for a message with no features', () => {
    assert.deepEqual(predict(model, vector(3)), { logit: 0, probability: 0.5 })
  })

  it('adds weight times value for each feature, then calibrates', () => {
    // 2 · (0.25 + 1 · 0.5 - 2 · 1) - 0.5 = -3
    assert.deepEqual(predict(model, vector(3, [0, 0.5], [1, 1])), {
      logit: -3,
      probability: sigmoid(-3),
    })
  })

  it('adds what was learned to weights and bias, before it calibrates', () => {
    // 2 · (0.25 + 0.125 + (1 + 0.5) · 0.5) - 0.5 = 1.75
    const learned = { ...model, deltas: Float32Array.of(0.5, 7, 7, 0.125) }
    assert.equal(predict(learned, vector(3, [0, 0.5])).logit, 1.75)
  })

  it('refuses a vector from another version of the features', () => {
    assert.throws(() => predict(model, vector(4)), { code: 'ARTIFACT_MISMATCH' })
  })
})

describe('contributions', () => {
  it('adds up to the calibrated logit', () => {
    const features = vector(3, [0, 0.5], [1, 1], [2, 3])
    const { terms, rest } = contributions(model, features)
    const sum = terms.reduce((total, term) => total + term, rest)
    assert.ok(Math.abs(sum - predict(model, features).logit) < 1e-9)
  })

  it('adds up to it also where users agree about more than it reaches, each word for its share', () => {
    const crowd = { deltas: Float32Array.of(0.5, 0, 0.25, 0), reach: 0.5 }
    const features = vector(3, [0, 0.5], [2, 3])
    const { terms, rest } = contributions({ ...model, crowd }, features)
    // Of 0.25 and 0.75 half each, doubled by the calibration.
    assert.deepEqual([...terms], [1 + 0.25, 3 + 0.75])
    assert.equal(terms[0]! + terms[1]! + rest, predict({ ...model, crowd }, features).logit)
  })
})
