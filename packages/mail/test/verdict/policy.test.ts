import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { policyFor } from '../../verdict/policy.ts'

const fusion = {
  ...{ textWeight: 1, metaWeight: 1, bias: 0 },
  thresholds: { cautious: 0.9, balanced: 0.8, strict: 0.7 },
  escalation: { logitMargin: 0.1, disagreement: 0.9 },
}

describe('the threshold', () => {
  const cases = [
    ['cautious', 0.5, 0.9, 'is that of the preset at a prior of one half'],
    // Odds of 4 at a prior of odds 1; at odds 1/4 the same message has odds of 1.
    ['balanced', 0.2, 0.5, 'moves along with the prior, so that it loses as much ham as before'],
    [0.42, 0.2, 0.42, 'stays where it was put as a number'],
  ] as const
  for (const [threshold, spamPrior, expected, what] of cases) {
    it(what, () => {
      const policy = policyFor({ fusion }, { threshold, spamPrior, spamEntitled: true })
      assert.ok(Math.abs(policy.threshold - expected) < 1e-9)
    })
  }
})
