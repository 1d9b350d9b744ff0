import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mainScript, SCRIPTS, scriptIndex, tally } from '../../signals/characters.ts'

describe('tally', () => {
  it('counts what the characters of a text are', () => {
    const counted = tally('Hello Anna, 20 €! Grüße? 🎁')
    assert.partialDeepStrictEqual(counted, {
      length: 27,
      letters: 14,
      upper: 3,
      lower: 11,
      digits: 2,
      spaces: 5,
      words: 3,
      exclamations: 1,
      questions: 1,
      currencySigns: 1,
      pictographs: 1,
      styled: 0,
      invisibleInWords: 0,
    })
  })

  it('keeps words of mixed script', () => {
    assert.deepEqual(tally('an accоunt, счёт').mixedWords, ['accоunt'])
  })

  it('counts invisible characters only between letters', () => {
    assert.equal(tally('a\u200bb').invisibleInWords, 1)
    assert.equal(tally('a\u200b b').invisibleInWords, 0)
    assert.equal(tally('\u200bb').invisibleInWords, 0)
  })

  it('measures the longest row of single letters', () => {
    assert.equal(tally('f r e e').gappyRun, 4)
    assert.equal(tally('f  r e e').gappyRun, 3)
    assert.equal(tally('f.r.e.e!').gappyRun, 4)
    assert.equal(tally('f.r e.e').gappyRun, 2)
    assert.equal(tally('free').gappyRun, 0)
  })

  it('counts as regular expressions do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const counted = tally(text)
        assert.equal(counted.length, text.length)
        assert.equal(counted.digits, text.match(/[0-9]/g)?.length ?? 0)
        assert.equal(counted.exclamations, text.match(/!/g)?.length ?? 0)
        assert.equal(
          counted.letters,
          counted.scripts.reduce((sum, count) => sum + count, 0),
        )
      }),
    )
  })
})

describe('scripts', () => {
  const samples = {
    latin: 'aZéßł',
    cyrillic: 'аЯёї',
    greek: 'αΩή',
    armenian: 'աՖ',
    hebrew: 'את',
    arabic: 'عپ',
    indic: 'कথ',
    thai: 'ก',
    georgian: 'ა',
    cherokee: 'Ꭰ',
    kana: 'あア',
    hangul: '한',
    han: '中',
  }

  for (const [script, letters] of Object.entries(samples)) {
    it(`knows ${script}`, () => {
      for (const letter of letters) assert.equal(SCRIPTS[scriptIndex(letter.charCodeAt(0))], script)
      assert.equal(mainScript(tally(letters)), script)
    })
  }

  it('knows no script in signs and digits', () => {
    assert.equal(mainScript(tally('12 + 3')), 'none')
  })
})
