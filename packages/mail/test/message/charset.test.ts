import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeCharset } from '../../message/charset.ts'
import { CHARSET_LABELS, charsetOfLabel } from '../../message/charset-labels.ts'
import { encodeText } from '../helpers/encode-text.ts'
import { readRows } from '../helpers/rows.ts'

function decode(bytes: string, label?: string): string {
  return decodeCharset(Buffer.from(bytes, 'latin1'), label).text
}

describe('decodeCharset', () => {
  for (const [label, bytes, expected] of readRows('mail/test/message/charsets.cases')) {
    it(`reads ${label}`, () => assert.equal(decode(bytes!, label), expected))
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

/** A sentence or two of an ordinary letter, in the charsets in which mail has them. */
const letters = readRows('mail/test/message/letters.cases').map(([language, charsets, text]) => ({
  language: language!,
  charsets: charsets!.split(' '),
  text: text!,
}))

describe('decodeCharset, of text under another label than its own', () => {
  for (const { language, charsets, text } of letters) {
    for (const charset of charsets) {
      it(`reads ${language} in ${charset} without a label, and as ASCII, UTF-8 or what nobody knows`, () => {
        const bytes = encodeText(text, charset)
        for (const label of [undefined, 'us-ascii', 'utf-8', 'x-none', '8bit']) {
          assert.equal(decodeCharset(bytes, label).text, text, label)
        }
      })
    }
    it(`reads ${language} in UTF-8 under any label`, () => {
      const bytes = encodeText(text, 'utf-8')
      for (const label of [undefined, ...CHARSET_LABELS, 'iso-2022-kr', 'cp852']) {
        assert.equal(decodeCharset(bytes, label).text, text, label)
      }
    })
  }

  /** Language, charset, and what it is called. */
  const WRONG = `
    Russian koi8-r windows-1251, Russian windows-1251 koi8-r, Russian windows-1251 iso-8859-1,
    Russian ibm866 iso-8859-2, Ukrainian koi8-u koi8-r, Greek windows-1253 iso-8859-1,
    Japanese shift_jis iso-2022-jp, Japanese euc-jp shift_jis, Japanese iso-2022-jp shift_jis,
    Japanese shift_jis iso-8859-1, Chinese gbk iso-8859-1, Chinese gbk big5,
    traditional-Chinese big5 gb2312, Korean euc-kr iso-8859-1, Korean euc-kr gb2312,
    Polish windows-1250 iso-8859-2, German windows-1252 iso-8859-2`
  for (const wrong of WRONG.trim().split(/,\s+/)) {
    const [language, charset, label] = wrong
      .replace('-Chinese', ' Chinese')
      .split(/ (?!Chinese)/) as [string, string, string]
    it(`reads ${language} in ${charset} that is called ${label}`, () => {
      const text = letters.find((letter) => letter.language === language)!.text
      assert.equal(decodeCharset(encodeText(text, charset), label).text, text)
    })
  }

  it('reads UTF-16 by its mark, or by every other byte being NUL', () => {
    for (const charset of ['utf-16le', 'utf-16be']) {
      const plain = encodeText('The meeting is on Wednesday – at three.', charset)
      assert.equal(decodeCharset(plain, 'us-ascii').charset, charset)
      const marked = encodeText('\ufeff会议改到星期三', charset)
      assert.equal(decodeCharset(marked, undefined).text, '会议改到星期三')
    }
  })

  it('reads ISO-2022-JP by its escapes, also beside a stray byte', () => {
    const bytes = Buffer.concat([
      encodeText('会議の件', 'iso-2022-jp'),
      Buffer.from(' caf\xe9 ', 'latin1'),
    ])
    for (const label of [undefined, 'iso-2022-jp', 'us-ascii']) {
      assert.match(decodeCharset(bytes, label).text, /^会議の件 caf/)
    }
  })

  it('keeps UTF-8 that was cut inside a character, whatever the label', () => {
    const bytes = Buffer.from('Für die Prüfung übermorgen, um zwölf').subarray(0, -3)
    assert.equal(decodeCharset(bytes, 'iso-8859-1').text, 'Für die Prüfung übermorgen, um zw\ufffd')
  })

  it('keeps a declared charset for a word or two that could be another', () => {
    for (const [text, charset] of [
      ['café', 'iso-8859-1'],
      ['Łódź', 'iso-8859-2'],
      ['её', 'koi8-r'],
      ['你好', 'gb2312'],
      ['東京', 'shift_jis'],
      ['김', 'euc-kr'],
    ] as const) {
      const name = new TextDecoder(charset).encoding
      assert.equal(decodeCharset(encodeText(text, name), charset).text, text)
    }
  })

  it('takes signs for no letters: prices, degrees, bullets and quotation marks stay what they were', () => {
    for (const text of [
      'from £22.00 to £35.00, £7 a day',
      '0.77 ± 20 % and 16 ± 3 %',
      '– first\n• second\n• third',
      'it’s what they’ve said: “don’t”',
      'Because—and this is the point of it—they knew—or so they said—that it was',
      '360º view, § 103, ©\u00a02004\u00a0\u00a0all rights reserved',
      'un protégé, à la carte',
      '########## ¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨¨ ##########',
    ]) {
      assert.equal(decodeCharset(encodeText(text, 'windows-1252'), undefined).text, text)
    }
  })
})

describe('charsetOfLabel', () => {
  for (const [charset, ...names] of readRows('mail/test/message/charset-labels.cases')) {
    it(`knows ${charset} by its other names`, () => {
      for (const name of names) {
        const found = charsetOfLabel(name)
        assert.equal(found === 'gb18030' && charset === 'gbk' ? 'gbk' : found, charset, name)
      }
    })
  }

  it('takes what says nothing for no label', () => {
    for (const label of ['', ' ', '""', '8bit', 'binary', 'unknown-8bit', 'x-unknown', 'default']) {
      assert.equal(charsetOfLabel(label), '', label)
    }
  })

  it('knows no other', () => {
    for (const label of ['x-none', 'utf-88', 'iso-8859-77', 'cp1', 'constructor', '%CHARSET%']) {
      assert.equal(charsetOfLabel(label), undefined, label)
    }
  })
})
