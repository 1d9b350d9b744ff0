/** The words for a probability of spam, which go by the threshold. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isInDoubt, isJustUnder, LEVELS, standingOf } from '../../verdict/standing.ts'

describe('standingOf', () => {
  it('calls nothing spam at the threshold, and all above it', () => {
    assert.equal(standingOf(0.95, 0.95).level, 'suspicious')
    assert.equal(standingOf(0.9501, 0.95).level, 'probably spam')
  })

  it('never says that 94 % of spam is no spam: it is suspicious', () => {
    assert.equal(standingOf(0.94, 0.959).level, 'suspicious')
    assert.equal(standingOf(0.51, 0.959).level, 'suspicious')
    assert.equal(standingOf(0.49, 0.959).level, 'probably not spam')
  })

  it('is almost certain at 7.4 times the odds of the threshold, and below 5 %', () => {
    // Odds of 19 at the threshold, and of 140.4 from here on.
    assert.equal(standingOf(0.9929, 0.95).level, 'probably spam')
    assert.equal(standingOf(0.993, 0.95).level, 'almost certainly spam')
    assert.equal(standingOf(0.048, 0.95).level, 'probably not spam')
    assert.equal(standingOf(0.047, 0.95).level, 'almost certainly not spam')
  })

  it('has a doubt below a threshold of 20 % too', () => {
    assert.equal(standingOf(0.21, 0.2).level, 'probably spam')
    assert.equal(standingOf(0.19, 0.2).level, 'suspicious')
    assert.equal(standingOf(0.08, 0.2).level, 'probably not spam')
  })

  it('has each level in its fifth of the scale, further right for more spam', () => {
    for (const threshold of [0.2, 0.5, 0.959, 0.9999]) {
      let before = 0
      for (const spam of [0, 1e-6, 0.01, 0.1, 0.3, 0.6, 0.9, 0.96, 0.999, 0.99999, 1]) {
        const { level, position } = standingOf(spam, threshold)
        const fifth = LEVELS.indexOf(level)
        assert.ok(position >= fifth / 5 && position <= (fifth + 1) / 5, `${spam} of ${threshold}`)
        assert.ok(position >= before, `${spam} of ${threshold}`)
        before = position
      }
    }
  })
})

describe('isJustUnder', () => {
  it('is true from a third of the odds of the threshold on', () => {
    // Odds of 19 at the threshold, and of 6.3 from here on.
    assert.equal(isJustUnder(0.87, 0.95), true)
    assert.equal(isJustUnder(0.86, 0.95), false)
  })
})

describe('isInDoubt', () => {
  it('is true of what the models find suspicious, and of nothing that a rule decided', () => {
    const judged = { spamProbability: 0.94, threshold: 0.95, bypassReason: null }
    assert.equal(isInDoubt(judged), true)
    assert.equal(isInDoubt({ ...judged, bypassReason: 'parse_error' }), true)
    assert.equal(isInDoubt({ ...judged, bypassReason: 'knn_memory' }), false)
    assert.equal(isInDoubt({ ...judged, spamProbability: 0.49 }), false)
    assert.equal(isInDoubt({ ...judged, spamProbability: 0.96 }), false)
  })
})
