/** What is expected of weights, in training. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { META_FEATURE_NAMES } from '../../../mail/features/meta-features.ts'
import { senderWordIndices } from '../../../mail/features/text-features.ts'
import { quantise } from '../../../mail/models/logistic.ts'
import { fitLogistic, type LogisticSample, type WeightPriors } from '../../training/fit-logistic.ts'
import { ASSUMED_FACTOR, bounded, metaPriors, textPriors } from '../../training/weight-priors.ts'

const OPTIONS = { epochs: 20, learningRate: 0.1, l2: 0.01, seed: 1, hasBias: true }

/** Feature 0 is in spam alone, feature 1 in ham alone, feature 2 in no message. */
const SAMPLES: LogisticSample[] = Array.from({ length: 40 }, (_, i) => ({
  features: { size: 3, indices: Uint32Array.of(i % 2), values: Float32Array.of(1) },
  positive: i % 2 === 0,
  weight: 1,
}))

function priors(more: Partial<Record<keyof WeightPriors, number[]>>): WeightPriors {
  const far = Number.POSITIVE_INFINITY
  const { expected = [0, 0, 0], least = [-far, -far, -far], most = [far, far, far] } = more
  return {
    expected: Float32Array.from(expected),
    least: Float32Array.from(least),
    most: Float32Array.from(most),
  }
}

describe('fitLogistic with expectations', () => {
  it('gives what nothing is known of the expected weight', () => {
    const { weights } = fitLogistic(SAMPLES, 3, OPTIONS, priors({ expected: [0, 0, 4] }))
    assert.equal(weights[2], 4)
  })

  it('holds the bounds, whatever the data say', () => {
    const bounds = priors({ least: [0, 0, 0], most: [0.5, 9, 9] })
    const { weights } = fitLogistic(SAMPLES, 3, OPTIONS, bounds)
    assert.equal(weights[0], 0.5)
    assert.equal(weights[1], 0)
  })

  it('is drawn towards what is expected', () => {
    const free = fitLogistic(SAMPLES, 3, OPTIONS).weights
    const drawn = fitLogistic(SAMPLES, 3, { ...OPTIONS, l2: 1 }, priors({ expected: [3, 0, 0] }))
    assert.ok(drawn.weights[0]! > free[0]!)
  })
})

describe('the expectations of the meta model', () => {
  const at = (name: string) => META_FEATURE_NAMES.indexOf(name)

  it('are those of the table, divided by what a log-odd of the model is worth', () => {
    const { expected, least, most } = metaPriors(2)
    assert.equal(least[at('ATTACHMENT_EXECUTABLE')], 1.75)
    assert.equal(expected[at('ATTACHMENT_EXECUTABLE')], 4)
    assert.equal(most[at('KNOWN_FROM')], 0)
    assert.equal(least[at('DKIM_ALIGNED')], 0)
    assert.equal(most[at('DKIM_ALIGNED')], 0)
  })

  it('let no signal weigh against its direction, and say nothing of counts', () => {
    const { least, most } = metaPriors()
    assert.equal(least[at('LINK_SHORTENER')], 0)
    assert.equal(most[at('REPLY_REFERENCED')], 0)
    assert.equal(least[at('links 0')], Number.NEGATIVE_INFINITY)
  })

  it('hold in the verdict, whatever calibration and fusion have come to', () => {
    const weights = new Float32Array(META_FEATURE_NAMES.length).fill(-1)
    const calibration = { slope: 0.5, intercept: 0 }
    const fusion = { metaWeight: 0.8 } as never
    const { weights: held } = bounded({ weights: quantise(weights), bias: 0, calibration }, fusion)
    const inVerdict = (name: string) => held.integers[at(name)]! * held.scale * 0.5 * 0.8
    assert.ok(Math.abs(inVerdict('ATTACHMENT_EXECUTABLE') - 3.5) < 1e-3)
    assert.ok(Math.abs(inVerdict('links 0') + 0.4) < 1e-3)
    assert.ok(ASSUMED_FACTOR > 0)
  })
})

describe('the expectations of the text model', () => {
  it('let no word of a display name speak for ham, and say nothing of other words', () => {
    const { least, most } = textPriors([{ from: 'Deutsche Bank' }])
    const bounded = [...least.keys()].filter((index) => least[index] === 0)
    assert.deepEqual(bounded, [...senderWordIndices({ from: 'bank deutsche' })])
    assert.equal(bounded.length, 2)
    assert.ok(most.every((value) => value === Number.POSITIVE_INFINITY))
  })
})
