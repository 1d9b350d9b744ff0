import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { jsonNumbers } from '../../http/json-numbers.ts'

describe('jsonNumbers', () => {
  for (const [numbers, json] of [
    [[], '[]'],
    [[0.5, -0.25], '[0.5,-0.25]'],
    [[0, -0], '[0,0]'],
    [[1 / 3], '[0.3333333]'],
    [[0.000012345678], '[0.00001234568]'],
    [[1e-7], '[1e-7]'],
    // Rounds up to one digit more than it had.
    [[0.09999999999], '[0.1]'],
    [[0.99999999], '[1]'],
    [[-1, 12.345678], '[-1,12.34568]'],
    [[-3e20], '[-300000000000000000000]'],
  ] as const) {
    it(`writes ${numbers.join(', ') || 'nothing'} as ${json}`, () => {
      assert.equal(jsonNumbers(Float32Array.from(numbers)).toString(), json)
    })
  }

  it('reads back as the same numbers, to seven digits', () => {
    fc.assert(
      fc.property(fc.float32Array({ noNaN: true, noDefaultInfinity: true }), (numbers) => {
        const read: number[] = JSON.parse(jsonNumbers(numbers).toString())
        for (const [i, number] of numbers.entries()) {
          const expected = Number(number.toPrecision(7))
          assert.ok(Math.abs(read[i]! - expected) <= 1e-6 * Math.abs(expected), `${number}`)
        }
      }),
    )
  })

  for (const number of [Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`refuses ${number}, which JSON does not have`, () => {
      assert.throws(() => jsonNumbers(Float32Array.of(number)), RangeError)
    })
  }
})
