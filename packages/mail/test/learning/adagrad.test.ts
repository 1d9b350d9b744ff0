import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adagrad, stepOne } from '../../learning/fits.ts'

const size = { rate: 0.5, initialSquare: 1, deltaMax: 3 }

describe('stepOne', () => {
  it('goes against the gradient, and less far each time', () => {
    const one = adagrad(Float32Array.of(0), size)
    const deltas = [1, 2, 3].map(() => {
      stepOne(one, 0, -1, size)
      return one.deltas[0]!
    })
    // The squares are 1 before, and 2, 3 and 4 after: 0.5/√2, and 0.5/√3 and 0.5/√4 more. L2 takes a little off.
    const expected = [0.35355, 0.64223, 0.89223]
    assert.ok(
      deltas.every((delta, i) => Math.abs(delta - expected[i]!) < 1e-3),
      `${deltas}`,
    )
  })

  it('pulls what takes a step towards zero, from either side, where the example pulls not at all', () => {
    const two = adagrad(Float32Array.of(2, -2), size)
    for (const index of [0, 1]) stepOne(two, index, 0, size)
    const [above, below] = two.deltas
    assert.ok(above! < 2 && above! > 1.999, `${above}`)
    assert.ok(below! > -2 && below! < -1.999, `${below}`)
  })

  it('goes no further from zero than it may, either way', () => {
    const two = adagrad(Float32Array.of(2.9, -2.9), size)
    stepOne(two, 0, -10, size)
    stepOne(two, 1, 10, size)
    assert.deepEqual(two.deltas, Float32Array.of(3, -3))
  })
})
