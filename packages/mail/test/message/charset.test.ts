import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeCharset } from '../../message/charset.ts'
import { CHARSET_LABELS } from '../../message/charset-labels.ts'

function decode(bytes: string, label?: string): string {
  return decodeCharset(Buffer.from(bytes, 'latin1'), label).text
}

/** The same two words wherever the charset has them. */
const cases: [string, string, string][] = [
  ['utf-8', 'caf\xc3\xa9', 'café'],
  ['UTF8', '\xef\xbb\xbfcaf\xc3\xa9', 'café'],
  ['iso-8859-1', 'caf\xe9 \x80', 'café €'],
  ['windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
  ['koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
  ['cp866', '\x8f\xe0\xa8\xa2\xa5\xe2', 'Привет'],
  ['gb2312', '\xc4\xe3\xba\xc3', '你好'],
  ['cp936', '\xc4\xe3\xba\xc3', '你好'],
  ['hz-gb-2312', '~{Dc:C~} ~~', '你好 ~'],
  ['big5', '\xa7A\xa6n', '你好'],
  ['shift_jis', '\x82\xb1\x82\xf1', 'こん'],
  ['cp932', '\x82\xb1\x82\xf1', 'こん'],
  ['euc-jp', '\xa4\xb3\xa4\xf3', 'こん'],
  ['iso-2022-jp', '\x1b$B$3$s\x1b(B!', 'こん!'],
  ['euc-kr', '\xbe\xc8\xb3\xe7', '안녕'],
  ['iso-2022-kr', '\x1b$)C\x0e>H3g\x0f!', '안녕!'],
  ['utf-7', 'Hi Mom +Jjo-! +-', 'Hi Mom ☺! +'],
  ['cp437', 'caf\x82 \xe1', 'café ß'],
  ['ibm850', 'caf\x82 \xe1', 'café ß'],
  ['utf-16', 'h\0i\0', 'hi'],
  ['utf-16be', '\0h\0i', 'hi'],
  ['utf-32', '\xff\xfe\0\0h\0\0\0', 'h'],
  ['utf-32be', '\0\0\0h\0\x01\xf6\0', 'h😀'],
]

describe('decodeCharset', () => {
  for (const [label, bytes, expected] of cases) {
    it(`reads ${label}`, () => assert.equal(decode(bytes, label), expected))
  }

  it('reads UTF-8 where nothing was declared, else Windows-1252', () => {
    assert.equal(decode('caf\xc3\xa9'), 'café')
    assert.equal(decode('caf\xe9'), 'café')
  })

  it('notes a charset that nobody knows', () => {
    const { text, oddity } = decodeCharset(Buffer.from('caf\xc3\xa9', 'latin1'), 'x-none')
    assert.deepEqual([text, oddity], ['café', 'CHARSET_UNKNOWN'])
  })

  it('notes a charset that the bytes contradict', () => {
    const ascii = decodeCharset(Buffer.from('caf\xe9', 'latin1'), 'us-ascii')
    assert.deepEqual([ascii.text, ascii.oddity], ['café', 'CHARSET_MISMATCH'])
    const utf8 = decodeCharset(Buffer.from('caf\xe9', 'latin1'), 'utf-8')
    assert.deepEqual(
      [utf8.text, utf8.charset, utf8.oddity],
      ['café', 'windows-1252', 'CHARSET_MISMATCH'],
    )
  })

  it('keeps UTF-8 of which one character is damaged', () => {
    assert.equal(decode('caf\xc3\xa9 \xc3', 'utf-8'), 'café \ufffd')
  })

  it('reads ASCII under the name of UTF-16', () => {
    assert.equal(decode('plain', 'utf-16'), 'plain')
  })

  it('names the charset it used', () => {
    assert.equal(decodeCharset(Buffer.from('x'), undefined).charset, 'us-ascii')
    assert.equal(decodeCharset(Buffer.from('x'), 'UTF-8').charset, 'utf-8')
    assert.equal(decodeCharset(Buffer.from('x'), 'constructor').oddity, 'CHARSET_UNKNOWN')
  })
})

describe('CHARSET_LABELS', () => {
  it('are names that TextDecoder takes', () => {
    for (const label of CHARSET_LABELS) assert.doesNotThrow(() => new TextDecoder(label), label)
  })

  it('are all of them: 228 of the standard without those that it replaces', () => {
    assert.equal(CHARSET_LABELS.size, 228 - 6)
  })

  it('are still known after a thousand names that are none', () => {
    for (let number = 0; number < 1_000; number++) decode('\xe9', `none-${number}`)
    assert.equal(decode('\xd0', 'iso-8859-5'), 'а')
  })
})
