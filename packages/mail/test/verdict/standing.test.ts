/** The words for a probability of spam, which go by the threshold. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isInDoubt, isJustUnder, LEVELS, standingOf } from '../../verdict/standing.ts'

describe('the standing of a probability', () => {
  const cases: [spam: number, threshold: number, level: string][] = [
    [0.95, 0.95, 'suspicious'],
    [0.9501, 0.95, 'probably spam'],
    [0.51, 0.959, 'suspicious'],
    [0.49, 0.959, 'probably not spam'],
    // Odds of 19 at the threshold, and 7.4 times as much from here on.
    [0.9929, 0.95, 'probably spam'],
    [0.993, 0.95, 'almost certainly spam'],
    [0.048, 0.95, 'probably not spam'],
    [0.047, 0.95, 'almost certainly not spam'],
    // There is a doubt below a threshold of 20 % too.
    [0.21, 0.2, 'probably spam'],
    [0.19, 0.2, 'suspicious'],
    [0.08, 0.2, 'probably not spam'],
  ]
  for (const [spam, threshold, level] of cases) {
    it(`of ${spam} is ${level} at ${threshold}`, () => {
      assert.equal(standingOf(spam, threshold).level, level)
    })
  }

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

  it('is just under the threshold from a third of its odds on', () => {
    assert.deepEqual([isJustUnder(0.87, 0.95), isJustUnder(0.86, 0.95)], [true, false])
  })

  it('is in doubt where the models find it suspicious, and not where a rule decided', () => {
    const inDoubt = (spamProbability: number, bypassReason: string | null = null) =>
      isInDoubt({ spamProbability, threshold: 0.95, bypassReason })
    assert.deepEqual([inDoubt(0.94), inDoubt(0.94, 'parse_error')], [true, true])
    assert.deepEqual(
      [inDoubt(0.94, 'knn_memory'), inDoubt(0.49), inDoubt(0.96)],
      [false, false, false],
    )
  })
})
