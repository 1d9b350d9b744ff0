import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeCharset } from '../../message/charset.ts'
import { CHARSET_LABELS, charsetOfLabel } from '../../message/charset-labels.ts'
import { encodeText } from '../helpers/encode-text.ts'

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
  ['cp852', '\x9d\xa2d\xab', 'Łódź'],
  ['x-mac-ce', '\xfc\x97d\x90', 'Łódź'],
  ['iso-2022-jp-1', '\x1b$(D0!\x1b(B', '丂'],
  ['iso-2022-jp', '\x1b(I1\x1b(B \x0e1\x0f', 'ｱ ｱ'],
  ['iso-2022-cn', '\x1b$)A\x0eDc:C\x0f', '你好'],
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

/** A sentence or two of an ordinary letter, in the charsets in which mail has them. */
const letters: [language: string, charsets: string[], text: string][] = [
  [
    'Russian',
    ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'],
    'Добрый день! Совещание переносится на среду, материалы пришлю завтра утром.',
  ],
  [
    'Ukrainian',
    ['windows-1251', 'koi8-u'],
    'Добрий день! Нараду перенесено на середу, її початок о третій.',
  ],
  [
    'Greek',
    ['windows-1253', 'iso-8859-7'],
    'Καλημέρα, η συνάντηση μεταφέρεται για την Τετάρτη στις τρεις.',
  ],
  ['Hebrew', ['windows-1255'], 'שלום, הפגישה נדחתה ליום רביעי בשעה שלוש, אשלח את החומר מחר.'],
  [
    'Arabic',
    ['windows-1256', 'iso-8859-6'],
    'صباح الخير، تم تأجيل الاجتماع إلى يوم الأربعاء في الساعة الثالثة.',
  ],
  ['Thai', ['windows-874'], 'สวัสดีค่ะ การประชุมเลื่อนไปเป็นวันพุธ เวลาบ่ายสามโมง'],
  [
    'Turkish',
    ['windows-1254'],
    'Toplantı çarşamba gününe ertelendi, yarın sabah size gerekli belgeleri göndereceğim. Teşekkürler, iyi çalışmalar',
  ],
  [
    'Polish',
    ['windows-1250', 'iso-8859-2'],
    'Dzień dobry, zebranie odbędzie się w środę o osiemnastej, proszę przynieść listę usterek.',
  ],
  [
    'Czech',
    ['windows-1250', 'iso-8859-2'],
    'Dobrý den, schůzka se přesouvá na středu, podklady pošlu zítra ráno.',
  ],
  [
    'German',
    ['windows-1252'],
    'Für die Prüfung übermorgen fehlen noch die Schlüssel für den großen Hörsaal.',
  ],
  [
    'French',
    ['windows-1252'],
    'La réunion est reportée à mercredi, je vous enverrai les pièces demain.',
  ],
  [
    'Italian',
    ['windows-1252'],
    'La riunione è spostata a mercoledì, perché lunedì la sala non è più libera.',
  ],
  [
    'Norwegian',
    ['windows-1252'],
    'Møtet er flyttet til onsdag, så jeg sender dere sakene på nytt i løpet av dagen.',
  ],
  [
    'Japanese',
    ['shift_jis', 'euc-jp', 'iso-2022-jp'],
    '来週の会議は水曜日の午後三時から始まります。資料は前日までにお送りします。',
  ],
  ['Chinese', ['gbk', 'gb18030'], '您好，下周的会议改到星期三下午三点，资料我明天发给您。'],
  ['traditional Chinese', ['big5'], '您好，下週的會議改到星期三下午三點，資料我明天寄給您。'],
  [
    'Korean',
    ['euc-kr'],
    '다음 주 회의는 수요일 오후 세 시에 시작합니다. 자료는 전날까지 보내 드리겠습니다.',
  ],
]

