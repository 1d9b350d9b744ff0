/** Fits on data whose answer is known: separable samples, and log-odds worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SparseVector } from '../../../mail/features/sparse-vector.ts'
import { sigmoid } from '../../../mail/models/prediction.ts'
import { fitDense, fitLogistic, type LogisticOptions } from '../../training/fit-logistic.ts'
import { fitSoftmax, fitTemperature } from '../../training/fit-softmax.ts'

const options: LogisticOptions = { epochs: 30, learningRate: 0.5, l2: 0, seed: 1, hasBias: true }

function present(...indices: number[]): SparseVector {
  return {
    size: 4,
    indices: Uint32Array.from(indices),
    values: new Float32Array(indices.length).fill(1),
  }
}

describe('fitLogistic', () => {
  const samples = [
    { features: present(0, 2), positive: true, weight: 1 },
    { features: present(0, 3), positive: true, weight: 1 },
    { features: present(1, 2), positive: false, weight: 1 },
    { features: present(1, 3), positive: false, weight: 1 },
  ]

  it('finds the features that tell the labels apart', () => {
    const { weights } = fitLogistic(samples, 4, options)
    assert.ok(weights[0]! > 1 && weights[1]! < -1)
    assert.ok(Math.abs(weights[2]!) < 0.5 && Math.abs(weights[3]!) < 0.5)
  })

  it('takes a sample without features for neither where it has no bias', () => {
    const mostlySpam = samples.map((sample) => ({ ...sample, positive: sample !== samples[2] }))
    assert.ok(fitLogistic(mostlySpam, 4, options).bias > 0)
    assert.equal(fitLogistic(mostlySpam, 4, { ...options, hasBias: false }).bias, 0)
  })

  it('learns nothing from samples of weight 0', () => {
    const weightless = samples.map((sample) => ({ ...sample, weight: 0 }))
    assert.deepEqual(fitLogistic(weightless, 4, options), { weights: new Float32Array(4), bias: 0 })
  })
})

describe('fitSoftmax', () => {
  it('gives each class the weight of its own feature', () => {
    const samples = [0, 1, 2, 3].map((label) => ({ blocks: [present(label)], label, weight: 1 }))
    const { weights } = fitSoftmax(samples, 4, options)
    for (let feature = 0; feature < 4; feature++) {
      const row = [...weights.subarray(feature * 4, feature * 4 + 4)]
      assert.equal(row.indexOf(Math.max(...row)), feature)
    }
  })
})

describe('fitDense', () => {
  it('gives the log-odds of the labels where the input says nothing', () => {
    const samples = [true, true, true, false].map((positive) => ({
      inputs: [0],
      positive,
      weight: 1,
    }))
    const { bias } = fitDense(samples)
    assert.ok(Math.abs(sigmoid(bias) - 0.75) < 0.01)
  })

  it('halves logits that are twice too sure', () => {
    // Of messages with logit ±2 ln 3, three in four are of the sign's label: they deserve ± ln 3.
    const sure = 2 * Math.log(3)
    const samples = [sure, sure, sure, -sure].flatMap((input) => [
      { inputs: [input], positive: true, weight: 1 },
      { inputs: [-input], positive: false, weight: 1 },
    ])
    const { coefficients, bias } = fitDense(samples)
    assert.ok(Math.abs(coefficients[0]! - 0.5) < 0.01)
    assert.ok(Math.abs(bias) < 0.01)
  })
})

describe('fitTemperature', () => {
  it('is above 1 for a model that is surer than it is right', () => {
    const logits = [
      [4, 0],
      [4, 0],
      [4, 0],
      [4, 0],
    ]
    assert.ok(fitTemperature(logits, [0, 0, 0, 1], Float64Array.of(1, 1, 1, 1)) > 2)
  })
})
