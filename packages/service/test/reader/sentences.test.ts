import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { leavingOutEach } from '../../reader/sentences.ts'

describe('the sentences of a text', () => {
  it('are each left out in turn', () => {
    assert.deepEqual(leavingOutEach('Ann\nYour invoice\nPay now. Or else!\n'), [
      { sentence: 'Ann', rest: 'Your invoice\nPay now. Or else!\n' },
      { sentence: 'Your invoice', rest: 'Ann\nPay now. Or else!\n' },
      { sentence: 'Pay now.', rest: 'Ann\nYour invoice\nOr else!\n' },
      { sentence: 'Or else!', rest: 'Ann\nYour invoice\nPay now. ' },
    ])
  })

  it('end with the full stops of other scripts', () => {
    const found = leavingOutEach('请确认您的账户。谢谢。')
    assert.deepEqual(
      found.map(({ sentence }) => sentence),
      ['请确认您的账户。', '谢谢。'],
    )
  })

  it('are the first eight', () => {
    const found = leavingOutEach('One. '.repeat(20))
    assert.equal(found.length, 8)
  })

  it('are none of a blank text, and one of a text without an end, which is shown in part', () => {
    assert.deepEqual(leavingOutEach(' \n\t\n'), [])
    const [only, ...others] = leavingOutEach('x'.repeat(1_600))
    assert.deepEqual(others, [])
    assert.deepEqual(only, { sentence: 'x'.repeat(200), rest: '' })
  })

  it('are well-formed where they are cut within a character', () => {
    const [only] = leavingOutEach(`${'x'.repeat(199)}😀`)
    assert.equal(only!.sentence, `${'x'.repeat(199)}\ufffd`)
  })
})
