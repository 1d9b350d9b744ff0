import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorsOf } from '../../message/authors.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'

/** `name <address>` for each author in the fields `from`. */
function authors(...from: string[]): string[] {
  const header = from.map((body) => `From: ${body}\n`).join('')
  const message = parseMessage(memoryOctets(Buffer.from(`${header}\nHello\n`)))
  return authorsOf(message).mailboxes.map(
    ({ displayName, address }) => `${displayName} <${address}>`,
  )
}

describe('authorsOf', () => {
  const cases: [string, string, string[]][] = [
    [
      'gives the words before a comma that nobody quoted back to the name',
      'Keller, Anna <a@example.com>',
      ['Keller, Anna <a@example.com>'],
    ],
    [
      'gives words behind the address back to the name',
      '<a@example.com>, Keller Bank',
      ['Keller Bank <a@example.com>'],
    ],
    [
      'shows a member by the name of the group',
      'Keller Bank: a@example.com;',
      ['Keller Bank <a@example.com>'],
    ],
    [
      'divides addresses that blanks divide',
      'Anna a@example.com b@example.net',
      ['Anna <a@example.com>', ' <b@example.net>'],
    ],
    [
      'reads an address with two at signs both ways',
      'Anna <a@example.com @example.net>',
      ['Anna <a@example.com@example.net>', 'Anna <a@example.com>'],
    ],
    ['passes over names without an address', 'Anna Keller', []],
    [
      'reads no address out of a name',
      '"a@example.com" <b@example.net>',
      ['a@example.com <b@example.net>'],
    ],
  ]
  for (const [name, from, expected] of cases) {
    it(name, () => assert.deepEqual(authors(from), expected))
  }

  it('reads all From fields', () => {
    assert.deepEqual(authors('a@example.com', 'b@example.net'), [
      ' <a@example.com>',
      ' <b@example.net>',
    ])
  })
})
