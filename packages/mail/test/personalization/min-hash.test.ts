import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addElement, leastHashes, resemblance, sketchOf } from '../../personalization/template.ts'

const PLACES = 80

function sketch(from: number, to: number): Uint8Array {
  const least = leastHashes(PLACES)
  for (let element = from; element < to; element++) addElement(least, element)
  return sketchOf(least)
}

describe('sketchOf', () => {
  it('estimates the share of elements in common, within four standard deviations', () => {
    // 1000 and 1000 elements, 500 of them in both: 500 of 1500 in common.
    const share = 1 / 3
    const deviation = Math.sqrt((share * (1 - share)) / PLACES)
    const estimate = resemblance(sketch(0, 1_000), sketch(500, 1_500))
    assert.ok(Math.abs(estimate - share) < 4 * deviation, String(estimate))
  })

  it('finds nothing in common in sets without a common element', () => {
    assert.ok(resemblance(sketch(0, 1_000), sketch(1_000, 2_000)) < 0.1)
  })

  it('fills the places of small sets, the same way in each', () => {
    assert.equal(resemblance(sketch(0, 3), sketch(0, 3)), 1)
    assert.ok(resemblance(sketch(0, 3), sketch(10, 13)) < 0.1)
  })

  it('is all zero for the empty set', () => {
    assert.deepEqual(sketch(0, 0), new Uint8Array(PLACES))
  })
})
