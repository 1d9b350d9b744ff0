import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { metadataFromHeaders } from '../../http/metadata-headers.ts'

/** A header as Node gives it: each byte of UTF-8 one code unit. */
const asSent = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

describe('X-Sender-IP', () => {
  const accepted: [sent: string, read: string | undefined][] = [
    ['192.0.2.25', '192.0.2.25'],
    ['[192.0.2.25]', '192.0.2.25'],
    ['2001:db8::1', '2001:db8::1'],
    ['IPv6:2001:db8::1', '2001:db8::1'],
    ['[IPv6:2001:DB8:0:0:0:0:0:1]', '2001:db8::1'],
    ['ipv6:2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['::ffff:192.0.2.25', '192.0.2.25'],
    ['::FFFF:C000:0219', '192.0.2.25'],
    ['::1', '::1'],
    [' 192.0.2.25 ', '192.0.2.25'],
    ['', undefined],
    ['unknown', undefined],
    ['Unknown', undefined],
  ]
  for (const [sent, read] of accepted) {
    it(`reads "${sent}" as ${read ?? 'absent'}`, () => {
      assert.equal(metadataFromHeaders({ 'x-sender-ip': sent }).senderIp, read)
    })
  }

  const refused = [
    '192.0.2',
    '192.0.2.256',
    '0300.0.2.1',
    '192.0.2.25, 192.0.2.26',
    'IPv6:192.0.2.25',
    '[192.0.2.25',
    '2001:db8::1%eth0',
    '2001:db8::1/64',
    'mail.example.com',
    '<192.0.2.25>',
  ]
  for (const sent of refused) {
    it(`refuses "${sent}", naming the header`, () => {
      assert.throws(() => metadataFromHeaders({ 'x-sender-ip': sent }), {
        code: 'HEADER_INVALID',
        details: { header: 'X-Sender-IP' },
      })
    })
  }
})

describe('X-Sender-Email', () => {
  const accepted: [sent: string, read: string][] = [
    ['a@example.com', 'a@example.com'],
    ['<a@example.com>', 'a@example.com'],
    ['A.Person@Example.COM', 'A.Person@example.com'],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ['"a person"@example.com', '"a person"@example.com'],
    ['"a\\"b@c"@example.com', '"a\\"b@c"@example.com'],
    ['""@example.com', '""@example.com'],
    ['a@localhost', 'a@localhost'],
    ['a@[192.0.2.25]', 'a@[192.0.2.25]'],
    ['a@[IPv6:2001:DB8::1]', 'a@[ipv6:2001:db8::1]'],
    ['a@[x400:c=de]', 'a@[x400:c=de]'],
    ['jürgen@müller.example', 'jürgen@müller.example'],
    ['用户@例え.jp', '用户@例え.jp'],
    [`${'a'.repeat(200)}@example.com`, `${'a'.repeat(200)}@example.com`],
    ['<>', ''],
    ['', ''],
  ]
  for (const [sent, read] of accepted) {
    it(`reads "${sent}" as "${read}"`, () => {
      assert.equal(metadataFromHeaders({ 'x-sender-email': asSent(sent) }).mailFrom, read)
    })
  }

  const refused = [
    'a',
    '@example.com',
    'a@',
    'a@b@example.com',
    'a b@example.com',
    '.a@example.com',
    'a..b@example.com',
    'a@example..com',
    'a@-example.com',
    'a@example.com.',
    'a@exam_ple.com',
    '"a@example.com',
    'a@[192.0.2.256]',
    'a@[IPv6:192.0.2.25]',
    'a@[]',
    'A Person <a@example.com>',
    '<a@example.com',
    'a@example.com, b@example.com',
    'a(comment)@example.com',
    `a@${'a'.repeat(64)}.com`,
    `a@${'example.'.repeat(80)}com`,
  ]
  for (const sent of refused) {
    it(`refuses "${sent}", naming the header`, () => {
      assert.throws(() => metadataFromHeaders({ 'x-sender-email': asSent(sent) }), {
        code: 'HEADER_INVALID',
        details: { header: 'X-Sender-Email' },
      })
    })
  }
})

describe('X-User-ID', () => {
  const accepted = [
    'u',
    'user-4711',
    'jürgen',
    'a@example.com',
    '用户',
    'u'.repeat(256),
    '𝕌'.repeat(256),
  ]
  for (const sent of accepted) {
    it(`takes "${sent.slice(0, 20)}" (${[...sent].length}) as it is`, () => {
      assert.equal(metadataFromHeaders({ 'x-user-id': asSent(sent) }).userId, sent)
    })
  }

  const refused = [' ', 'a b', 'a\u00a0b', 'a\u200bb', 'a\u0007b', 'a\u0085b', 'u'.repeat(257)]
  for (const sent of refused) {
    it(`refuses ${JSON.stringify(sent.slice(0, 20))} (${sent.length}), naming the header`, () => {
      assert.throws(() => metadataFromHeaders({ 'x-user-id': asSent(sent) }), {
        code: 'HEADER_INVALID',
        details: { header: 'X-User-ID' },
      })
    })
  }
})

describe('metadataFromHeaders', () => {
  it('takes empty X-Sender-IP and X-User-ID for none', () => {
    assert.deepEqual(metadataFromHeaders({ 'x-sender-ip': '', 'x-user-id': '' }), {})
  })

  it('gives nothing where nothing was sent', () => {
    assert.deepEqual(metadataFromHeaders({ 'content-type': 'message/rfc822' }), {})
  })

  it('refuses bytes that are not UTF-8', () => {
    assert.throws(() => metadataFromHeaders({ 'x-user-id': 'j\xfcrgen' }), {
      code: 'HEADER_INVALID',
      message: 'X-User-ID is not UTF-8',
      details: { header: 'X-User-ID' },
    })
  })

  it('does not repeat what was sent', () => {
    assert.throws(() => metadataFromHeaders({ 'x-sender-email': 'a person' }), {
      message: 'X-Sender-Email must be an email address (RFC 5321), or empty',
    })
  })
})
