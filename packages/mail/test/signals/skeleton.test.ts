import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { looksAscii, skeleton } from '../../signals/skeleton.ts'

describe('skeleton', () => {
  for (const [what, like, ...alike] of [
    ['letters of other alphabets', 'paypal', 'рауpal'],
    ['Greek and Cherokee capitals', 'AMAZON', 'ΑΜΑΖΟΝ', 'ᎪᎷᎪᏃON'],
    ['letters in another dress', 'paypal', '𝐩𝐚𝐲𝐩𝐚𝐥', 'ｐａｙｐａｌ', 'ⓟⓐⓨⓟⓐⓛ', 'paypa1', 'PayPaI'],
    ['ASCII that looks alike', 'microsoft', 'micr0soft', 'rnicrosoft'],
    ['marks and what cannot be seen', 'paypal', 'pa\u0323ypa\u0304l', 'pay\u200bpal\ufe0f'],
    ['letters with strokes', 'lod', 'łøđ'],
  ] as const) {
    it(`is the same for ${what}`, () => {
      for (const each of alike) assert.equal(skeleton(each), skeleton(like), each)
    })
  }
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
    assert.ok(['exаmple', '𝐞xample'].every(looksAscii))
  })
  it('is not true of ASCII, of Latin letters with marks, and of letters that look like none of ASCII', () => {
    for (const word of ['example', 'zürich', 'łódź', 'tromsø', 'usbшный', 'βlocker']) {
      assert.equal(looksAscii(word), false, word)
    }
  })
})
