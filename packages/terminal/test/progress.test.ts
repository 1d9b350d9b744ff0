import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { progressLine } from '../progress.ts'

describe('progressLine', () => {
  it('shows share, rate and time left', () => {
    assert.equal(
      progressLine('fit', { count: 6, work: 6, total: 18 }, 3),
      'fit [########----------------] 33 % 6/18 2.0/s 6 s left',
    )
  })

  it('shows how many there were, and the share of the work, where they differ in size', () => {
    assert.equal(
      progressLine('learn', { count: 40, work: 250_000, total: 1_000_000 }, 2),
      'learn [######------------------] 25 % 40 20/s 6 s left',
    )
  })

  it('ends at all of it also where there was more than expected', () => {
    assert.equal(
      progressLine('learn', { count: 40, work: 1_100, total: 1_000 }, 2),
      'learn [########################] 100 % 40 20/s 0 s left',
    )
  })

  it('shows the count alone where nobody knows the total', () => {
    assert.equal(
      progressLine('classify', { count: 500, work: 500, total: undefined }, 2),
      'classify 500 250/s',
    )
  })
})
