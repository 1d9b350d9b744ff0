import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mainScript, tally } from '../../signals/characters.ts'

describe('tally', () => {
  it('counts what the characters of a text are', () => {
    assert.partialDeepStrictEqual(tally('Hello Anna, 20 €! Grüße? 🎁'), {
      ...{ length: 27, letters: 14, upper: 3, lower: 11, digits: 2, spaces: 5, words: 3 },
      ...{ exclamations: 1, questions: 1, currencySigns: 1, pictographs: 1, styled: 0 },
    })
  })
  it('keeps words of mixed script', () => {
    assert.deepEqual(tally('an accоunt, счёт').mixedWords, ['accоunt'])
  })
  it('counts invisible characters only between letters', () => {
    const texts = ['a\u200bb', 'a\u200b b', '\u200bb']
    assert.deepEqual(
      texts.map((text) => tally(text).invisibleInWords),
      [1, 0, 0],
    )
  })
  it('measures the longest row of single letters', () => {
    const texts = ['f r e e', 'f  r e e', 'f.r.e.e!', 'f.r e.e', 'free']
    assert.deepEqual(
      texts.map((text) => tally(text).gappyRun),
      [4, 3, 4, 2, 0],
    )
  })
  it('counts as regular expressions do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const { digits, exclamations, letters, scripts } = tally(text)
        assert.equal(digits, text.match(/[0-9]/g)?.length ?? 0)
        assert.equal(exclamations, text.match(/!/g)?.length ?? 0)
        assert.equal(
          letters,
          scripts.reduce((sum, count) => sum + count, 0),
        )
      }),
    )
  })
})

describe('the script of most letters', () => {
  for (const [script, letters] of Object.entries({
    ...{ latin: 'aZéßł', cyrillic: 'аЯёї', greek: 'αΩή', armenian: 'աՖ', hebrew: 'את' },
    ...{ arabic: 'عپ', indic: 'कথ', thai: 'ก', georgian: 'ა', cherokee: 'Ꭰ', kana: 'あア' },
    ...{ hangul: '한', han: '中', none: '12 + 3' },
  })) {
    it(`is ${script} in ${letters}`, () => {
      assert.equal(mainScript(tally(letters)), script)
      if (script !== 'none') assert.equal(tally(letters).letters, letters.length)
    })
  }
})
