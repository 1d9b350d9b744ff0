import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { looksAscii, skeleton } from '../../signals/skeleton.ts'

describe('skeleton', () => {
  it('is the same for letters of other alphabets that look like Latin ones', () => {
    assert.equal(skeleton('рауpal'), skeleton('paypal'))
    assert.equal(skeleton('ΑΜΑΖΟΝ'), skeleton('AMAZON'))
    assert.equal(skeleton('ᎪᎷᎪᏃ'), skeleton('AMAZ'))
    assert.equal(skeleton('օո'), skeleton('on'))
  })

  it('is the same for letters in another dress', () => {
    assert.equal(skeleton('𝐩𝐚𝐲𝐩𝐚𝐥'), skeleton('paypal'))
    assert.equal(skeleton('ｐａｙｐａｌ'), skeleton('paypal'))
    assert.equal(skeleton('ⓟⓐⓨⓟⓐⓛ'), skeleton('paypal'))
  })

  it('is the same for digits and letters of ASCII that look alike', () => {
    assert.equal(skeleton('paypa1'), skeleton('paypal'))
    assert.equal(skeleton('PayPaI'), skeleton('PayPal'))
    assert.equal(skeleton('micr0soft'), skeleton('microsoft'))
    assert.equal(skeleton('rnicrosoft'), skeleton('microsoft'))
  })

  it('drops marks and what cannot be seen', () => {
    assert.equal(skeleton('pa\u0323ypa\u0304l'), skeleton('paypal'))
    assert.equal(skeleton('pay\u200bpal\ufe0f'), skeleton('paypal'))
    assert.equal(skeleton('łøđ'), skeleton('lod'))
  })

  it('differs where people see a difference', () => {
    assert.notEqual(skeleton('paypal'), skeleton('paypol'))
    assert.notEqual(skeleton('жук'), skeleton('xyk'))
  })

  it('looks no further than 256 characters', () => {
    assert.equal(skeleton('a'.repeat(10_000)).length, 256)
  })
})

describe('looksAscii', () => {
  it('is true of a word that only seems to be ASCII', () => {
    assert.equal(looksAscii('exаmple'), true)
    assert.equal(looksAscii('𝐞xample'), true)
  })

  it('is not true of a word that is ASCII', () => {
    assert.equal(looksAscii('example'), false)
  })

  it('is not true of Latin letters with marks, which are how languages are written', () => {
    assert.equal(looksAscii('zürich'), false)
    assert.equal(looksAscii('łódź'), false)
    assert.equal(looksAscii('tromsø'), false)
  })

  it('is not true of a word with a letter that looks like none of ASCII', () => {
    assert.equal(looksAscii('usbшный'), false)
    assert.equal(looksAscii('βlocker'), false)
  })
})
