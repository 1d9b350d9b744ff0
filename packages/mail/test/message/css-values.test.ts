import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isFaint, isUnreadable, over, readColour } from '../../message/css-values.ts'

describe('readColour', () => {
  it('reads names in any case', () => {
    assert.equal(readColour(' White '), 0xffffff)
    assert.equal(readColour('rebeccapurple'), 0x663399)
  })
  it('reads three, four, six and eight hexadecimal digits', () => {
    assert.equal(readColour('#1aF'), 0x11aaff)
    assert.equal(readColour('#1aff'), 0x11aaff)
    assert.equal(readColour('#12abEF'), 0x12abef)
    assert.equal(readColour('#12abefff'), 0x12abef)
  })
  it('reads six digits without #, but not three', () => {
    assert.equal(readColour('ff0000'), 0xff0000)
    assert.equal(readColour('f00'), undefined)
  })
  it('reads rgb() with numbers and with percentages, held to their range', () => {
    assert.equal(readColour('rgb(18, 52,86)'), 0x123456)
    assert.equal(readColour('rgb(100% 0% 20% / 100%)'), 0xff0033)
    assert.equal(readColour('rgba(300,-5,0,1)'), 0xff0000)
  })
  it('reads what is clear as transparent, and mixes what is half clear with what is behind', () => {
    assert.equal(readColour('transparent'), 'transparent')
    assert.equal(readColour('#ffffff00'), 'transparent')
    assert.equal(readColour('rgba(0,0,0,0.05)'), 'transparent')
    assert.equal(over(readColour('rgba(0,0,0,0.2)')!, 0xffffff), 0xcccccc)
    assert.equal(over(readColour('#ffffff80')!, 0x000000), 0x808080)
    assert.equal(over(readColour('rgba(0,0,0,0.5)')!, 'unknown'), 'unknown')
    assert.equal(over('transparent', 0x123456), 0x123456)
    assert.equal(readColour('rgba(0,0,0,0.95)'), 0x000000)
  })
  it('does not know what another function says', () => {
    for (const value of ['var(--a)', 'hsl(0 0% 0%)', 'rgb(calc(255), 0, 0)', 'oklch(1 0 0)']) {
      assert.equal(readColour(value), 'unknown', value)
    }
  })
  it('reads nothing else as a colour', () => {
    for (const value of ['', '#', '#12', '#12345', '#ggg', 'inherit', 'rgb(', 'rgb(1,2)']) {
      assert.equal(readColour(value), undefined, value)
    }
  })
})

describe('isUnreadable', () => {
  it('holds up to a difference of 16 in every channel', () => {
    assert.equal(isUnreadable(0xefefef, 0xffffff), true)
    assert.equal(isUnreadable(0x101010, 0x000000), true)
  })
  it('does not hold when one channel differs by 17', () => {
    assert.equal(isUnreadable(0xeeffff, 0xffffff), false)
    assert.equal(isUnreadable(0xffeeff, 0xffffff), false)
    assert.equal(isUnreadable(0xffffee, 0xffffff), false)
  })
})

describe('isFaint', () => {
  it('holds up to a difference of 48 in every channel', () => {
    assert.equal(isFaint(0xcfcfcf, 0xffffff), true)
    assert.equal(isFaint(0xcecfcf, 0xffffff), false)
  })
})
