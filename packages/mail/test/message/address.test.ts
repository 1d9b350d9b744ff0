import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAddresses } from '../../message/address.ts'
import { ADDRESSES_MAX } from '../../message/limits.ts'

/** `name <address>` for each mailbox; the name is '' where there is none. */
function read(body: string): string[] {
  return parseAddresses(body).map(({ displayName, address }) => `${displayName} <${address}>`)
}

/** A UTF-8 field as it stands in a raw body: one code unit for each byte. */
function raw(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

describe('parseAddresses', () => {
  const cases: [string, string, string[]][] = [
    ['reads a bare address', 'ada@example.com', [' <ada@example.com>']],
    ['reads a name and an address', 'Ada King <ada@example.com>', ['Ada King <ada@example.com>']],
    [
      'removes quotes and backslashes',
      '"King, \\"Ada\\"" <a@example.com>',
      ['King, "Ada" <a@example.com>'],
    ],
    [
      'reads several',
      'a@example.com, B <b@example.com>',
      [' <a@example.com>', 'B <b@example.com>'],
    ],
    [
      'reads several with semicolons',
      'a@example.com; b@example.com',
      [' <a@example.com>', ' <b@example.com>'],
    ],
    [
      'takes a comment for the name',
      'ada@example.com (Ada (the first) King)',
      ['Ada (the first) King <ada@example.com>'],
    ],
    [
      'passes over comments beside a name',
      'Ada (x) <ada@example.com> (y)',
      ['Ada <ada@example.com>'],
    ],
    [
      'passes over comments inside brackets',
      'Ada <ada(home)@example.com>',
      ['Ada <ada@example.com>'],
    ],
    [
      'gives the members of a group',
      'Friends: a@example.com, B <b@example.com>;',
      [' <a@example.com>', 'B <b@example.com>'],
    ],
    ['gives nobody for an empty group', 'undisclosed-recipients:;', []],
    [
      'keeps a colon that opens no group',
      'Bank: Alert <a@example.com>',
      ['Bank: Alert <a@example.com>'],
    ],
    ['drops a source route', '<@x.example,@y.example:ada@example.com>', [' <ada@example.com>']],
    [
      'closes a bracket left open',
      'Ada <ada@example.com, b@example.com',
      ['Ada <ada@example.com>', ' <b@example.com>'],
    ],
    ['takes a quote left open for text', '"Ada <ada@example.com>', ['"Ada <ada@example.com>']],
    [
      'takes a comment left open for text',
      'Ada (x <ada@example.com>',
      ['Ada (x <ada@example.com>'],
    ],
    ['reads doubled brackets', '<<ada@example.com>>', [' <ada@example.com>']],
    [
      'divides two bracketed addresses without a comma',
      '<a@example.com> <b@example.com>',
      [' <a@example.com>', ' <b@example.com>'],
    ],
    [
      'reads a name after which the brackets are missing',
      'Ada King ada@example.com',
      ['Ada King <ada@example.com>'],
    ],
    ['reads an address inside quotes alone', '"ada@example.com"', [' <ada@example.com>']],
    [
      'keeps an address that poses as the name',
      '"boss@example.org" <x@example.com>',
      ['boss@example.org <x@example.com>'],
    ],
    [
      'drops white space around dots and at signs',
      '<ada . king @ example . com>',
      [' <ada.king@example.com>'],
    ],
    ['drops mailto:', '<mailto:ada@example.com>', [' <ada@example.com>']],
    ['keeps a name without an address', 'Ada King', ['Ada King <>']],
    ['gives nobody for nothing', ' , <> ,', []],
    [
      'decodes the name after dividing',
      '=?utf-8?Q?King=2C_Ada?= <a@example.com>',
      ['King, Ada <a@example.com>'],
    ],
    ['decodes inside quotes', '"=?utf-8?B?QWTDoQ==?=" <a@example.com>', ['Adá <a@example.com>']],
    [
      'finds a mailbox inside one encoded word',
      '=?utf-8?Q?Ada_=3Ca=40example.com=3E?=',
      ['Ada <a@example.com>'],
    ],
    ['reads raw UTF-8', raw('Ádá <á@exämple.com>'), ['Ádá <á@exämple.com>']],
    ['reads raw Windows-1252', 'Ad\xe1 <a@example.com>', ['Adá <a@example.com>']],
  ]
  for (const [name, body, expected] of cases) {
    it(name, () => assert.deepEqual(read(body), expected))
  }

  it('keeps the local part as written and lowers the domain', () => {
    assert.deepEqual(parseAddresses('Ada.King@EXAMPLE.com'), [
      {
        displayName: '',
        address: 'Ada.King@example.com',
        localPart: 'Ada.King',
        domain: 'example.com',
      },
    ])
  })

  it('keeps the quotes of a local part', () => {
    assert.equal(parseAddresses('"ada king"@example.com')[0]!.localPart, '"ada king"')
    assert.equal(parseAddresses('<"a@b"@example.com>')[0]!.domain, 'example.com')
  })

  it('divides at the last at sign', () => {
    const [mailbox] = parseAddresses('<ada@example.org@example.com>')
    assert.deepEqual([mailbox!.localPart, mailbox!.domain], ['ada@example.org', 'example.com'])
  })

  it('stops at the limit of addresses', () => {
    assert.equal(parseAddresses('a@example.com,'.repeat(ADDRESSES_MAX)).length, ADDRESSES_MAX)
    assert.equal(parseAddresses('a@example.com,'.repeat(ADDRESSES_MAX + 1)).length, ADDRESSES_MAX)
  })
})
