import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsed } from '../../../mail/test/helpers/parsed.ts'
import { readRows } from '../../../mail/test/helpers/rows.ts'
import { authorDomain, authorDomains, isAligned } from '../../sender-authentication/author.ts'
import { heloOf } from '../../sender-authentication/verify.ts'

const rows = (name: string) => readRows(`service/test/sender-authentication/${name}.cases`)

function message(header: string) {
  return parsed(`${header}\n\nHello\n`)
}

describe('authorDomain', () => {
  for (const [name, header, expected] of rows('author-domain')) {
    it(name!, () => assert.equal(authorDomain(message(header!)) ?? '', expected ?? ''))
  }
  it('is there behind a name of 8 KB', () => {
    const from = `From: "${'Ada '.repeat(2_000)}" <a@example.com>`
    assert.equal(authorDomain(message(from)), 'example.com')
  })
})

describe('authorDomains', () => {
  for (const [from, ...expected] of rows('author-domains')) {
    it(`finds ${expected.slice(0, -1).join(' and ') || 'none'} in ${from}`, () => {
      const { domains, isDisguised } = authorDomains(message(`From: ${from}`))
      assert.deepEqual([...domains, `${isDisguised}`], expected)
    })
  }
  it('are four at most, and nobody can tell of more than are read', () => {
    const from = `From: ${'a@example.net, '.repeat(500)}a@example.com`
    const { domains, isDisguised } = authorDomains(message(from))
    assert.deepEqual([domains, isDisguised], [['example.net'], true])
  })
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
  for (const [name, received, ip, expected] of rows('helo')) {
    it(name!, () => {
      assert.equal(heloOf(message(`Received: ${received}`), ip!) ?? '', expected ?? '')
    })
  }
  it('comes of the topmost Received field only', () => {
    const header = 'Received: by inner.example.org\nReceived: from mail.example.com ([192.0.2.1])'
    assert.equal(heloOf(message(header), '192.0.2.1'), undefined)
  })
})
