import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { WORD_LENGTH_MAX, wordsOf } from '../../embedding/words.ts'

const LENGTH_MAX = 1_000

describe('words', () => {
  const cases: [sentence: string, text: string, expected: string[]][] = [
    ['are lower case', 'Dear FRIEND', ['dear', 'friend']],
    [
      'are parted by punctuation',
      'e-mail: ann@example.com',
      ['e', 'mail', 'ann', 'example', 'com'],
    ],
    ['keep digits', 'Order 1048', ['order', '1048']],
    ['lose their accents', 'Überfällig é', ['uberfallig', 'e']],
    ['keep letters that have no plain form', 'straße', ['straße']],
    ['are read from letters of mathematics', '𝐖𝐈𝐍', ['win']],
    ['are read through characters that nobody sees', 'in\u200bvoice', ['invoice']],
    ['have a Chinese character each', '发票 ok', ['发', '票', 'ok']],
    [
      'keep only the scheme of a link',
      'see https://example.com/a?b=c now',
      ['see', 'https', 'now'],
    ],
    ['keep only the www of an address', 'see www.example.com/a now', ['see', 'www', 'now']],
    ['are parted by emoji', 'party🎉tonight', ['party', 'tonight']],
    ['are parted by half a surrogate pair', 'a\ud83cb', ['a', 'b']],
    ['are none in punctuation', ' ... !? ', []],
    ['are cut where they are no words', 'x'.repeat(100), ['x'.repeat(WORD_LENGTH_MAX)]],
  ]
  for (const [sentence, text, expected] of cases) {
    it(sentence, () => assert.deepEqual(wordsOf(text, LENGTH_MAX), expected))
  }

  it('come from the beginning of a long text', () => {
    assert.deepEqual(wordsOf('one two three', 7), ['one', 'two'])
  })

  it('are never empty and never longer than the limit, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of wordsOf(text, LENGTH_MAX)) {
          assert.ok(word.length > 0 && word.length <= WORD_LENGTH_MAX)
        }
      }),
    )
  })
})
