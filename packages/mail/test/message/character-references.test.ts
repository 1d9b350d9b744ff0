import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAttribute, readReference } from '../../message/character-references.ts'

/** The text of the reference that `source` begins with, and what is left behind it. */
function read(source: string): [string, string] | undefined {
  const reference = readReference(source, 0, source.length, false)
  return reference && [reference.text, source.slice(reference.end)]
}

describe('readReference', () => {
  it('reads decimal and hexadecimal numbers, with and without semicolon', () => {
    assert.deepEqual(read('&#8364;x'), ['€', 'x'])
    assert.deepEqual(read('&#x20aCx'), ['€', 'x'])
    assert.deepEqual(read('&#X1F600;'), ['😀', ''])
  })
  it('reads numbers from 128 to 159 as windows-1252', () => {
    assert.deepEqual(read('&#128;'), ['€', ''])
    assert.deepEqual(read('&#x9f;'), ['Ÿ', ''])
    assert.deepEqual(read('&#160;'), ['\u00a0', ''])
  })
  it('reads zero, surrogates and what is beyond Unicode as U+FFFD', () => {
    for (const number of ['0', 'xd800', 'xdfff', 'x110000', '9'.repeat(100)]) {
      assert.deepEqual(read(`&#${number};`), ['\ufffd', ''])
    }
  })
  it('reads names of HTML 4', () => {
    assert.deepEqual(read('&Eacute;'), ['É', ''])
    assert.deepEqual(read('&yuml;'), ['ÿ', ''])
    assert.deepEqual(read('&sigmaf;'), ['ς', ''])
    assert.deepEqual(read('&omega;'), ['ω', ''])
    assert.deepEqual(read('&Omega;'), ['Ω', ''])
    assert.deepEqual(read('&hearts;'), ['♥', ''])
  })
  it('reads names that disguise ASCII', () => {
    assert.deepEqual(read('&colon;&sol;'), [':', '&sol;'])
  })
  it('reads the old names without semicolon, the longest that fits', () => {
    assert.deepEqual(read('&notit;'), ['¬', 'it;'])
    assert.deepEqual(read('&ampx'), ['&', 'x'])
    assert.deepEqual(read('&frac12x'), ['½', 'x'])
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
