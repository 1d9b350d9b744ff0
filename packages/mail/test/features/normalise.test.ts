import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { normalise } from '../../features/normalise.ts'
import { readRows } from '../helpers/rows.ts'

describe('normalise', () => {
  for (const [sentence, text, expected] of readRows('mail/test/features/normalise.cases')) {
    it(sentence!, () => assert.equal(normalise(text!), expected ?? ''))
  }

  it('marks addresses between runs of @', () => {
    assert.equal(normalise('a@@b a@b.example@c @d'), normalise('a@@b a@x.example@c @d'))
    const long = 'x'.repeat(70)
    assert.equal(normalise(`${long}@b.example`), 'xxxxxx \u0001address')
  })

  it('gives words with single spaces between for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = normalise(text)
        assert.doesNotMatch(words, / {2}|^ | $/)
      }),
    )
  })
})
