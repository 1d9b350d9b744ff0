/** Fits on data whose answer is known: separable samples, and log-odds worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SparseVector } from '../../../mail/features/sparse-vector.ts'
import { sigmoid } from '../../../mail/models/prediction.ts'
import {
  fitDense,
  fitLogistic,
  type LogisticOptions,
  type WeightPriors,
} from '../../training/fit-logistic.ts'
import { fitSoftmax, fitTemperature } from '../../training/fit-softmax.ts'

const options: LogisticOptions = { epochs: 30, learningRate: 0.5, l2: 0, seed: 1, hasBias: true }

function present(...indices: number[]): SparseVector {
  const values = new Float32Array(indices.length).fill(1)
  return { size: 5, indices: Uint32Array.from(indices), values }
}

describe('fitLogistic', () => {
  /** Feature 0 is in spam alone, 1 in ham alone, 2 and 3 in both, 4 in none. */
  const samples = [
    { features: present(0, 2), positive: true, weight: 1 },
    { features: present(0, 3), positive: true, weight: 1 },
    { features: present(1, 2), positive: false, weight: 1 },
    { features: present(1, 3), positive: false, weight: 1 },
  ]
  const priors = (expected: number[], least = -Infinity, most = Infinity): WeightPriors => ({
    expected: Float32Array.from(expected),
    least: new Float32Array(5).fill(least),
    most: new Float32Array(5).fill(most),
  })

  it('finds the features that tell the labels apart', () => {
    const { weights } = fitLogistic(samples, 5, options)
    assert.ok(weights[0]! > 1 && weights[1]! < -1)
    assert.ok(Math.abs(weights[2]!) < 0.5 && Math.abs(weights[3]!) < 0.5)
  })

  it('has a bias only where it is to have one', () => {
    const mostlySpam = samples.map((sample) => ({ ...sample, positive: sample !== samples[2] }))
    assert.ok(fitLogistic(mostlySpam, 5, options).bias > 0)
    assert.equal(fitLogistic(mostlySpam, 5, { ...options, hasBias: false }).bias, 0)
  })

  it('learns nothing from samples of weight 0', () => {
    const weightless = samples.map((sample) => ({ ...sample, weight: 0 }))
    assert.deepEqual(fitLogistic(weightless, 5, options), { weights: new Float32Array(5), bias: 0 })
  })

  it('is drawn to what is expected, which stays where nothing is known', () => {
    const free = fitLogistic(samples, 5, options).weights
    const drawn = fitLogistic(samples, 5, { ...options, l2: 1 }, priors([9, 0, 0, 0, 4])).weights
    assert.ok(drawn[0]! > free[0]!)
    assert.equal(drawn[4], 4)
  })

  it('holds the bounds, whatever the data say', () => {
    const { weights } = fitLogistic(samples, 5, options, priors([0, 0, 0, 0, 0], 0, 0.5))
    assert.deepEqual([weights[0], weights[1]], [0.5, 0])
  })
})

it('fitSoftmax gives each class the weight of its own feature', () => {
  const samples = [0, 1, 2, 3].map((label) => ({ blocks: [present(label)], label, weight: 1 }))
  const { weights } = fitSoftmax(samples, 5, options)
  for (let feature = 0; feature < 4; feature++) {
    const row = [...weights.subarray(feature * 4, feature * 4 + 4)]
    assert.equal(row.indexOf(Math.max(...row)), feature)
  }
})

describe('fitDense', () => {
  const dense = (input: number, positive: boolean) => ({ inputs: [input], positive, weight: 1 })

  it('gives the log-odds of the labels where the input says nothing', () => {
    const { bias } = fitDense([true, true, true, false].map((positive) => dense(0, positive)))
    assert.ok(Math.abs(sigmoid(bias) - 0.75) < 0.01)
  })

  it('halves logits that are twice too sure', () => {
    // Of messages with logit ±2 ln 3, three in four are of the sign's label: they deserve ± ln 3.
    const sure = 2 * Math.log(3)
    const samples = [sure, sure, sure, -sure].flatMap((it) => [dense(it, true), dense(-it, false)])
    const { coefficients, bias } = fitDense(samples)
    assert.ok(Math.abs(coefficients[0]! - 0.5) < 0.01)
    assert.ok(Math.abs(bias) < 0.01)
  })
})

it('fitTemperature is above 1 for a model that is surer than it is right', () => {
  const logits = [0, 0, 0, 0].map(() => [4, 0])
  assert.ok(fitTemperature(logits, [0, 0, 0, 1], Float64Array.of(1, 1, 1, 1)) > 2)
})
