import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { domainHash } from '../../knowledge/domain-table.ts'
import { KnownListReader } from '../../knowledge/known-list.ts'

/** The hashes that come of `text`, in chunks of `size` bytes. */
function read(text: string, size = 1_000): number[] {
  const reader = new KnownListReader('list')
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
  return [...reader.end()]
}

function hashes(...names: string[]): number[] {
  return names.map(domainHash).sort((a, b) => a - b)
}

describe('a list of known domains', () => {
  it('has a domain a line, in any case', () => {
    assert.deepEqual(read('bank.example\nSHOP.example\n'), hashes('bank.example', 'shop.example'))
  })
  it('has ranks before the domains, as Tranco ships it', () => {
    assert.deepEqual(
      read('1,bank.example\r\n2,shop.example\r\n'),
      hashes('bank.example', 'shop.example'),
    )
  })
  it('may have comments, blank lines, quotes, and no line end at its end', () => {
    assert.deepEqual(
      read('# ours\n\n1,"bank.example"\n \nshop.example.'),
      hashes('bank.example', 'shop.example'),
    )
  })
  it('has letters beyond ASCII as DNS knows them', () => {
    assert.deepEqual(read('2,bücher.example\n'), hashes('xn--bcher-kva.example'))
  })
  it('is the same wherever its chunks end', () => {
    const text = '1,bank.example\r\n2,bücher.example\r\n3,shop.example'
    for (let size = 1; size < 20; size += 1) assert.deepEqual(read(text, size), read(text))
  })
  it('makes nobody known below whose name others have theirs', () => {
    const sold = 'com\nco.uk\nsa.com\nit.com\ngithub.io\nblogspot.com\nbank.example\n'
    assert.deepEqual(read(sold), hashes('bank.example'))
  })

  const refused: Readonly<Record<string, [text: string, message: RegExp]>> = {
    'a line that is no domain': ['bank.example\n<html>\n', /list: line 2 is no domain/],
    'an address': ['192.0.2.1\n', /line 1 is no domain/],
    'a table of something else': ['rank,name,domain\n', /line 1 is no domain/],
    'an empty file': ['', /list names no domain/],
    'nothing but comments': ['# none\n', /list names no domain/],
    'a line without end': ['a'.repeat(10_000), /line 1 is too long/],
    'two million lines and one': ['a.example\n'.repeat(2_000_001), /line 2000001 is one more/],
  }
  for (const [title, [text, message]] of Object.entries(refused)) {
    it(`is refused with ${title}`, () => {
      assert.throws(() => read(text, 100_000), { code: 'CONFIG_INVALID', message })
    })
  }
})
