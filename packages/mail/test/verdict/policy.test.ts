import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { policyFor } from '../../verdict/policy.ts'

const models = {
  fusion: {
    textWeight: 1,
    metaWeight: 1,
    bias: 0,
    thresholds: { cautious: 0.9, balanced: 0.8, strict: 0.7 },
    escalation: { logitMargin: 0.1, disagreement: 0.9 },
  },
}

describe('policyFor', () => {
  it('takes a preset from the model at a prior of one half', () => {
    const { threshold, priorLogit } = policyFor(models, {
      threshold: 'cautious',
      spamPrior: 0.5,
      spamEntitled: true,
    })
    assert.ok(Math.abs(threshold - 0.9) < 1e-9)
    assert.equal(priorLogit, 0)
  })

  it('moves a preset along with the prior, so that it loses as much ham as before', () => {
    // Odds of 4 at a prior of odds 1; at odds 1/4 the same message has odds of 1.
    const { threshold } = policyFor(models, {
      threshold: 'balanced',
      spamPrior: 0.2,
      spamEntitled: true,
    })
    assert.ok(Math.abs(threshold - 0.5) < 1e-9)
  })

  it('leaves a number where it was put', () => {
    assert.equal(
      policyFor(models, { threshold: 0.42, spamPrior: 0.2, spamEntitled: true }).threshold,
      0.42,
    )
  })
})
