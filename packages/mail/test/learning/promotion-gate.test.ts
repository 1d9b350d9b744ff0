import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isWorse } from '../../learning/promotion-gate.ts'

describe('isWorse', () => {
  const shipped = [
    { wrong: 2, of: 200 },
    { wrong: 96, of: 120 },
  ]
  const errors = (ham: number, spam: number) => [
    { wrong: ham, of: 200 },
    { wrong: spam, of: 120 },
  ]

  it('allows a hundredth more than the shipped models have, of each kind of error', () => {
    assert.equal(isWorse(errors(2, 96), shipped), false)
    assert.equal(isWorse(errors(4, 97), shipped), false)
    assert.equal(isWorse(errors(0, 0), shipped), false)
  })

  it('does not weigh one kind of error against another', () => {
    assert.equal(isWorse(errors(5, 0), shipped), true)
    assert.equal(isWorse(errors(0, 98), shipped), true)
  })
})
