import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LINK_LENGTH_MAX, LINKS_MAX } from '../../message/limits.ts'
import { findLinks } from '../../message/text-links.ts'

function check(rows: readonly (readonly [string, ...string[]])[]): void {
  for (const [text, ...links] of rows) assert.deepEqual(findLinks(text), links, text)
}

describe('findLinks', () => {
  it('finds http, https and ftp links in any case, in order', () => {
    check([
      [
        'a http://example.com/ b HTTPS://Example.org/x?y=1#z c ftp://example.net',
        'http://example.com/',
        'HTTPS://Example.org/x?y=1#z',
        'ftp://example.net',
      ],
    ])
  })
  it('gives names that begin with www. the scheme they are opened with', () => {
    check([
      [
        'See www.example.com/a or WWW.example.org',
        'http://www.example.com/a',
        'http://WWW.example.org',
      ],
    ])
  })
  it('finds no www. inside another word', () => {
    check([['awww.example.com me@www.example.com x.www.example.com -www.example.com']])
  })
  it('finds hosts with a path, with a port or without', () => {
    check([
      ['Open example.com/login', 'http://example.com/login'],
      ['(see A.EXAMPLE.ORG/x).', 'http://A.EXAMPLE.ORG/x'],
      ['URL:example.com:8080/x?y=1', 'http://example.com:8080/x?y=1'],
      ['<example.com/>, "example.net/a"', 'http://example.com/', 'http://example.net/a'],
      ['b\u00fccher.example.com/x', 'http://b\u00fccher.example.com/x'],
      ['\u8bf7\u770bexample.com/x\u3002', 'http://example.com/x'],
      ['x.www.example.com/y', 'http://x.www.example.com/y'],
      ['-example.com/x ...example.org/y', 'http://example.com/x', 'http://example.org/y'],
    ])
  })
  it('finds no host in prose, in paths and in addresses', () => {
    check([
      ['example.com, README.md, Node.js, file.txt, e.g. this'],
      ['Node.js/Express e.g./i.e. and/or TCP/IP km/h 1.5/2 192.0.2.0/24 10:30/11:00'],
      ['co.uk/x example..com/x example.com./x a_b.com/x'],
      ['src/example.com/x me@example.com/x a=example.com/x C:\\example.com/x'],
      ['main.c:12/3 lib.h/x slot.example/login'],
    ])
  })
  it('finds no other scheme', () => {
    check([['mailto:a@example.com javascript:alert(1) tel:123 example.com']])
  })
  it('leaves the punctuation of the sentence outside', () => {
    check([
      ['Is it http://example.com/a.html?', 'http://example.com/a.html'],
      [
        'http://example.com/a, http://example.com/b; *http://example.com/c*',
        'http://example.com/a',
        'http://example.com/b',
        'http://example.com/c',
      ],
      ["'http://example.com/a'...", 'http://example.com/a'],
    ])
  })
  it('keeps brackets that the link opens itself', () => {
    check([
      ['(http://example.com/x_(y))', 'http://example.com/x_(y)'],
      ['(see http://example.com/x).', 'http://example.com/x'],
      ['[http://[2001:db8::1]/a]', 'http://[2001:db8::1]/a'],
      ['http://example.com/a)b', 'http://example.com/a)b'],
      ['{http://example.com/a}}', 'http://example.com/a'],
    ])
  })
  it('ends at angle brackets and quotation marks', () => {
    check([
      ['<URL:http://example.com/a>', 'http://example.com/a'],
      ['"http://example.com/a"b', 'http://example.com/a'],
      [
        '“http://example.com/a” «http://example.com/b»',
        'http://example.com/a',
        'http://example.com/b',
      ],
    ])
  })
  it('ends at East Asian punctuation', () => {
    check([
      [
        '请看http://example.com/a。谢谢（http://example.com/b）',
        'http://example.com/a',
        'http://example.com/b',
      ],
    ])
  })
  it('finds nothing after a bare scheme', () => {
    check([['http:// https://) www. www.)']])
  })
  it('cuts a link at its longest length', () => {
    const [link] = findLinks(`http://example.com/${'a'.repeat(LINK_LENGTH_MAX)}`)
    assert.equal(link?.length, LINK_LENGTH_MAX)
  })
  it('gives no more than the largest number of links', () => {
    assert.equal(findLinks('http://a '.repeat(LINKS_MAX + 1)).length, LINKS_MAX)
  })
  it('gives links that stand in the text, but for the scheme of www.', () => {
    const piece = fc.constantFrom(
      'http://',
      'www.',
      'a.b',
      '/',
      '(',
      ')',
      '.',
      ' ',
      '<',
      '"',
      '[',
      ']',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        for (const link of findLinks(text)) {
          assert.ok(text.includes(link) || text.includes(link.slice('http://'.length)))
        }
      }),
    )
  })
})
