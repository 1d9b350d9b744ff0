import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { authorsOf } from '../../message/authors.ts'
import { parsed } from '../helpers/parsed.ts'
import { readRows } from '../helpers/rows.ts'

/** `name <address>` for each author in the fields `from`. */
function authors(...from: string[]): string[] {
  const header = from.map((body) => `From: ${body}\n`).join('')
  const message = parsed(`${header}\nHello\n`)
  return authorsOf(message).mailboxes.map(
    ({ displayName, address }) => `${displayName} <${address}>`,
  )
}

describe('authorsOf', () => {
  for (const [name, from, ...expected] of readRows('mail/test/message/authors.cases')) {
    it(name!, () => assert.deepEqual(authors(from!), expected))
  }

  it('reads all From fields', () => {
    assert.deepEqual(authors('a@example.com', 'b@example.net'), [
      ' <a@example.com>',
      ' <b@example.net>',
    ])
  })
})
