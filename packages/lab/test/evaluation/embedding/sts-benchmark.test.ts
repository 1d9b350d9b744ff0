import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRatedPairs, spearman } from '../../../evaluation/embedding/sts-benchmark.ts'

describe('spearman', () => {
  it('is one for lists that rise together, however fast', () => {
    assert.ok(Math.abs(spearman([1, 2, 3, 4], [1, 10, 100, 1_000]) - 1) < 1e-12)
  })

  it('is minus one for lists that run against each other', () => {
    assert.ok(Math.abs(spearman([1, 2, 3], [3, 2, 1]) + 1) < 1e-12)
  })

  it('gives ties the middle of their ranks', () => {
    // Ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3: 4.5 / √(4.5 · 5).
    assert.ok(Math.abs(spearman([1, 2, 2, 3], [1, 2, 3, 4]) - 4.5 / Math.sqrt(22.5)) < 1e-12)
  })
})

describe('readRatedPairs', () => {
  it('reads quoted fields with commas and quotation marks', () => {
    assert.deepEqual(readRatedPairs('"A man, ""Bob"".",He sings.,3.25\nA cat.,A dog.,1.0\n'), [
      { first: 'A man, "Bob".', second: 'He sings.', rating: 3.25 },
      { first: 'A cat.', second: 'A dog.', rating: 1 },
    ])
  })
})
