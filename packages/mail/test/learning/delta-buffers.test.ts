import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DeltaBuffers } from '../../learning/delta-buffers.ts'
import type { Deltas } from '../../learning/deltas.ts'
import { emptyModels } from '../../learning/empty-models.ts'

/** Writes `value` where the tests look. */
function writes(value: number): (deltas: Deltas) => Promise<void> {
  return (deltas) => {
    deltas.operator.text[0] = value
    return Promise.resolve()
  }
}

describe('DeltaBuffers', () => {
  it('gives nothing before anything was learned, and after it was cleared', async () => {
    const buffers = new DeltaBuffers(emptyModels())
    assert.equal(buffers.lease(), undefined)
    await buffers.replace(writes(1))
    assert.equal(buffers.lease()?.deltas.operator.text[0], 1)
    buffers.clear()
    assert.equal(buffers.lease(), undefined)
  })

  it('never writes where somebody reads', async () => {
    const buffers = new DeltaBuffers(emptyModels())
    await buffers.replace(writes(1))
    using lease = buffers.lease()
    for (const value of [2, 3, 4]) await buffers.replace(writes(value))
    assert.equal(lease?.deltas.operator.text[0], 1)
    assert.equal(buffers.lease()?.deltas.operator.text[0], 4)
  })
})
