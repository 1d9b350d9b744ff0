/**
 * Names under the secret of the installation: of messages, senders and domains in the log, and of
 * users where no id may stand.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { MessageKeys } from '../../users/message-keys.ts'

const SECRET = new Uint8Array(32).fill(7)
const keys = new MessageKeys(SECRET)

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** RFC 2104 with SHA-256, by Node's own. */
const hmac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')

describe('the key of a message, sender or domain', () => {
  it('is the HMAC of what it is, whose it is, and its value', () => {
    for (const kind of ['message', 'sender', 'domain'] as const) {
      const key = keys.keyOf(kind, '<4711@example.com>')
      assert.equal(hex(key), hmac(`["${kind}","<4711@example.com>"]`))
    }
  })

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
