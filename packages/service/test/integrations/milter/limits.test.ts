import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mildestAction } from '../../../integrations/milter/limits.ts'

const OURS = { rejectAt: 0.99, quarantineAt: 0.9 }
const NONE = { rejectAt: undefined, quarantineAt: undefined }

const spam = (spamProbability: number, limits: object = {}) => ({
  isSpam: true,
  spamProbability,
  ...limits,
})

describe('mildestAction', () => {
  it('refuses from one limit on, and holds from the other', () => {
    assert.equal(mildestAction([spam(0.99)], OURS), 'reject')
    assert.equal(mildestAction([spam(0.9899)], OURS), 'quarantine')
    assert.equal(mildestAction([spam(0.8999)], OURS), 'accept')
  })

  it('accepts what is not spam, however low the limit is', () => {
    const verdict = { ...spam(0.999, { rejectAt: 0.1 }), isSpam: false }
    assert.equal(mildestAction([verdict], OURS), 'accept')
  })

  it('goes by the limits of a recipient, each by itself, before those of the milter', () => {
    assert.equal(mildestAction([spam(0.95, { rejectAt: 0.95 })], OURS), 'reject')
    assert.equal(mildestAction([spam(1, { rejectAt: 'never' })], OURS), 'quarantine')
    const never = { rejectAt: 'never', quarantineAt: 'never' }
    assert.equal(mildestAction([spam(1, never)], OURS), 'accept')
    assert.equal(mildestAction([spam(0.5, { quarantineAt: 0.5 })], NONE), 'quarantine')
    assert.equal(mildestAction([spam(1)], NONE), 'accept')
  })

  it('takes the mildest for all recipients', () => {
    const strict = spam(0.999, { rejectAt: 0.5 })
    assert.equal(mildestAction([strict, spam(0.999)], OURS), 'reject')
    assert.equal(mildestAction([strict, spam(0.95)], OURS), 'quarantine')
    assert.equal(mildestAction([strict, spam(0.5)], OURS), 'accept')
  })
})
