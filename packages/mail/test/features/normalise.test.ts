import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { normalise } from '../../features/normalise.ts'

describe('normalise', () => {
  const cases: [sentence: string, text: string, expected: string][] = [
    ['lower-cases', 'Dear FRIEND', 'dear friend'],
    ['leaves one space between words', 'one,\r\n\t two -- three', 'one two three'],
    ['takes all digits for the same', 'Order 1048-77215', 'order 0000 00000'],
    ['takes digits of other scripts for digits', '٣٤', '00'],
    ['drops characters that nobody sees', 'via\u200bgr\u00ada', 'viagra'],
    ['reads Cyrillic letters in a Latin word as what they look like', 'p\u0430yp\u0430l', 'paypal'],
    ['reads Greek letters in a Latin word as what they look like', 'AMAZ\u039fN', 'amazon'],
    [
      'leaves a Cyrillic word beside Latin ones',
      '\u0440\u0430\u0441\u043e one',
      '\u0440\u0430\u0441\u043e one',
    ],
    ['leaves letters that Latin alphabets have', 'sm\u00f8rbr\u00f8d', 'sm\u00f8rbr\u00f8d'],
    ['folds full-width letters', 'ＦＲＥＥ', 'free'],
    ['folds mathematical letters', '𝐖𝐈𝐍', 'win'],
    [
      'marks a link instead of its address',
      'see https://example.com/a?b=c now',
      'see \u0001link now',
    ],
    ['marks a link without its scheme', 'see www.example.com now', 'see \u0001link now'],
    ['marks an address', 'write to sam.o+x@example.com', 'write to \u0001address'],
    ['keeps currency and per cent', '50% off for $99', '00% off for $00'],
    ['drops marks that strike letters through', 'f\u0336r\u0336e\u0336e\u0336', 'free'],
    ['keeps letters with an accent', 'cafe\u0301', 'caf\u00e9'],
    ['reads text shown in reverse as it is shown', 'a \u202eeerf\u202c gift', 'a free gift'],
    ['reads digits between letters as letters', 'W3LC0M3 4cc0unt', 'welcome account'],
    ['leaves digits beside letters', 'mp3 2nd v2 ab1234', 'mp0 0nd v0 ab0000'],
    ['joins a word whose letters stand apart', 'get f.r.e.e g i f t s', 'get free gifts'],
    ['leaves abbreviations and single letters', 'U.S.A. or plan b a', 'u s a or plan b a'],
    ['is empty for white space', ' \r\n ', ''],
  ]
  for (const [sentence, text, expected] of cases) {
    it(sentence, () => assert.equal(normalise(text), expected))
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
