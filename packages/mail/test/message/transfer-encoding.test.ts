import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeTransfer, transferEncodingOf } from '../../message/transfer-encoding.ts'

function decoded(text: string, encoding: 'base64' | 'quoted-printable' | 'uuencode') {
  const { bytes, oddity } = decodeTransfer(Buffer.from(text, 'latin1'), encoding)
  return [bytes.toString('latin1'), oddity]
}

describe('quoted-printable', () => {
  const cases: [string, string, string][] = [
    ['decodes escapes in either case', '=C3=a9', '\xc3\xa9'],
    ['joins soft line breaks', 'one=\r\ntwo=\nthree= \t\r\nfour', 'onetwothreefour'],
    ['drops white space at the end of a line', 'one \t\r\ntwo  \n', 'one\r\ntwo\n'],
    ['keeps white space that was escaped', 'one=20\r\n', 'one \r\n'],
    ['drops a soft break at the very end', 'one=', 'one'],
  ]
  for (const [name, text, expected] of cases) {
    it(name, () => assert.deepEqual(decoded(text, 'quoted-printable'), [expected, undefined]))
  }

  it('keeps an equals sign that opens no escape, and notes it', () => {
    assert.deepEqual(decoded('a=b =ZZ', 'quoted-printable'), [
      'a=b =ZZ',
      'QUOTED_PRINTABLE_MALFORMED',
    ])
  })
})

describe('base64', () => {
  it('is decoded over line ends', () => {
    assert.deepEqual(decoded('aGVs\r\nbG8=\r\n', 'base64'), ['hello', undefined])
  })

  const malformed: [string, string, string][] = [
    ['passes over other characters', 'aGVs!bG8=', 'hello'],
    ['goes on after padding', 'YQ==\nYg==', 'ab'],
    ['passes over the alphabet for URLs, as mail programs do', 'aG-VsbG_8=', 'hello'],
    ['passes over a "=" that completes no group', '=aG=VsbG8=', 'hello'],
    ['keeps a footer that was added in plain text', 'YQ==\n____\nA list', 'a\n____\nA list'],
  ]
  for (const [name, text, expected] of malformed) {
    it(`${name}, and notes it`, () => {
      assert.deepEqual(decoded(text, 'base64'), [expected, 'BASE64_MALFORMED'])
    })
  }

  it('reads what stands between paddings piece by piece', () => {
    const texts = fc.array(fc.string({ minLength: 1 }).map((text) => Buffer.from(text)))
    fc.assert(
      fc.property(texts, (pieces) => {
        const encoded = pieces.map((piece) => piece.toString('base64')).join('\r\n')
        const { bytes } = decodeTransfer(Buffer.from(encoded), 'base64')
        assert.deepEqual([...bytes], [...Buffer.concat(pieces)])
      }),
    )
  })
})

describe('uuencode', () => {
  it('decodes the lines between begin and end', () => {
    assert.deepEqual(decoded('begin 644 x.txt\n%:&5L;&\\\n`\nend\n', 'uuencode'), [
      'hello',
      undefined,
    ])
  })
})

describe('transferEncodingOf', () => {
  it('knows the names of RFC 2045, also with blanks and dashes, and no others', () => {
    assert.equal(transferEncodingOf('8bit'), 'identity')
    assert.equal(transferEncodingOf('8 bit'), 'identity')
    assert.equal(transferEncodingOf('base-64'), 'base64')
    assert.equal(transferEncodingOf('Quoted Printable'), 'quoted-printable')
    assert.equal(transferEncodingOf('base65'), undefined)
    assert.equal(transferEncodingOf('x-unknown'), undefined)
    assert.equal(transferEncodingOf('toString'), undefined)
  })
})
