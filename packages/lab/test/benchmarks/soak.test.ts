/** What counts as flat, in packages/lab/benchmarks/soak. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flatnessOf, medianSlope } from '../../benchmarks/soak/flatness.ts'

const SHARE = { share: 0.05, least: 0 }

function course(value: (at: number) => number) {
  return Array.from({ length: 100 }, (_, at) => ({ at, value: value(at) }))
}

describe('flatness', () => {
  it('is what rises at first and then stays', () => {
    const { isFlat, growth } = flatnessOf(
      course((at) => 300 + 3 * Math.min(at, 50)),
      SHARE,
    )
    assert.equal(isFlat, true)
    assert.equal(growth, 0)
  })

  it('is a saw-tooth, wherever it ends', () => {
    assert.equal(
      flatnessOf(
        course((at) => 300 + (at % 13) * 5),
        SHARE,
      ).isFlat,
      true,
    )
  })

  it('is not what rises by a twelfth in that time', () => {
    const { isFlat, growth, allowed } = flatnessOf(
      course((at) => 300 + 0.5 * at),
      SHARE,
    )
    assert.equal(isFlat, false)
    assert.ok(Math.abs(growth - 24.5) < 1e-9)
    assert.ok(Math.abs(allowed - 0.05 * 337.25) < 0.1)
  })

  it('is not a slow rise under a saw-tooth', () => {
    assert.equal(
      flatnessOf(
        course((at) => 300 + at + (at % 7) * 10),
        SHARE,
      ).isFlat,
      false,
    )
  })

  it('is what falls', () => {
    assert.equal(
      flatnessOf(
        course((at) => 300 - at),
        SHARE,
      ).isFlat,
      true,
    )
  })

  it('goes by the median of slopes, which three readings of ten do not move', () => {
    const readings = course((at) => (at % 10 < 2 ? 1_000 : at))
    assert.ok(Math.abs(medianSlope(readings) - 1) < 0.5)
  })
})
