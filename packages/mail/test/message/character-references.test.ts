import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAttribute, readReference } from '../../message/character-references.ts'

/** The text of the reference that `source` begins with, and what is left behind it. */
function read(source: string): [string, string] | undefined {
  const reference = readReference(source, 0, source.length, false)
  return reference && [reference.text, source.slice(reference.end)]
}

describe('readReference', () => {
  const READ: Readonly<Record<string, readonly [string, string, string][]>> = {
    'decimal and hexadecimal numbers, with and without semicolon': [
      ['&#8364;x', '€', 'x'],
      ['&#x20aCx', '€', 'x'],
      ['&#X1F600;', '😀', ''],
    ],
    'numbers from 128 to 159 as windows-1252': [
      ['&#128;', '€', ''],
      ['&#x9f;', 'Ÿ', ''],
      ['&#160;', '\u00a0', ''],
    ],
    'names of HTML 4 and those that disguise ASCII': [
      ['&Eacute;', 'É', ''],
      ['&sigmaf;', 'ς', ''],
      ['&Omega;', 'Ω', ''],
      ['&colon;&sol;', ':', '&sol;'],
    ],
    'the old names without semicolon, the longest that fits': [
      ['&notit;', '¬', 'it;'],
      ['&ampx', '&', 'x'],
      ['&frac12x', '½', 'x'],
    ],
  }
  for (const [name, rows] of Object.entries(READ)) {
    it(`reads ${name}`, () => {
      for (const [source, text, rest] of rows) assert.deepEqual(read(source), [text, rest])
    })
  }
  it('reads zero, surrogates and what is beyond Unicode as U+FFFD', () => {
    for (const number of ['0', 'xd800', 'xdfff', 'x110000', '9'.repeat(100)]) {
      assert.deepEqual(read(`&#${number};`), ['\ufffd', ''])
    }
  })
  it('reads nothing where there is no name or number', () => {
    for (const source of ['&', '& ', '&;', '&#', '&#x', '&#;', '&unknown;', '&hearts', '&é;']) {
      assert.equal(read(source), undefined, source)
    }
  })
  it('reads nothing beyond its limit', () => {
    assert.equal(readReference('&amp;', 0, 1, false), undefined)
    assert.deepEqual(readReference('&amp;', 0, 4, false), { text: '&', end: 4 })
  })
})

describe('decodeAttribute', () => {
  it('leaves a name without semicolon where a letter, digit or = follows', () => {
    assert.equal(decodeAttribute('?a&copy=1&reg2&ltx&amp;&lt'), '?a&copy=1&reg2&ltx&<')
  })
  it('resolves numbers anywhere', () => {
    assert.equal(decodeAttribute('&#104;ttp&#x3a//'), 'http://')
  })
  it('leaves ampersands that begin nothing', () => {
    assert.equal(decodeAttribute('a & b && c&'), 'a & b && c&')
  })
})