describe('decodeCharset, of text under another label than its own', () => {
  for (const [language, charsets, text] of letters) {
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
      for (const label of [undefined, ...CHARSET_LABELS, 'iso-2022-kr', 'hz-gb-2312', 'cp852']) {
        assert.equal(decodeCharset(bytes, label).text, text, label)
      }
    })
  }

  const wrong: [language: string, charset: string, label: string][] = [
    ['Russian', 'koi8-r', 'windows-1251'],
    ['Russian', 'windows-1251', 'koi8-r'],
    ['Russian', 'windows-1251', 'iso-8859-1'],
    ['Russian', 'ibm866', 'iso-8859-2'],
    ['Ukrainian', 'koi8-u', 'koi8-r'],
    ['Greek', 'windows-1253', 'iso-8859-1'],
    ['Japanese', 'shift_jis', 'iso-2022-jp'],
    ['Japanese', 'euc-jp', 'shift_jis'],
    ['Japanese', 'iso-2022-jp', 'shift_jis'],
    ['Japanese', 'shift_jis', 'iso-8859-1'],
    ['Chinese', 'gbk', 'iso-8859-1'],
    ['Chinese', 'gbk', 'big5'],
    ['traditional Chinese', 'big5', 'gb2312'],
    ['Korean', 'euc-kr', 'iso-8859-1'],
    ['Korean', 'euc-kr', 'gb2312'],
    ['Polish', 'windows-1250', 'iso-8859-2'],
    ['German', 'windows-1252', 'iso-8859-2'],
  ]
  for (const [language, charset, label] of wrong) {
    it(`reads ${language} in ${charset} that is called ${label}`, () => {
      const text = letters.find(([name]) => name === language)![2]
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

describe('decodeCharset, of any bytes', () => {
  it('gives text under any label', () => {
    const label = fc.oneof(fc.constantFrom(...CHARSET_LABELS, 'cp852', 'utf-7'), fc.string())
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), label, (bytes, name) => {
        assert.equal(typeof decodeCharset(Buffer.from(bytes), name).text, 'string')
      }),
    )
  })
})

describe('charsetOfLabel', () => {
  const labels: Readonly<Record<string, string>> = {
    'us-ascii': 'ansi_x3.4 ANSI_X3.4-1986 646 iso646-us cp367 csASCII US-ASCII',
    'utf-8':
      'utf8 UTF_8 utf8mb4 utf-8mb4 "utf-8" \'utf-8\' cp65001 unicode-1-1-utf-8 x-utf-8 utf-8; charset=utf-8 en_us.utf-8',
    'utf-7': 'utf7 unicode-1-1-utf-7 x-unicode-2-0-utf-7 cp65000',
    'utf-16le': 'utf16le cp1200 ucs-2 unicodefeff',
    'windows-1252':
      'latin1 iso_8859-1 iso8859_1 iso-8859-1:1987 cp1252 cp-1252 win-1252 windows1252 windows_1252 ansi-1252 ibm1252 l1 cp819 cp28591 ms-ansi1252',
    'windows-1251': 'cp1251 cp-1251 win1251 x-cp1251 windows1251 ms1251 ansi-1251',
    'windows-1250': 'win-1250 cp1250 x-windows-1250',
    'iso-8859-8-i': 'iso8859-8-i ISO_8859-8-I cp38598',
    'iso-8859-15': 'latin9 latin-9 iso8859_15 iso885915 cp28605 ISO-8859-15:1998',
    'koi8-r': 'koi8r KOI8_R koi-8-r cskoi8r cp20866 cp878',
    'koi8-u': 'koi8u cp21866 koi8-ru',
    ibm866: 'cp866 cp-866 ibm-866 dos-866 x-cp866',
    cp437: 'ibm437 cp-437 437 dos437',
    cp850: 'ibm850 cp_850 850',
    cp852: 'ibm852 ibm-852 x-cp852 852 cspcp852',
    macintosh: 'x-mac-roman mac-roman macroman x-macroman apple-roman mac',
    'x-mac-ce': 'x-mac-centraleurroman mac-ce maccentraleurope x-mac-ce cp10029 mac_latin2',
    'x-mac-greek': 'macgreek mac-greek cp10006',
    shift_jis:
      'x-sjis sjis shift-jis ShiftJIS x-shift-jis cp932 ms932 windows-932 windows-31j ms_kanji x-ms-cp932 x-mac-japanese sjis-win',
    'euc-jp': 'eucjp euc_jp x-euc-jp ujis cp51932 eucjp-ms x-eucjp eucjp-win',
    'iso-2022-jp':
      'iso2022jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-ms csiso2022jp cp50220 cp50221 jis',
    gbk: 'cp936 windows-936 ms936 x-gbk gb2312 gb_2312-80 gb2312-80 gb-2312 euc-cn x-euc-cn euccn cn-gb chinese x-mac-chinesesimp',
    gb18030: 'gb-18030 gb18030-2000 gb_18030 cp54936',
    'hz-gb-2312': 'hz hz-gb2312 cp52936',
    big5: 'big-5 big5-hkscs big5hkscs cp950 windows-950 ms950 x-x-big5 cn-big5 x-big5 x-mac-chinesetrad',
    'euc-kr':
      'euckr euc_kr ks_c_5601-1987 ks_c_5601 ksc5601 ks-c-5601-1987 ksc_5601 x-windows-949 windows-949 cp949 ms949 uhc x-mac-korean korean',
    'iso-2022-kr': 'iso2022kr csiso2022kr cp50225',
    'windows-874': 'tis-620 tis620 cp874 iso-8859-11 x-windows-874 tis620.2533-1',
  }
  for (const [charset, names] of Object.entries(labels)) {
    it(`knows ${charset} by its other names`, () => {
      for (const name of names.split(' ')) {
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
