import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DIMENSIONS } from '../../../../mail/embedding/embedding-model.ts'
import { quantiseRows } from '../../../training/embedding/quantise-rows.ts'

/** One row: its first two values as given, the others `rest`. */
function row(first: number, second: number, rest: number): Float32Array {
  const values = new Float32Array(DIMENSIONS).fill(rest)
  values[0] = first
  values[1] = second
  return values
}

describe('quantiseRows', () => {
  it('gives the largest value the largest integer where the row has no others', () => {
    const bytes = quantiseRows(row(0.7, -0.7, 0.7))
    assert.deepEqual([...bytes.subarray(0, 3)], [0xff, 0xff, 0x1f])
  })

  it('gives each row its own scale, a part of the largest', () => {
    const bytes = quantiseRows(Float32Array.from([...row(1, 1, 1), ...row(0.5, 0.5, 0.5)]))
    const view = new DataView(bytes.buffer)
    assert.equal(view.getUint16(0, true), 65_535)
    assert.equal(view.getUint16(2, true), 32_768)
  })

  it('cuts one large value so that many small ones are told apart', () => {
    const bytes = quantiseRows(row(1, 0, 0.05))
    assert.equal(bytes[2]! & 15, 15)
    assert.ok((bytes[3]! & 15) > 8)
  })

  it('gives a row of zeros scale 0', () => {
    const bytes = quantiseRows(Float32Array.from([...row(1, 1, 1), ...row(0, 0, 0)]))
    assert.equal(new DataView(bytes.buffer).getUint16(2, true), 0)
  })
})
