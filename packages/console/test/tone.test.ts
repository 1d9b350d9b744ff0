/** The colour and the sign of a verdict. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toneOf } from '../ui/tone.ts'

const HAM = {
  isSpam: false,
  spamProbability: 0.2,
  threshold: 0.95,
  bypassReason: null,
  shouldEscalate: false,
}

describe('toneOf', () => {
  it('warns of what is just under the threshold, and of what a person should review', () => {
    assert.equal(toneOf(HAM), 'ham')
    assert.equal(toneOf({ ...HAM, spamProbability: 0.94 }), 'warn')
    assert.equal(toneOf({ ...HAM, shouldEscalate: true }), 'warn')
  })

  it('is that of spam also where a person should review it', () => {
    const spam = { ...HAM, isSpam: true, spamProbability: 0.96 }
    assert.equal(toneOf({ ...spam, shouldEscalate: true }), 'spam')
  })

  it('has no doubt about what a rule allows', () => {
    assert.equal(toneOf({ ...HAM, spamProbability: 0.94, bypassReason: 'user_rule' }), 'ham')
  })
})
