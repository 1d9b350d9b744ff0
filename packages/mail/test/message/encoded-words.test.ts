import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeHeaderText, hasUnreadWord } from '../../message/encoded-words.ts'
import { ENCODED_WORDS_MAX } from '../../message/limits.ts'

describe('decodeHeaderText', () => {
  const cases: [string, string, string][] = [
    ['leaves plain text as it is', 'Hello = ? world', 'Hello = ? world'],
    ['decodes the Q encoding', '=?iso-8859-1?Q?caf=E9_au_lait?=', 'café au lait'],
    ['decodes the B encoding', '=?UTF-8?B?4pyT?=', '✓'],
    ['keeps the text around a word', 'Re: =?utf-8?q?x?= !', 'Re: x !'],
    ['drops white space between words', '=?utf-8?Q?a?=  =?utf-8?Q?b?=', 'ab'],
    ['keeps other text between words', '=?utf-8?Q?a?= and =?utf-8?Q?b?=', 'a and b'],
    ['joins a character split over two words', '=?utf-8?Q?=E2=9C?= =?utf-8?Q?=93?=', '✓'],
    ['joins a character split over a Q and a B word', '=?utf-8?Q?=E2=9C?= =?utf-8?B?kw==?=', '✓'],
    ['joins words whose charset is spelled in two ways', '=?utf-8?Q?=E2?= =?UTF8?Q?=9C=93?=', '✓'],
    ['reads UTF-8 in a word of another charset', '=?iso-8859-2?B?V3ljacSFZw==?=', 'Wyciąg'],
    ['joins base64 split inside a quantum', '=?utf-8?B?4py?= =?utf-8?B?T?=', '✓'],
    ['decodes base64 words that are each padded', '=?utf-8?B?YQ==?= =?utf-8?B?Yg==?=', 'ab'],
    ['decodes neighbours of two charsets', '=?koi8-r?B?2Q==?= =?utf-8?Q?=C3=A9?=', 'ыé'],
    [
      'decodes neighbours in ISO-2022-JP',
      '=?iso-2022-jp?B?GyRCJDMbKEI=?= =?iso-2022-jp?B?GyRCJHMbKEI=?=',
      'こん',
    ],
    ['passes over a language tag', '=?utf-8*en?Q?hi?=', 'hi'],
    ['decodes a word next to other text', 'x=?utf-8?Q?y?=z', 'xyz'],
    ['reads a question mark inside a word', '=?utf-8?Q?why??=', 'why?'],
    ['leaves an unknown encoding as it is', '=?utf-8?X?abc?=', '=?utf-8?X?abc?='],
    ['leaves a word without an end as it is', '=?utf-8?Q?abc', '=?utf-8?Q?abc'],
    ['reads an unknown charset by its look', '=?none?Q?=C3=A9?=', 'é'],
    ['reads raw UTF-8', '\xe2\x9c\x93', '✓'],
    ['reads raw Windows-1252', 'caf\xe9 \x80', 'café €'],
    [
      'reads raw windows-1251',
      '\xd1\xee\xe2\xe5\xf9\xe0\xed\xe8\xe5 \xe2 \xf1\xf0\xe5\xe4\xf3',
      'Совещание в среду',
    ],
    ['reads raw bytes beside a word', '\xc3\xa9 =?utf-8?Q?x?=', 'é x'],
  ]
  for (const [name, raw, expected] of cases) {
    it(name, () => assert.equal(decodeHeaderText(raw), expected))
  }

  it('decodes as many words as may be and leaves the rest', () => {
    const within = Array(ENCODED_WORDS_MAX).fill('=?utf-8?Q?a?=').join(' ')
    assert.equal(decodeHeaderText(within), 'a'.repeat(ENCODED_WORDS_MAX))
    assert.equal(
      decodeHeaderText(`${within} =?utf-8?Q?b?=`),
      `${'a'.repeat(ENCODED_WORDS_MAX)} =?utf-8?Q?b?=`,
    )
  })
})

describe('hasUnreadWord', () => {
  it('finds a word that stayed as it was', () => {
    assert.equal(hasUnreadWord('=?utf-8?X?abc?='), true)
    assert.equal(hasUnreadWord('a =? b'), false)
  })
})
