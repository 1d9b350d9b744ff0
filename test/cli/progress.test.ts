import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { progressLine } from '../../src/cli/progress.ts'

describe('progressLine', () => {
  it('shows share, rate and time left', () => {
    assert.equal(
      progressLine('fit', 6, 18, 3),
      'fit [########----------------] 33 % 6/18 2.0/s 6 s left',
    )
  })

  it('shows the count alone where nobody knows the total', () => {
    assert.equal(progressLine('classify', 500, undefined, 2), 'classify 500 250/s')
  })
})
