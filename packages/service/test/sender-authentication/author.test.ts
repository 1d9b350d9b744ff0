import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { authorDomain, authorDomains, isAligned } from '../../sender-authentication/author.ts'
import { heloOf } from '../../sender-authentication/helo.ts'

function message(header: string) {
  return parseMessage(memoryOctets(Buffer.from(`${header}\n\nHello\n`)))
}

describe('authorDomain', () => {
  const cases: [string, string, string | undefined][] = [
    ['is the domain of From', 'From: Ada <ada@News.Example.com>', 'news.example.com'],
    ['is given in punycode', 'From: Ada <ada@bücher.example>', 'xn--bcher-kva.example'],
    [
      'is one for several addresses of one domain',
      'From: a@example.com, b@example.com',
      'example.com',
    ],
    ['is none for addresses of several domains', 'From: a@example.com, b@example.net', undefined],
    ['is none for two From fields', 'From: a@example.com\nFrom: a@example.com', undefined],
    ['is none for a group', 'From: Bank: a@example.com;', undefined],
    [
      'is there when a quoted name has a colon',
      'From: "Bank: news" <a@example.com>',
      'example.com',
    ],
    ['is none for a name without an address', 'From: Ada', undefined],
    ['is there when nobody quoted a colon', 'From: Bank: news <a@example.com>', 'example.com'],
    [
      'is there behind a name of 8 KB',
      `From: "${'Ada '.repeat(2_000)}" <a@example.com>`,
      'example.com',
    ],
    ['is none for an address literal', 'From: a@[192.0.2.1]', undefined],
    [
      'does not come out of the display name',
      'From: "service@example.com" <a@example.net>',
      'example.net',
    ],
  ]
  for (const [name, header, expected] of cases) {
    it(name, () => assert.equal(authorDomain(message(header)), expected))
  }
})

describe('authorDomains', () => {
  /** What each From names, and whether it is written so that nobody can tell. */
  const cases: [string, string[], boolean][] = [
    ['Bank: a@example.com;', ['example.com'], false],
    ['"Bank" <a@example.com>, <b@example.net>', ['example.com', 'example.net'], false],
    ['<a@example.com> <b@example.net>', ['example.com', 'example.net'], false],
    ['a@example.com b@example.net', ['example.com', 'example.net'], false],
    ['<b@example.net <a@example.com>>', ['example.com', 'example.net'], false],
    ['<a@example.com @example.net>', ['example.net', 'example.com'], false],
    ['<a@example.com,b@example.net>', ['example.net', 'example.com'], false],
    ['<"a@example.com"@example.net>', ['example.net', 'example.com'], false],
    ['=?utf-8?Q?a=40example.com=00?=@example.net', ['example.net', 'example.com'], false],
    ['<@example.net:a@example.com>', ['example.com'], false],
    ['a @ example . com', ['example.com'], false],
    ['a@example. com', ['example.com'], false],
    ['a(x)@(y)example.com', ['example.com'], false],
    ['<a@example.com\0>', ['example.com'], false],
    ['<a@=?utf-8?Q?example=2Ecom?=>', ['example.com'], false],
    ['=?utf-8?Q?Bank_=3Ca=40example.com=3E?=', ['example.com'], false],
    ['a\uff20example.com', ['example.com'], false],
    ['<a@example\u3002com>', ['example.com'], false],
    ['<a@exam\u200bple.com>', ['example.com'], false],
    ['"a@example.com" <b@example.net>', ['example.net'], false],
    ['<a@example.com/x>', ['example.com'], true],
    ['<a@example..com>', [], true],
    ['Bank', [], true],
    ['Undisclosed:;', [], true],
    [
      'a@one.example, a@two.example, a@three.example, a@four.example, a@five.example',
      ['one.example', 'two.example', 'three.example', 'four.example'],
      true,
    ],
    [`${'a@example.net, '.repeat(500)}a@example.com`, ['example.net'], true],
  ]
  for (const [from, domains, isDisguised] of cases) {
    it(`finds ${domains.join(' and ') || 'none'} in ${JSON.stringify(from.slice(0, 60))}`, () => {
      const found = authorDomains(message(`From: ${from}`))
      assert.deepEqual([found.domains, found.isDisguised], [domains, isDisguised])
    })
  }
  it('are those of all From fields, which nobody can tell', () => {
    const { domains, isDisguised } = authorDomains(
      message('From: a@example.com\nFrom: b@example.net'),
    )
    assert.deepEqual([domains, isDisguised], [['example.com', 'example.net'], true])
  })
})

describe('isAligned', () => {
  it('takes the same domain in strict mode', () => {
    assert.ok(isAligned('example.com', 'example.com', 'strict'))
    assert.ok(!isAligned('mail.example.com', 'example.com', 'strict'))
  })
  it('takes domains of one organisation in relaxed mode', () => {
    assert.ok(isAligned('mail.example.com', 'news.example.com', 'relaxed'))
    assert.ok(isAligned('a.example.co.uk', 'b.example.co.uk', 'relaxed'))
    assert.ok(!isAligned('example.com', 'example.net', 'relaxed'))
    assert.ok(!isAligned('example.com.example.net', 'example.com', 'relaxed'))
    assert.ok(!isAligned('a.co.uk', 'b.co.uk', 'relaxed'))
  })
  it('takes customers of a hosting company for organisations of their own', () => {
    // A suffix that is on the list: the reserved names are not.
    assert.ok(!isAligned('evil.github.io', 'good.github.io', 'relaxed'))
  })
})

describe('heloOf', () => {
  const cases: [string, string, string, string | undefined][] = [
    [
      'reads it as Postfix writes it',
      'from mail.example.com (unknown [192.0.2.1])\n by mx.example.org',
      '192.0.2.1',
      'mail.example.com',
    ],
    [
      'reads it as Exim writes it',
      'from host.example.net ([192.0.2.1] helo=mail.example.com)\n by mx.example.org',
      '192.0.2.1',
      'mail.example.com',
    ],
    [
      'reads it as Exim writes it without a host name',
      'from [192.0.2.1] (helo=mail.example.com)\n by mx.example.org',
      '192.0.2.1',
      'mail.example.com',
    ],
    [
      'knows IPv6 addresses however they are written',
      'from mail.example.com (x [IPv6:2001:DB8:0::1]) by mx.example.org',
      '2001:db8::1',
      'mail.example.com',
    ],
    [
      'is not of another connection',
      'from mail.example.com (unknown [192.0.2.2]) by mx.example.org',
      '192.0.2.1',
      undefined,
    ],
    [
      'is not there when the address stands in another clause',
      'from mail.example.com by [192.0.2.1]',
      '192.0.2.1',
      undefined,
    ],
    [
      'is not there when it is no name',
      'from <script> ([192.0.2.1]) by mx.example.org',
      '192.0.2.1',
      undefined,
    ],
  ]
  for (const [name, received, ip, expected] of cases) {
    it(name, () => assert.equal(heloOf(message(`Received: ${received}`), ip), expected))
  }
  it('comes of the topmost Received field only', () => {
    const header = 'Received: by inner.example.org\nReceived: from mail.example.com ([192.0.2.1])'
    assert.equal(heloOf(message(header), '192.0.2.1'), undefined)
  })
})
