/**
 * Names under the secret of the installation: of messages, senders and domains in the log, and of
 * users where no id may stand.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MessageKeys } from '../../users/message-keys.ts'

const SECRET = new Uint8Array(32).fill(7)
const keys = new MessageKeys(SECRET)

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the key of a message, sender or domain', () => {
  it('is another for another kind, value or installation', () => {
    const all = [
      keys.keyOf('message', 'x@example.com'),
      keys.keyOf('sender', 'x@example.com'),
      keys.keyOf('message', 'y@example.com'),
      new MessageKeys(new Uint8Array(32).fill(8)).keyOf('message', 'x@example.com'),
    ]
    assert.equal(new Set(all.map(hex)).size, all.length)
  })
})
