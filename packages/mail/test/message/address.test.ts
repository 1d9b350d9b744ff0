import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseAddresses } from '../../message/address.ts'
import { ADDRESSES_MAX } from '../../message/limits.ts'
import { readRows } from '../helpers/rows.ts'

/** `name <address>` for each mailbox; the name is '' where there is none. */
function read(body: string): string[] {
  return parseAddresses(body).map(({ displayName, address }) => `${displayName} <${address}>`)
}

describe('parseAddresses', () => {
  for (const [name, body, ...expected] of readRows('mail/test/message/addresses.cases')) {
    it(name!, () => assert.deepEqual(read(body!), expected))
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
