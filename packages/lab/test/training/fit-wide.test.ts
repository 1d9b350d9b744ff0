import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sigmoid } from '../../../mail/models/logit.ts'
import { fitDense } from '../../training/fit-dense.ts'
import { fitWide, type WideSample } from '../../training/fit-wide.ts'
import { randomSource } from '../../training/random.ts'

/** Samples whose log-odds are 2 a - b + 0.5, of inputs with unlike means and scales. */
function samples(count: number): WideSample[] {
  const random = randomSource(7)
  return Array.from({ length: count }, () => {
    const [a, b, noise] = [3 + random(), 50 * random(), random()]
    return {
      inputs: Float32Array.of(a, b, noise),
      positive: random() < sigmoid(2 * (a - 3.5) - (b - 25) / 25),
      weight: 0.5 + random(),
    }
  })
}

describe('fitWide', () => {
  it("finds what Newton's method finds, where hardly anything is penalised", () => {
    const own = samples(3_000)
    const { weights, bias } = fitWide(own, { l2: 1e-9, steps: 200 })
    const exact = fitDense(own.map((sample) => ({ ...sample, inputs: [...sample.inputs] })))
    const found = [...weights, bias]
    const wanted = [...exact.coefficients, exact.bias]
    found.forEach((value, i) => {
      assert.ok(
        Math.abs(value - wanted[i]!) < 2e-3 * (1 + Math.abs(wanted[i]!)),
        `${found}; ${wanted}`,
      )
    })
  })

  it('penalises inputs alike, whatever they are measured in', () => {
    const own = samples(500)
    const scaled = own.map((sample) => ({
      ...sample,
      inputs: sample.inputs.map((value, i) => (i === 1 ? value / 1_000 : value)),
    }))
    const plain = fitWide(own, { l2: 0.1, steps: 100 })
    const other = fitWide(scaled, { l2: 0.1, steps: 100 })
    assert.ok(Math.abs(plain.weights[1]! - other.weights[1]! / 1_000) < 1e-5)
  })

  it('gives the same bytes for the same samples', () => {
    const fit = () => fitWide(samples(200), { l2: 1e-3, steps: 30 })
    assert.deepEqual(fit(), fit())
  })

  it('gives an input that never changes no weight', () => {
    const own = samples(200).map((sample) => ({
      ...sample,
      inputs: Float32Array.of(...sample.inputs, 1),
    }))
    assert.ok(Math.abs(fitWide(own, { l2: 1e-3, steps: 30 }).weights[3]!) < 1e-9)
  })
})
